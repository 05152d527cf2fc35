"""Riddle of the Ring: two to eight players, Hobbits and Black Riders, two Power Plays a turn."""

from referee.games.riddle_of_the_ring.book import BOOK

__all__ = ["BOOK"]
