"""The shelf: rulebooks by entry point, the referee's own first, then those of other packages.

A package puts a rulebook on the shelf with an entry point of the group ``referee.rulebooks``: the id of the game, and
where its `referee.rulebook.Book` is (docs/rulebook.md). One that cannot be used is named and left out.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from referee.errors import UnknownGame
from referee.rulebook import Book, Label

GROUP = "referee.rulebooks"

SHELF = {
    "battle-of-the-ring": "referee.games.battle_of_the_ring:BOOK",
    "war-of-the-ring": "referee.games.war_of_the_ring:BOOK",
    "riddle-of-the-ring": "referee.games.riddle_of_the_ring:BOOK",
    "middle-earth-the-wizards": "referee.games.the_wizards:BOOK",
}
"""The entry points of this package, as pyproject.toml declares them: known without reading what is installed."""

LABELS = (
    Label("battle-of-the-ring", "Battle of the Ring", "Battle", "The whole game. Single rulings: attack"),
    Label(
        "war-of-the-ring", "War of the Ring", "WotR", "Its battles, one after another. Single rulings: battle, roll"
    ),
    Label("riddle-of-the-ring", "Riddle of the Ring", "Riddle", "The whole game. Single rulings: battle, riddle"),
    Label(
        "middle-earth-the-wizards",
        "Middle-earth: The Wizards",
        "Wizards",
        "Attacks, strikes and checks one by one. Single rulings: strike, body check, corruption check",
    ),
)
"""What the shelf shows of them: a start does not wait until all four games are imported."""


class LeftOut(NamedTuple):
    """A rulebook that cannot be used: the id it claims, the package that brings it, and why."""

    game: str
    package: str
    why: str


def load(game: str) -> Book:
    """Return the book of a game by its id. Raises UnknownGame."""
    if game in SHELF:
        return _loaded(game, SHELF[game])
    others, left_out = _others()
    if game in others:
        return others[game]
    why = next((f"; it was left out: {each.why}" for each in left_out if each.game == game), "")
    there = ", ".join((*SHELF, *others))
    raise UnknownGame(f"no game {game!r} on the shelf{why}; there are: {there}")


def known(game: str) -> bool:
    """Whether a game is on the shelf."""
    return game in SHELF or game in _others()[0]


def books() -> tuple[Book, ...]:
    """Return every book on the shelf: the referee's own in their order, then the others by id."""
    return (*(_loaded(game, where) for game, where in SHELF.items()), *_others()[0].values())


def labels() -> tuple[Label, ...]:
    """Return what a shelf shows of each book, in the order of `books`."""
    return (*LABELS, *(book.label for book in _others()[0].values()))


def left_out() -> tuple[LeftOut, ...]:
    """Return the rulebooks of other packages that cannot be used."""
    return _others()[1]


def _loaded(game: str, where: str) -> Book:
    """Return the book at an entry point. Raises what its import does, TypeError or ValueError for no such book."""
    module, _, name = where.partition(":")
    book = getattr(import_module(module), name or "BOOK")
    if not isinstance(book, Book):
        raise TypeError(f"expected a referee.rulebook.Book at {where}, got {type(book).__name__}")
    if book.id != game:
        raise ValueError(f"expected the id {game!r} as its entry point says, got {book.id!r}")
    return book


@lru_cache(maxsize=1)
def _others() -> tuple[dict[str, Book], tuple[LeftOut, ...]]:
    """Return the books of other packages, and those left out; read once, since nothing is installed meanwhile."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - a game of our own is loaded without it

    shelf: dict[str, Book] = {}
    bad: list[LeftOut] = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        if SHELF.get(point.name) == point.value:
            continue  # this package itself, where it is installed
        package = point.dist.name if point.dist is not None else "?"
        try:
            if point.name in SHELF or point.name in shelf:
                raise ValueError("another rulebook has this id")
            shelf[point.name] = _loaded(point.name, point.value)
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - whatever somebody's code does, the station starts
            bad.append(LeftOut(point.name, package, f"{type(fault).__name__}: {fault}"))
    return shelf, tuple(bad)
