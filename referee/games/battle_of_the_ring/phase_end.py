"""The end of a Movement Phase: asked is only what can matter; nothing counts before the last answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from referee.games.battle_of_the_ring.pieces import NAME, RING
from referee.games.battle_of_the_ring.state import ELVEN, RingGame
from referee.games.battle_of_the_ring.waking import (
    BACK,
    ask_isengard,
    ask_paths,
    count_paths,
    in_fangorn,
    leave_fangorn,
    paths_due,
    wake_fangorn,
    waking_due,
)
from referee.rulebook import Ask, Bar, Bundle, Choose, Options, Procedure, Ruling, section

IN_PATHS = Options((("yes", "Aragorn in Paths"), ("no", "Not in the Paths"), BACK))
IN_MORIA = Options((("yes", "Gandalf in Moria"), ("no", "Not in Moria"), BACK))
OUT_OF_FANGORN = Options((("yes", "Left Fangorn"), ("no", "Still in Fangorn"), BACK))
IN_ELVEN = {f"elven-{k}": Options((("yes", f"Ring in Elven {k}"), ("no", f"Left Elven {k}"), BACK)) for k in ELVEN}
STANDS = {
    "barad-dur": Options((("yes", "In Barad-dûr"), ("no", "Left Barad-dûr"), BACK)),
    "isengard": Options((("yes", "On Isengard"), ("no", "Left Isengard"), BACK)),
}
GANDALF_STAYS = Bar("BR-X15", "The Alliance passed Moria: Gandalf must be there")
TWO_ROUNDS = Bar("BR-X17", "Two rounds are over: the Ring Bearer must leave")
SHIRE = Options(
    (
        ("nobody", "Nobody"),
        ("saruman", "Saruman's", "Saruman"),
        ("alliance", "Alliance"),
        ("third", "Orc or Nazgûl", "Orc/Naz."),
        BACK,
    )
)
STATED = Options(
    (
        ("hobbits", "The Hobbits", "Hobbits"),
        ("saruman", "Saruman"),
        ("eliminated", "It was eliminated", "Elimin."),
        BACK,
    )
)


class Question(NamedTuple):
    """One question at the end of a phase.

    ``due``    whether it can matter now
    ``ask``    the question itself
    ``quiet``  the answer that changes nothing, None if there is none
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
            answer = yield question.ask(game)
            if answer == "moves":
                return False
            game.entry.said[question.key] = answer
    game.counted()
    said = game.entry.said
    count_paths(game, said)
    count_gandalf(game, said)
    count_shire(game, said)
    if "no" in (said.get("end.elven"), said.get("end.ring")):
        game.move_ring("ordinary")
    yield from wake_fangorn(game)
    count_elven(game)
    return True


def quiet(game: RingGame) -> tuple[Bundle, ...]:
    """Offer to end the phase with the answers that change nothing, as far as there are any."""
    answers: list[str] = ["done"]
    for question in QUESTIONS:
        if question.due(game):
            answer = question.quiet(game)
            if answer is None:
                break
            answers.append(answer)
    return (Bundle("quiet", "Done, nothing special", tuple(answers), "All done", pinned=True),)


# -- Aragorn, Gandalf and the Ring Bearer where they were declared to be


def yes_no(key: str, text: str, words: Options, rule: str, bar: Callable[[str], Bar | None] | None = None) -> Ask:
    """Return a question with yes, no, and the way back to the moves."""
    return Choose(key, text, words, bar, rule=rule, head="End of phase", default="yes")


def moria_due(game: RingGame) -> bool:
    """Whether Gandalf is said to be in Moria, or ought to be."""
    return (
        game.seat == "alliance" and game.on_board["gandalf"] > 0 and (game.moria_used or game.gandalf_in == "moria")
    )


def bar_moria(game: RingGame, answer: str) -> Bar | None:
    """Return BR-X15 where the Alliance passed and Gandalf is not in (BR-52)."""
    return GANDALF_STAYS if answer == "no" and game.moria_used else None


def count_gandalf(game: RingGame, said: dict[str, Any]) -> None:
    """Note whether Gandalf is in Moria, and whether who woke Fangorn has left."""
    if "end.moria" in said:
        game.move_gandalf("moria" if said["end.moria"] == "yes" else "none")
    if said.get("end.fangorn") == "yes":
        leave_fangorn(game)
    elif said.get("end.fangorn") == "no":
        game.remind("BR-57", "Leave Fangorn as soon as a free hex is in reach")


def fangorn_due(game: RingGame) -> bool:
    """Whether who woke Fangorn is still to leave it (BR-57)."""
    return (
        game.seat == "alliance"
        and game.fangorn != "dormant"
        and game.fangorn_hex == "open"
        and bool(in_fangorn(game))
    )


# -- the Shire


def shire_due(game: RingGame) -> bool:
    """Whether the possession of the Shire can change, or a third nation can come or go."""
    if game.shire_third or game.seat in ("sauron", "evil"):
        return True
    return game.shire_owner != ("saruman" if game.seat == "saruman" else "hobbits")


