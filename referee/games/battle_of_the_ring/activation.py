"""Armies that are activated: the Dead in their Paths, and the Fangorn army."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from referee.games.battle_of_the_ring.pieces import COUNTED, NAME, NO_PIECE, OPTION, PIECES, RING, SHORT, THE
from referee.games.battle_of_the_ring.ring import change_hands
from referee.games.battle_of_the_ring.special import in_fangorn
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import Ask, Bar, Choose, Option, Options, Procedure, Ruling, Short, phrase, section, unbarred

BACK = Option("moves", "Back to the moves", "Back")
NO_RING = Bar("BR-X09", "The Ring Bearer is not on Isengard")
NOT_THERE = {p: Bar("BR-X16", f"{THE[p]} cannot have been on Isengard", aside=True) for p in PIECES}
NOT_INSIDE = Bar("BR-X09", "So many were not in the Paths of the Dead", firm=True, aside=True)

OUT = Options(
    (
        ("aragorn-and-2-dead", "Aragorn and both Dead", "Arag.+2"),
        ("aragorn-and-1-dead", "Aragorn and one Dead", "Arag.+1"),
        ("aragorn", "Aragorn alone", "Aragorn"),
        ("2-dead", "Both Armies of the Dead", "2 Dead"),
        ("1-dead", "One Army of the Dead", "1 Dead"),
        ("nobody", "Nobody"),
        BACK,
    )
)
COMPANIES = dict(zip(OUT.by_id, ((1, 2), (1, 1), (1, 0), (0, 2), (0, 1), (0, 0)), strict=False))
"""Who can have left the Paths: Aragorn or not, and how many Armies of the Dead."""
ISENGARD = Options(
    (
        ("nobody", "Nobody"),
        OPTION["man-orc"],
        OPTION["saruman"],
        OPTION[RING],
        ("left", "Has left Fangorn again", "Left"),
        *(OPTION[p] for p in PIECES if p not in ("man-orc", "saruman")),
        BACK,
    )
)


def at_end(
    key: str, text: str, among: Options, rule: str, head: str = "", bar: Callable[[str], Bar | None] = unbarred
) -> Ask:
    """Return a question at the end of a phase: a bare Select leads back to the moves and ends nothing.

    ``head``: the text in short, and only where more than two options keep it off the glass; it is not said.
    """
    return Choose(key, text, among, bar, default=BACK.id, passing=BACK.id, rule=rule, head=Short(head, ""))


# -- the Paths of the Dead


def paths_due(game: RingGame) -> bool:
    """Whether Aragorn and the Dead must leave the Paths by the end of this phase (BR-58, A-BR17)."""
    return game.seat == "alliance" and game.paths == "aragorn-inside" and inside(game) != (0, 0)


def inside(game: RingGame) -> tuple[int, int]:
    """Return how many of Aragorn (0 or 1) and of the Dead (0 to 2) can have been in the Paths."""
    return game.on_board["aragorn"], game.on_board["army-of-the-dead"]


def bar_company(game: RingGame, company: str) -> Bar | None:
    """Return BR-X09 for a company of more than were inside; its pieces are in `COMPANIES`."""
    if company == BACK.id:
        return None
    too_many = any(out > there for out, there in zip(COMPANIES[company], inside(game), strict=True))
    return NOT_INSIDE if too_many else None


def ask_paths(game: RingGame) -> Ask:
    """Return the question who has left the Paths (BR-58)."""
    text = "Who has left the Paths by the south?"
    return at_end("end.paths", text, OUT, "BR-58", "Who left?", partial(bar_company, game))


def count_paths(game: RingGame, answers: dict[str, Any]) -> None:
    """Destroy whoever is still in the Paths and close them, or note that Aragorn ends a phase there (BR-58).

    ``answers``: to the questions of this end of phase, by their keys.
    """
    if game.seat != "alliance" or game.paths == "closed":
        return
    if game.paths == "aragorn-inside":
        close_paths(game, answers.get("end.paths"))
    elif game.paths_entered and answers.get("end.entered") != "no" and game.on_board["aragorn"]:
        game.paths = "aragorn-inside"
        game.remind("BR-58", "In the next Movement Phase all three leave by the south, or are destroyed")


def close_paths(game: RingGame, company: str | None) -> None:
    """Destroy whoever has not left with this company, and close the hex (BR-58).

    ``company``: a key of `COMPANIES`; None: nobody was inside any more.
    """
    lost = []
    for piece, out in zip(("aragorn", "army-of-the-dead"), COMPANIES.get(company or "", inside(game)), strict=True):
        for _ in range(game.on_board[piece] - out):
            game.lose(piece)
            lost.append(piece)
    game.paths = "closed"
    game.rule(
        Ruling(
            "paths-closed",
            Short(f"{len(lost)} lost" if lost else "All out", f"Paths of the Dead: {len(lost) or 'nobody'} lost"),
            ("BR-58", "BR-59"),
            (*(("BR-58", line) for line in map(_destroyed, lost, ("", *lost))), ("BR-58", CLOSED)),
            {"lost": lost},
            foot=f"Dead {game.on_board['army-of-the-dead']}",
            to_do=tuple(f"Remove {lost.count(piece)} {SHORT[piece]}" for piece in dict.fromkeys(lost)),
        )
    )


CLOSED = phrase("The Paths of the Dead are closed")


def _destroyed(piece: str, before: str) -> Short:
    """Return that a piece is destroyed: in words once for each kind; ``before``: the kind named last."""
    return Short(f"{NAME[piece]}: destroyed", "" if piece == before else f"{NAME[piece]} is destroyed")


# -- the Fangorn army


def leave_fangorn(game: RingGame) -> None:
    """Note that Gandalf, or the Alliance's Ring Bearer, is no longer in Fangorn (BR-57)."""
    if game.gandalf_in == "fangorn":
        game.move_gandalf("none")
    if game.ring_hex == "fangorn" and game.ring_owner == "alliance":
        game.move_ring("ordinary")


