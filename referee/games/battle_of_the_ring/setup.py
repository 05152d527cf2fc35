"""The checklist before the first turn: what each player puts where (BR-4)."""

from __future__ import annotations

from functools import partial

from referee.games.battle_of_the_ring.pieces import FORCES
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import ANYBODY, Bundle, Choose, Options, Procedure, Short, section

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
    game.begin_phase()


def all_placed(game: RingGame) -> tuple[Bundle, ...]:
    """Offer to answer what is left of the checklist at once."""
    left = len(SIDES) - game.placed
    if left == 1:
        return ()
    return (Bundle("all-placed", "All pieces are placed", ("placed",) * left, "All"),)
