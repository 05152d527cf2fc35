"""Middle-earth: The Wizards: combat and corruption of one company at a time."""

from referee.games.the_wizards.book import BOOK

__all__ = ["BOOK"]