def stated_due(game: RingGame) -> bool:
    """Whether a third nation is gone from the Shire without having said whose it is."""
    return game.shire_third and game.entry.said.get("end.shire") == "nobody"


def ask_stated(game: RingGame) -> Ask:
    """Ask whose the Shire is; outside its own turn a third nation can only have been eliminated there (A-BR10)."""
    default = None if game.force_of("orc") == game.seat else "eliminated"
    return Choose(
        "end.shire-owner", "Who owns it now?", STATED, default=default, rule="BR-32", head="Shire", tag="whose?"
    )


def count_shire(game: RingGame, said: dict[str, Any]) -> None:
    """Saruman's piece takes it, the Alliance's gives it back, a third nation leaves its word (BR-31, BR-32)."""
    there = said.get("end.shire")
    if there is None:
        return
    before = game.shire_owner
    game.shire_third = there == "third"
    if there in ("saruman", "alliance"):
        game.shire_owner = "saruman" if there == "saruman" else "hobbits"
    stated = said.get("end.shire-owner", "eliminated")
    if stated != "eliminated":
        game.shire_owner = stated
    if game.shire_owner != before:
        owner = STATED.by_id[game.shire_owner].short or "Saruman"
        why = (f"The Shire passes to {STATED.by_id[game.shire_owner].text}",)
        game.rule(Ruling("shire", "Shire", ("BR-31", "BR-32"), why, {"owner": game.shire_owner}, foot=owner))


# -- the Ring in an Elven hex


def elven_due(game: RingGame) -> bool:
    """Whether the two rounds of an Elven hex concern the player whose phase it is."""
    return game.force_of(RING) == game.seat and game.elves_alive and game.ring_hex.startswith("elven-")


def bar_elven(game: RingGame, answer: str) -> Bar | None:
    """Return BR-X17 at the end of a third turn in the same Elven hex (A-BR18)."""
    over = game.phase == "second-movement" and game.elven_stay[game.ring_hex.removeprefix("elven-")] >= 2
    return TWO_ROUNDS if over and answer == "yes" else None


def count_elven(game: RingGame) -> None:
    """An Elven hex the Ring has left is closed to it; one it stays in counts a round at the end of the turn."""
    if game.force_of(RING) != game.seat or not game.elves_alive:
        return
    began, now = game.ring_began, game.ring_hex
    if began.startswith("elven-") and now != began:
        game.elven_closed[began.removeprefix("elven-")] = True
    if now.startswith("elven-") and game.phase == "second-movement":
        hex_ = now.removeprefix("elven-")
        game.elven_stay[hex_] = min(game.elven_stay[hex_] + 1, 3)


# -- the Ring where standing in a hex decides something


def stands_due(game: RingGame) -> bool:
    """Whether the Ring is said to be where a capture would win, or Fangorn find it (BR-5, BR-6, A-BR12)."""
    return game.force_of(RING) == game.seat and game.ring_hex in STANDS


def nothing(game: RingGame) -> None:
    """There is no answer that changes nothing."""
    del game


QUESTIONS = (
    Question("end.paths", paths_due, ask_paths, nothing),
    Question(
        "end.entered",
        lambda g: g.seat == "alliance" and g.paths_entered and g.paths == "dormant",
        lambda _: yes_no("end.entered", "Is Aragorn in the Paths of the Dead?", IN_PATHS, "BR-58"),
        lambda _: "yes",
    ),
    Question(
        "end.moria",
        moria_due,
        lambda g: yes_no("end.moria", "Is Gandalf in Moria?", IN_MORIA, "BR-52", partial(bar_moria, g)),
        lambda g: "yes" if g.gandalf_in == "moria" else None,
    ),
    Question("end.isengard", waking_due, ask_isengard, nothing),
    Question(
        "end.fangorn",
        fangorn_due,
        lambda g: yes_no("end.fangorn", f"Has {NAME[in_fangorn(g)]} left Fangorn?", OUT_OF_FANGORN, "BR-57"),
        lambda _: "no",
    ),
    Question(
        "end.shire",
        shire_due,
        lambda _: Choose("end.shire", "Who is in the Shire?", SHIRE, rule="BR-31", head="Shire", tag="who?"),
        lambda g: "third" if g.shire_third else "nobody",
    ),
    Question(
        "end.shire-owner",
        stated_due,
        ask_stated,
        lambda _: "eliminated",
    ),
    Question(
        "end.elven",
        elven_due,
        lambda g: yes_no(
            "end.elven", "Is the Ring Bearer still there?", IN_ELVEN[g.ring_hex], "BR-15", partial(bar_elven, g)
        ),
        lambda g: None if bar_elven(g, "yes") else "yes",
    ),
    Question(
        "end.ring",
        stands_due,
        lambda g: yes_no("end.ring", "Is the Ring Bearer still there?", STANDS[g.ring_hex], "BR-71"),
        lambda _: "yes",
    ),
)
"""In the order in which they are asked."""
