"""The book: switches, the whole game, the single ruling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.battle_of_the_ring.attack import attack_phase, single_attack
from referee.games.battle_of_the_ring.rules import RULES
from referee.games.battle_of_the_ring.setup import setup
from referee.games.battle_of_the_ring.state import Ended, RingGame
from referee.rulebook import MILESTONE, Book, Choose, Conceded, Procedure, Switch, section

PHASES = {"attack": attack_phase}


@section("BR-2", title="Battle of the Ring")
def play(game: RingGame) -> Procedure[None]:
    """Setup, then phase after phase until somebody wins."""
    try:
        while True:
            yield MILESTONE
            try:
                if game.phase == "setup":
                    yield from setup(game)
                    continue
                if game.phase in PHASES:
                    yield from PHASES[game.phase](game)
                else:
                    yield Choose("phase.menu", "Done?", (("done", "Done"),), passing="done")  # type: ignore[arg-type]
            except Conceded:
                if game.seat not in game.conceded:
                    continue  # another seat was asked: the phase stands where it stood
            game.next_phase()
    except Ended:
        return


def start(settings: Mapping[str, Any]) -> RingGame:
    """Return the state before the first question."""
    return RingGame(
        players=settings["players"],
        evil_pact=settings["evil_pact"],
        crowns={"harad": settings["crowns-harad"], "iron-mountains": settings["crowns-iron-mountains"]},
    )


BOOK = Book(
    id="battle-of-the-ring",
    title="Battle of the Ring",
    edition="1977.1",
    start=start,
    play=play,
    rulings={"attack": single_attack},
    switches=(
        Switch("players", "How many players", (3, 2), "BR-1"),
        Switch("evil_pact", "Three players: may the Nazgûl help Saruman's pieces?", (False, True), "BR-47"),
        Switch("crowns-harad", "Crowns the map shows in Harad", (1, 2), "BR-24"),
        Switch("crowns-iron-mountains", "Crowns the map shows in the Iron Mountains", (1, 2), "BR-24"),
    ),
    foreign="BR-X01",
    closed="BR-X20",
    rules=RULES,
    short="Ring 1977",
)
