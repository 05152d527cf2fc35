"""How a battle will come out."""

from __future__ import annotations

from referee.games.war_of_the_ring.state import WarGame
from referee.rulebook import Odds


def outlook(game: WarGame) -> Odds | None:
    """Return the odds of the whole battle."""
    del game
    return None
