"""The end of a Movement Phase: only what can matter is asked; nothing counts before the last answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from referee.games.battle_of_the_ring.activation import (
    BACK,
    activate_fangorn,
    activation_due,
    ask_isengard,
    ask_paths,
    at_end,
    count_paths,
    leave_fangorn,
    paths_due,
)
from referee.games.battle_of_the_ring.pieces import RING
from referee.games.battle_of_the_ring.special import ELVEN_HEXES, WHERE, in_fangorn
from referee.games.battle_of_the_ring.state import ELVEN, RingGame
from referee.rulebook import Ask, Bar, Bundle, Options, Procedure, Reason, Ruling, Short, phrase, section, unbarred

YES_NO = Options((("yes", "Yes"), ("no", "No"), BACK))
DECISIVE = ("barad-dur", "isengard")
"""Where it matters that the Ring Bearer is there: a capture wins, or the Fangorn army meets it."""
GANDALF_STAYS = Bar("BR-X15", "The Alliance passed Moria: Gandalf must be in Moria")
TWO_ROUNDS = {k: Bar("BR-X17", f"Two rounds are over: the Ring Bearer must leave Elven hex {k}") for k in ELVEN}
SHIRE = Options((("nobody", "Nobody"), ("saruman", "Saruman"), ("alliance", "Alliance"), ("third", "Sauron"), BACK))
STATED = Options((("hobbits", "The Hobbits", "Hobbits"), ("saruman", "Saruman"), ("eliminated", "Eliminated"), BACK))
WHOSE_NOW = "Sauron's piece is gone: whose is the Shire now?"
OWNERS = {"hobbits": "the Hobbits'", "saruman": "Saruman's"}


class Question(NamedTuple):
    """One question at the end of a phase, with functions of the state.

    ``due``    whether it can matter now
    ``ask``    returns the question itself
    ``quiet``  returns the answer that changes nothing, None if there is none
    """

    key: str
    due: Callable[[RingGame], bool]
    ask: Callable[[RingGame], Ask]
    quiet: Callable[[RingGame], str | None]


@section("BR-31", "BR-52", title="End of the phase")
def phase_end(game: RingGame) -> Procedure[bool]:
    """Ask what is due, then count it all; return False where the players go back to their moves."""
    for question in QUESTIONS:
        if question.due(game):
            answer = yield partial(question.ask, game)
            if answer == "moves":
                return False
            game.entry.answers[question.key] = answer
    game.counted()
    answers = game.entry.answers
    count_paths(game, answers)
    count_gandalf(game, answers)
    count_shire(game, answers)
    if "no" in (answers.get("end.elven"), answers.get("end.ring")):
        game.move_ring("ordinary")
    yield from activate_fangorn(game)
    count_elven(game)
    return True


def quiet(game: RingGame) -> tuple[Bundle, ...]:
    """Offer to end the phase with the answers that change nothing, where all that is asked has one."""
    answers = [question.quiet(game) for question in QUESTIONS if question.due(game)]
    if not answers or None in answers:
        return ()
    return (Bundle("quiet", "Moves done, all else as before", ("done", *answers), "End", pinned=True),)


# -- Aragorn, Gandalf and the Ring Bearer where they were entered to be


def yes_no(key: str, text: str, rule: str, bar: Callable[[str], Bar | None] = unbarred) -> Ask:
    """Return a question with yes, no, and the way back to the moves."""
    return at_end(key, text, YES_NO, rule, bar=bar)


def entered_due(game: RingGame) -> bool:
    """Whether Aragorn was entered to be in the Paths in this phase, and is still on the board."""
    entered = game.paths_entered and game.on_board["aragorn"] > 0
    return game.seat == "alliance" and entered and game.paths == "dormant"


def moria_due(game: RingGame) -> bool:
    """Whether Gandalf was entered to be in Moria, or must be because the Alliance passed it (BR-52)."""
    return (
        game.seat == "alliance" and game.on_board["gandalf"] > 0 and (game.moria_used or game.gandalf_in == "moria")
    )


def bar_moria(game: RingGame, answer: str) -> Bar | None:
    """Return BR-X15 where the Alliance passed and Gandalf is not in (BR-52)."""
    return GANDALF_STAYS if answer == "no" and game.moria_used else None


def count_gandalf(game: RingGame, answers: dict[str, Any]) -> None:
    """Note whether Gandalf is in Moria, and whether the activator has left Fangorn (BR-52, BR-57)."""
    if "end.moria" in answers:
        game.move_gandalf("moria" if answers["end.moria"] == "yes" else "none")
    if answers.get("end.fangorn") == "yes":
        leave_fangorn(game)
    elif answers.get("end.fangorn") == "no":
        game.remind("BR-57", "Leave Fangorn as soon as an empty hex is in reach")


IN_FANGORN = {"gandalf": "Gandalf", RING: "the Ring Bearer"}


def fangorn_due(game: RingGame) -> bool:
    """Whether the activator is still to leave Fangorn (BR-57)."""
    return (
        game.seat == "alliance"
        and game.fangorn != "dormant"
        and game.fangorn_hex == "open"
        and bool(in_fangorn(game))
    )


# -- hex R of the Shire


def shire_due(game: RingGame) -> bool:
    """Whether a piece that moved in this phase can change who owns the Shire, or a third nation's can come or go."""
    if game.shire_third or game.third_took_ring:
        return True
    takes = {"hobbits": game.force_of("man-orc"), "saruman": "alliance"}[game.shire_owner]
    return game.seat == takes


