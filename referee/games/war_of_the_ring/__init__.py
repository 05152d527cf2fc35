"""War of the Ring, second edition: how a battle is resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.war_of_the_ring.battle import battle, elsewhere, play, roll
from referee.games.war_of_the_ring.outlook import ASSUMED, outlook
from referee.games.war_of_the_ring.state import WarGame
from referee.games.war_of_the_ring.tables import RULES, cells
from referee.rulebook import Book, Onward, Switch

__all__ = ["BOOK"]


def start(settings: Mapping[str, Any]) -> WarGame:
    """Return the state before the first question."""
    pays = settings["assault_pays"]
    return WarGame(assault_pays=pays, round_pays=pays, dice_entry=settings["dice_entry"])


FOUGHT = Onward("The round has been fought: whatever this card still does, an assault that cannot go on is over")

BOOK = Book(
    id="war-of-the-ring",
    title="War of the Ring",
    edition="2nd.4",
    start=start,
    play=play,
    covers="its battles, one after another",
    rulings={"battle": battle, "roll": roll},
    switches=(
        Switch(
            "dice_entry", "The keys tell how many dice hit, or the faces of each", ("hits", "faces"), "WR-21", "Dice"
        ),
        Switch(
            "assault_pays",
            "Each further round of an assault costs the attacker an Elite",
            (True, False),
            "WR-50",
            "Assault pays",
            also=("siege_pub",),
        ),
    ),
    foreign="WR-X14",
    foreign_at={"cards.attacker": "WR-X11", "cards.defender": "WR-X11"},
    elsewhere=elsewhere,
    closed="WR-X14",
    onward={
        "army.leadership": Onward("The last number of the Armies: the first round begins, whatever the number is"),
        "casualty": Onward(
            "The other Army has lost its last unit in the same round; these losses must be taken as well"
        ),
        "casualty.replacement": Onward("As `casualty`"),
        **dict.fromkeys(("card.cancel-hits", "card.more-hits", "card.misses", "card.leader", "card.losses"), FOUGHT),
        "card.retreat": FOUGHT._replace(answers=("stay",)),
        "round.cease": Onward("The round has been ruled on; ceasing is one detent away", ("next-round",)),
        "round.retreat": Onward("The attacker goes on; leaving is another answer", ("stand",)),
        "siege.replacement": Onward("The attacker has said that he goes on; it is asked what that costs", ("yes",)),
    },
    rules=RULES,
    tables={"number-to-hit": cells},
    short="WotR",
    outlook=outlook,
    assumes=ASSUMED,
)
