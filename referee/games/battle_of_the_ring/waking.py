"""Armies that wake: the Dead in their Paths, and Fangorn."""

from __future__ import annotations

from functools import partial
from typing import Any

from referee.games.battle_of_the_ring.pieces import NAME, OPTION, PIECES, RING, SHORT
from referee.games.battle_of_the_ring.ring import taken
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import Ask, Bar, Choose, Option, Options, Pick, Procedure, Ruling, section

BACK = Option("moves", "Back to the moves", "Moves")
NO_RING = Bar("BR-X09", "The Ring Bearer is not on Isengard")
NO_PIECE = {p: Bar("BR-X09", f"No {NAME[p]} is on the board", firm=True) for p in PIECES}
NOT_THERE = Bar("BR-X16", "That piece cannot have been on Isengard", aside=True)


OUT = Options(
    (
        ("aragorn", "Aragorn", "Arag."),
        ("army-of-the-dead-1", "1st Army of the Dead", "Dead 1"),
        ("army-of-the-dead-2", "2nd Army of the Dead", "Dead 2"),
    )
)
ISENGARD = Options(
    (
        ("nobody", "Nobody"),
        OPTION["man-orc"],
        OPTION["saruman"],
        OPTION[RING],
        ("left", "It has left Fangorn", "Left"),
        *(OPTION[p] for p in PIECES if p not in ("man-orc", "saruman")),
        BACK,
    )
)


def paths_due(game: RingGame) -> bool:
    """Whether Aragorn and the Dead must have left by now (A-BR17)."""
    return game.seat == "alliance" and game.paths == "aragorn-inside" and bool(inside(game))


def inside(game: RingGame) -> tuple[str, ...]:
    """Return who was in the Paths and is still on the board, one id a piece."""
    aragorn = ("aragorn",) if game.on_board["aragorn"] else ()
    return (*aragorn, *(f"army-of-the-dead-{n + 1}" for n in range(game.on_board["army-of-the-dead"])))


def ask_paths(game: RingGame) -> Ask:
    """Ask who is out."""
    return Pick(
        "end.paths",
        "Who has left the Paths by the south?",
        OUT.only(*inside(game)),
        rule="BR-58",
        head="Paths",
        tag="out?",
    )


def count_paths(game: RingGame, said: dict[str, Any]) -> None:
    """Who is still inside is destroyed and the hex is closed; or Aragorn has just ended a phase there."""
    if game.seat != "alliance":
        return
    if game.paths == "dormant":
        if game.paths_entered and said.get("end.entered") != "no" and game.on_board["aragorn"]:
            game.paths = "aragorn-inside"
            game.remind("BR-58", "Next Movement Phase all three leave by the south, or die")
        return
    if game.paths == "closed":
        return
    out = said.get("end.paths", ())
    lost = [each for each in inside(game) if each not in out] if "end.paths" in said else []
    for each in lost:
        game.lose("aragorn" if each == "aragorn" else "army-of-the-dead")
    game.paths = "closed"
    words = tuple(OUT.by_id[each].text for each in lost)
    game.rule(
        Ruling(
            "paths-closed",
            f"{len(lost)} lost" if lost else "All out",
            ("BR-58", "BR-59"),
            (*(f"{word}: destroyed" for word in words), "The Paths of the Dead are closed"),
            {"lost": lost},
            foot=f"Dead {game.on_board['army-of-the-dead']}",
        )
    )


def leave_fangorn(game: RingGame) -> None:
    """Whoever was in Fangorn is out."""
    if game.gandalf_in == "fangorn":
        game.move_gandalf("none")
    if game.ring_hex == "fangorn" and game.ring_owner == "alliance":
        game.move_ring("ordinary")


def in_fangorn(game: RingGame) -> str:
    """Return who of the Alliance is in Fangorn, if anybody."""
    if game.gandalf_in == "fangorn" and game.on_board["gandalf"]:
        return "gandalf"
    return RING if game.ring_hex == "fangorn" and game.ring_owner == "alliance" else ""


def waking_due(game: RingGame) -> bool:
    """Whether the Fangorn army wakes now (BR-56)."""
    asleep = game.fangorn == "dormant" and game.on_board["fangorn-army"] > 0
    return game.seat == "alliance" and asleep and bool(in_fangorn(game))


def bar_isengard(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece cannot have stood on Isengard."""
    if piece == RING:
        return None if game.ring_hex == "isengard" else NO_RING
    if piece not in PIECES:
        return None
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    return NOT_THERE if game.isengard == "special" and piece not in ("man-orc", "saruman") else None


def ask_isengard(game: RingGame) -> Ask:
    """Ask what the Fangorn army finds."""
    return Choose(
        "end.isengard",
        "Fangorn wakes! What stood on Isengard?",
        ISENGARD,
        partial(bar_isengard, game),
        rule="BR-55",
        head="Isengard",
        tag="who?",
    )


@section("BR-55", "BR-56", "BR-59", title="Fangorn wakes")
def wake_fangorn(game: RingGame) -> Procedure[None]:
    """The army goes to Isengard at once, destroys what is there, and Isengard is ordinary for ever."""
    found = game.entry.said.get("end.isengard")
    if found == "left":
        leave_fangorn(game)
    if found in (None, "left"):
        return
    game.activator = in_fangorn(game) or "none"
    game.fangorn, game.isengard = "active", "ordinary"
    foot = ""
    if found in PIECES:
        before = game.on_board[found]
        game.lose(found)
        foot = f"{SHORT[found]} {before}>{game.on_board[found]}"
    line = f"On Isengard: {ISENGARD.by_id[found].text}"
    game.rule(
        Ruling(
            "fangorn-awake",
            "Fangorn!",
            ("BR-55", "BR-56"),
            (line, "Isengard is an ordinary hex now", "The Fangorn army is Elven and fights"),
            {"isengard": found},
            foot=foot,
        )
    )
    if found == RING and game.ring_owner != "alliance":
        game.move_ring("isengard")
        yield from taken(game, "fangorn-army")
