"""Battle of the Ring (1977): two or three players, three forces, one Ring."""

from referee.games.battle_of_the_ring.book import BOOK

__all__ = ["BOOK"]
