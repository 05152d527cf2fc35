"""War of the Ring, second edition: how a battle is resolved."""

from referee.games.war_of_the_ring.book import BOOK

__all__ = ["BOOK"]
