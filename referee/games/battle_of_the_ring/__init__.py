"""Battle of the Ring (1977): two or three players, three forces, one Ring."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from referee.games.battle_of_the_ring import crt
from referee.games.battle_of_the_ring.attack import attack_phase, single_attack
from referee.games.battle_of_the_ring.building import building_phase
from referee.games.battle_of_the_ring.movement import movement_phase
from referee.games.battle_of_the_ring.pieces import FORCES, RULES, THE
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import (
    ANYBODY,
    MILESTONE,
    Book,
    Bundle,
    Choose,
    Conceded,
    Onward,
    Options,
    Procedure,
    Short,
    Switch,
    section,
)
from referee.rulebook.asks import Among

__all__ = ["BOOK"]

PHASES = {
    "building": building_phase,
    "first-movement": movement_phase,
    "attack": attack_phase,
    "second-movement": movement_phase,
}


@section("BR-2", "BR-3", "BR-5", "BR-6", "BR-7", "BR-8", title="Battle of the Ring")
def play(game: RingGame) -> Procedure[None]:
    """Setup, then phase after phase until somebody wins; every phase can be resumed from the state alone."""
    if game.phase == "setup":
        yield from setup(game)
    while True:
        yield MILESTONE
        with suppress(Conceded):
            yield from PHASES[game.phase](game)
        if game.over is not None:  # won in what counts at the end of a phase
            return
        game.next_phase()


def start(settings: Mapping[str, Any]) -> RingGame:
    """Return the state before the first question."""
    return RingGame(
        players=settings["players"],
        evil_pact=settings["evil_pact"],
        crowns={"harad": settings["crowns[harad]"], "iron-mountains": settings["crowns[iron-mountains]"]},
    )


HERE = {"attack.attacker": "BR-X12", "build.nation": "BR-X07", "ring.captor": "BR-X21"}
"""What a question answers to an own piece that it does not take."""


def elsewhere(game: RingGame, ask: Among, entry: str) -> str:
    """Return the refusal code of an entry that is no option of the question: of another phase, or another's piece."""
    if entry in ("build", "move", "attack"):
        return "BR-X02" if entry == "build" and game.round_one else "BR-X01"
    if entry not in THE:
        return ""
    foreign = game.seat not in (ANYBODY, game.force_of(entry))
    return "BR-X01" if foreign else HERE.get(ask.key, "")


BOOK = Book(
    id="battle-of-the-ring",
    title="Battle of the Ring",
    edition="1977.2",
    start=start,
    play=play,
    rulings={"attack": single_attack},
    switches=(
        Switch("players", "How many players", (3, 2), "BR-1"),
        Switch("evil_pact", "Three players: may the Nazgûl help Saruman's pieces?", (False, True), "BR-47"),
        Switch("crowns[harad]", "Crowns the map shows in Harad", (1, 2), "BR-24", "Harad", ("crowns-harad",)),
        Switch(
            "crowns[iron-mountains]",
            "Crowns the map shows in the Iron Mountains",
            (1, 2),
            "BR-24",
            "Iron Mts",
            ("crowns-iron-mountains",),
        ),
    ),
    foreign="BR-X01",
    elsewhere=elsewhere,
    closed="BR-X20",
    onward={"setup.alliance": Onward("The last line of the setup: nobody has a turn yet")},
    rules=RULES,
    tables={"combat-results": crt.cells},
    short="Battle",
)


# -- the checklist before the first turn: what each player puts where (BR-4)

PLACED = Options((("placed", "Placed"),))

LISTS = {
    "sauron": (
        Short("Sauron: 25 Orcs, Nazgûl", "Has Sauron placed 25 Orcs and Nazgûl?"),
        ("25 Orcs: red stars and red crowns", "Nazgûl: hex N"),
    ),
    "saruman": (
        Short("Saruman: 10 Man-Orcs, Saruman", "Has Saruman placed 10 Man-Orcs and the piece Saruman?"),
        ("10 Man-Orcs: black stars", "Saruman: Isengard"),
    ),
    "alliance": (
        Short(
            "Alliance: 28 armies, 2 characters, the Ring",
            "Has the Alliance placed 28 armies, 2 characters and the Ring?",
        ),
        (
            "2 Hobbits: blue triangles, Shire",
            "3 Dwarves: blue squares and crown, Lonely and Iron Mountains",
            "6 Elves: yellow hexes; agree which is Elven hex 1 to 6",
            "6 Rohan: blue circles and crowns",
            "8 Gondor: blue stars and crowns",
            "Aragorn: hex A; Gandalf: hex G",
            "Fangorn army: Fangorn; 2 Dead: Paths of the Dead",
            "Ring Bearer: Shire, hex R",
        ),
    ),
}
SIDES = tuple(LISTS)
NOTES = {side: tuple(("BR-4", line) for line in lines) for side, (_, lines) in LISTS.items()}


@section("BR-1", "BR-2", "BR-4", title="Setup")
def setup(game: RingGame) -> Procedure[None]:
    """One question a player; the first offers to answer them all."""
    while game.placed < len(SIDES):
        side = SIDES[game.placed]
        yield Choose(
            f"setup.{side}",
            LISTS[side][0],
            PLACED,
            default="placed",
            seat=ANYBODY,
            rule="BR-4",
            head="Setup",
            tag=f"{game.placed + 1}/{len(SIDES)}",
            notes=NOTES[side],
            bundles=partial(all_placed, game),
        )
        game.placed += 1
    game.seat = next(force for force in FORCES[game.players] if force not in game.conceded)
    game.phase = "building"
    game.remind("BR-20", RULES["BR-20"])
    game.begin_phase()


def all_placed(game: RingGame) -> tuple[Bundle, ...]:
    """Offer to answer what is left of the checklist at once."""
    left = len(SIDES) - game.placed
    if left == 1:
        return ()
    return (Bundle("all-placed", "All pieces are placed", ("placed",) * left, "All"),)
