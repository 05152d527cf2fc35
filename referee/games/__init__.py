"""The shelf: one folder a game, one line a game."""

from __future__ import annotations

from importlib import import_module

from referee.errors import UnknownGame
from referee.rulebook import Book

SHELF = {
    "battle-of-the-ring": "referee.games.battle_of_the_ring",
    "war-of-the-ring": "referee.games.war_of_the_ring",
    "riddle-of-the-ring": "referee.games.riddle_of_the_ring",
    "middle-earth-the-wizards": "referee.games.the_wizards",
}
"""Game id -> the module whose ``BOOK`` it is."""


def load(game: str) -> Book:
    """Return the book of a game by its id. Raises UnknownGame."""
    try:
        module = SHELF[game]
    except KeyError:
        raise UnknownGame(f"no game {game!r} on the shelf; there are: {', '.join(SHELF)}") from None
    book = import_module(module).BOOK
    assert isinstance(book, Book)
    return book


def books() -> tuple[Book, ...]:
    """Return every book on the shelf, in its order."""
    return tuple(load(game) for game in SHELF)
