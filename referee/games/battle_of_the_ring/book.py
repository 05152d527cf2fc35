"""The book: switches, the whole game, the single ruling."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from referee.games.battle_of_the_ring import crt
from referee.games.battle_of_the_ring.attack import attack_phase
from referee.games.battle_of_the_ring.building import building_phase
from referee.games.battle_of_the_ring.movement import movement_phase
from referee.games.battle_of_the_ring.rules import RULES
from referee.games.battle_of_the_ring.setup import setup
from referee.games.battle_of_the_ring.single import single_attack
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import MILESTONE, Book, Conceded, Onward, Procedure, Switch, section

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
    closed="BR-X20",
    onward={"setup.alliance": Onward("The last line of the setup: nobody has a turn yet")},
    rules=RULES,
    tables={"combat-results": crt.cells},
    short="Battle",
)