def stated_due(game: RingGame) -> bool:
    """Whether Sauron's piece left hex R in his own turn; in another it can only have been eliminated (A-BR10)."""
    mine = game.force_of("orc") == game.seat
    return mine and game.shire_third and game.entry.answers.get("end.shire") == "nobody"


def count_shire(game: RingGame, answers: dict[str, Any]) -> None:
    """Saruman's piece takes the Shire, the Alliance's gives it back, Sauron's says whose it is (BR-31, BR-32)."""
    there = answers.get("end.shire")
    if there is None:
        return
    game.shire_third = there == "third"
    owner = {"saruman": "saruman", "alliance": "hobbits"}.get(there, game.shire_owner)
    stated = answers.get("end.shire-owner", "eliminated")
    if stated != "eliminated":
        owner = stated
    if owner != game.shire_owner:
        pass_shire(game, owner)


def pass_shire(game: RingGame, owner: str, *why: Reason) -> None:
    """Rule who owns the Shire now, for the reasons given."""
    changed, game.shire_owner = owner != game.shire_owner, owner
    lines = (*why, ("BR-31", phrase("The Shire is {}", OWNERS[owner])))
    foot = STATED.by_id[owner].short or STATED.by_id[owner].text
    game.rule(
        Ruling(
            "shire",
            phrase(Short("Shire", "Owner of the Shire: {}"), foot),
            ("BR-31", "BR-32"),
            lines,
            {"owner": owner},
            changed=changed,
            foot=foot,
        )
    )


# -- the Ring in an Elven hex


def elven_due(game: RingGame) -> bool:
    """Whether the player whose phase it is has the Ring in an Elven hex, where its rounds count (BR-15)."""
    return game.force_of(RING) == game.seat and game.elves_alive and game.ring_hex.startswith("elven-")


def ask_elven(game: RingGame) -> Ask:
    """Ask whether the Ring Bearer is still in its Elven hex."""
    text = f"Is the Ring Bearer still in {ELVEN_HEXES.by_id[game.ring_hex].text}?"
    return yes_no("end.elven", text, "BR-15", partial(bar_elven, game))


def bar_elven(game: RingGame, answer: str) -> Bar | None:
    """Return BR-X17 at the end of a third turn in the same Elven hex (A-BR18)."""
    hex_ = game.ring_hex.removeprefix("elven-")
    over = game.phase == "second-movement" and game.elven_stay.get(hex_, 0) >= 2
    return TWO_ROUNDS[hex_] if over and answer == "yes" else None


def count_elven(game: RingGame) -> None:
    """An Elven hex the Ring has left is closed to it; one it stays in counts a round of its owner's."""
    if not game.elves_alive:
        return
    began, now = game.ring_began, game.ring_hex
    if began.startswith("elven-") and now != began:
        game.elven_closed[began.removeprefix("elven-")] = True
    if elven_due(game) and game.phase == "second-movement":
        hex_ = now.removeprefix("elven-")
        game.elven_stay[hex_] = min(game.elven_stay[hex_] + 1, 3)


# -- the Ring where its place decides something


def ring_due(game: RingGame) -> bool:
    """Whether the Ring was entered to be where a capture wins, or Fangorn meets it (BR-5, BR-6, A-BR12)."""
    return game.force_of(RING) == game.seat and game.ring_hex in DECISIVE


def ask_ring(game: RingGame) -> Ask:
    """Ask whether the Ring Bearer is still there."""
    return yes_no("end.ring", f"Is the Ring Bearer still on {WHERE.by_id[game.ring_hex].text}?", "BR-71")


QUESTIONS = (
    Question("end.paths", paths_due, ask_paths, lambda _: None),
    Question(
        "end.entered",
        entered_due,
        lambda _: yes_no("end.entered", "Is Aragorn in the Paths of the Dead?", "BR-58"),
        lambda _: "yes",
    ),
    Question(
        "end.moria",
        moria_due,
        lambda g: yes_no("end.moria", "Is Gandalf in Moria?", "BR-52", partial(bar_moria, g)),
        lambda g: "yes" if g.gandalf_in == "moria" else None,
    ),
    Question("end.isengard", activation_due, ask_isengard, lambda _: None),
    Question(
        "end.fangorn",
        fangorn_due,
        lambda g: yes_no("end.fangorn", f"Has {IN_FANGORN[in_fangorn(g)]} left Fangorn?", "BR-57"),
        lambda _: "no",
    ),
    Question(
        "end.shire",
        shire_due,
        lambda _: at_end("end.shire", "Whose piece is on hex R of the Shire?", SHIRE, "BR-31", "On hex R?"),
        lambda g: "third" if g.shire_third else "nobody",
    ),
    Question(
        "end.shire-owner",
        stated_due,
        lambda _: at_end("end.shire-owner", WHOSE_NOW, STATED, "BR-32", "Shire to?"),
        lambda _: "eliminated",
    ),
    Question("end.elven", elven_due, ask_elven, lambda g: None if bar_elven(g, "yes") else "yes"),
    Question("end.ring", ring_due, ask_ring, lambda _: "yes"),
)
"""In the order in which they are asked."""
