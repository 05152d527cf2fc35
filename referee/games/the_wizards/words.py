"""Options and bars that several sections share: numbers, signed numbers, people."""

from __future__ import annotations

from functools import lru_cache

from referee.games.the_wizards.state import WizardsGame
from referee.rulebook import Option, Options

STATUS = Option("status", "Tap, wound, heal ...", "Status")
DONE = Option("done", "Done")


@lru_cache(maxsize=256)
def numbers(low: int, high: int, *also: Option) -> Options:
    """Return whole numbers as options, low first, then what else can be said there."""
    return Options((*(Option(str(n), str(n)) for n in range(low, high + 1)), *also))


@lru_cache(maxsize=256)
def signed(*values: int, also: tuple[Option, ...] = ()) -> Options:
    """Return signed numbers as options, in the order given: the likely ones go under the first keys.

    >>> [option.id for option in signed(1, -1, 0)]
    ['+1', '-1', '0']
    """
    return Options((*(Option(sign(n), sign(n)) for n in values), *also))


def strikes(count: int) -> str:
    """Write a number of strikes.

    >>> strikes(1), strikes(2)
    ('1 strike', '2 strikes')
    """
    return f"{count} strike" if count == 1 else f"{count} strikes"


def sign(value: int) -> str:
    """Return a number with its sign, 0 without one."""
    return f"{value:+d}" if value else "0"


def people(game: WizardsGame, *also: Option) -> Options:
    """Return the characters of the company, and what else can be said there."""
    return _people(tuple((c.id, c.name, c.short) for c in game.members), also)


@lru_cache(maxsize=256)
def _people(who: tuple[tuple[str, str, str], ...], also: tuple[Option, ...]) -> Options:
    return Options((*(Option(*each) for each in who), *also))


def values(prowess: int, body: int) -> str:
    """Return "7/-" or "4/7"."""
    return f"{prowess}/{body or '-'}"