def activation_due(game: RingGame) -> bool:
    """Whether the Fangorn army is activated now (BR-56)."""
    dormant = game.fangorn == "dormant" and game.on_board["fangorn-army"] > 0
    return game.seat == "alliance" and dormant and bool(in_fangorn(game))


def bar_isengard(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece cannot have been on Isengard: X09, or X16 for one that may not enter it (BR-54)."""
    if piece == RING:
        return None if game.ring_hex == "isengard" else NO_RING
    if piece not in PIECES:
        return None
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    return NOT_THERE[piece] if game.isengard == "special" and piece not in ("man-orc", "saruman") else None


def ask_isengard(game: RingGame) -> Ask:
    """Return the question what the Fangorn army meets on Isengard (BR-55)."""
    text = "Fangorn is activated. What stood on Isengard?"
    return at_end("end.isengard", text, ISENGARD, "BR-55", "Isengard?", partial(bar_isengard, game))


@section("BR-55", "BR-56", "BR-59", title="Fangorn is activated")
def activate_fangorn(game: RingGame) -> Procedure[None]:
    """The army goes to Isengard at once, destroys what is there, and Isengard is ordinary for ever."""
    victim = game.entry.answers.get("end.isengard")
    if victim == "left":
        leave_fangorn(game)
    if victim in (None, "left"):
        return
    game.fangorn, game.isengard = "active", "ordinary"
    foot, there = "", ISENGARD.by_id[victim].text
    if victim in PIECES:
        before = game.on_board[victim]
        game.lose(victim)
        foot = phrase(COUNTED, SHORT[victim], before, game.on_board[victim])
    game.rule(
        Ruling(
            "fangorn-awake",
            Short("Fangorn!", "The Fangorn army is awake"),
            ("BR-55", "BR-56"),
            (
                ("BR-55", Short(f"On Isengard: {there}", f"{there} stood on Isengard")),
                ("BR-55", phrase("Isengard is an ordinary hex now")),
                ("BR-56", phrase("The Fangorn army is Elven and fights")),
            ),
            {"isengard": victim},
            foot=foot,
            to_do=("Army to Isengard", *((f"Remove {SHORT[victim]}",) if victim in PIECES else ())),
        )
    )
    if victim == RING and game.ring_owner != "alliance":
        game.move_ring("isengard")
        yield from change_hands(game, "fangorn-army")
