"""Names of games as people type them: a slip is answered."""

from __future__ import annotations

from referee import games
from referee.cli.words import did_you_mean
from referee.errors import UnknownGame
from referee.rulebook import Book


def book_of(name: str) -> Book:
    """Return a game. Raises UnknownGame."""
    try:
        return games.load(name)
    except UnknownGame as unknown:
        ids = [book.id for book in games.books()]
        parts = [each for each in ids if name and name.lower() in each.split("-")]
        near = f"; did you mean {' or '.join(map(repr, parts))}?" if parts else did_you_mean(name.lower(), ids)
        raise UnknownGame(f"{unknown}{near}") from unknown
