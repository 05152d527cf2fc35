"""Names as people type them: a part of a game's id is enough where it means one game, and a slip is answered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from referee import games
from referee.errors import UnknownGame
from referee.rulebook import Book


def meant(name: str, ids: Iterable[str]) -> str | None:
    """Return the one id that a name is, or of which it begins a word; None if there is none, or more than one.

    >>> ids = ["battle-of-the-ring", "war-of-the-ring"]
    >>> ids = ["battle-of-the-ring", "war-of-the-ring"]
    >>> meant("battle", ids), meant("ring", ids)
    ('battle-of-the-ring', None)
    """
    ids = list(ids)
    if name in ids:
        return name
    fitting = [each for each in ids if name and re.search(rf"(^|-){re.escape(name)}", each)]
    return fitting[0] if len(fitting) == 1 else None


def book_of(name: str) -> Book:
    """Return the game that is meant. Raises UnknownGame."""
    if games.known(name):
        return games.load(name)
    ids = [book.id for book in games.books()]
    known = meant(name.lower(), ids)
    if known is not None:
        return games.load(known)
    try:
        return games.load(name)
    except UnknownGame as unknown:
        words = {word: each for each in ids for word in (each, each.partition("-")[0])}
        near = get_close_matches(name.lower(), words, n=1)
        raise UnknownGame(f"{unknown}; did you mean {words[near[0]]!r}?" if near else str(unknown)) from unknown
