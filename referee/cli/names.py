"""Names as people type them: a part of a game's id is enough where it means one game, and a slip is answered."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee import games
from referee.cli.words import beginning, did_you_mean
from referee.errors import UnknownGame
from referee.rulebook import Book


def meant(name: str, ids: Iterable[str]) -> list[str]:
    """Return the id that a name is, else those of which it begins a word.

    >>> ids = ["battle-of-the-ring", "war-of-the-ring"]
    >>> meant("battle", ids), meant("war-of-the-ring", ids), len(meant("ring", ids)), meant("", ids)
    (['battle-of-the-ring'], ['war-of-the-ring'], 2, [])
    """
    names = list(ids)
    if name in names:
        return [name]
    return [each for each in names if name and re.search(rf"(^|-){re.escape(name)}", each)]


def book_of(name: str) -> Book:
    """Return the game that is meant. Raises UnknownGame."""
    if games.known(name):
        return games.load(name)
    ids = [book.id for book in games.books()]
    fitting = meant(name.lower(), ids)
    if len(fitting) == 1:
        return games.load(fitting[0])
    if fitting:
        raise UnknownGame(f"{name!r} can be {', '.join(fitting[:-1])} or {fitting[-1]}: expected one game")
    try:
        return games.load(name)
    except UnknownGame as unknown:
        near = did_you_mean(name.lower(), [*ids, *(each.partition("-")[0] for each in ids)])
        raise UnknownGame(f"{unknown}{near}") from unknown


def written_out(name: str, known: Iterable[str]) -> str:
    """Return the known name that begins so, where it is the only one; else what was typed, to be refused."""
    fitting = beginning(name, known)
    return fitting[0] if len(fitting) == 1 else name
