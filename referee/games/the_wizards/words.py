"""Options that several sections share: numbers, signed numbers, people."""

from __future__ import annotations

from functools import lru_cache
from typing import TypedDict

from referee.games.the_wizards.state import WizardsGame
from referee.rulebook import Option, Options, Short


class Wanted(TypedDict):
    """What a `Roll` says of the dice before they fall."""

    need: str
    need_note: str
    foot: tuple[str, str]


@lru_cache(maxsize=256)
def numbers(low: int, high: int, *also: Option, first: int | None = None) -> Options:
    """Return whole numbers as options, then what else can be answered; ``first``: where the numbers begin.

    >>> [option.id for option in numbers(1, 4, first=3)]
    ['3', '4', '1', '2']
    """
    start = low if first is None else first
    return Options((*(Option(str(n), str(n)) for n in (*range(start, high + 1), *range(low, start))), *also))


@lru_cache(maxsize=256)
def signed(*values: int, also: tuple[Option, ...] = ()) -> Options:
    """Return signed numbers as options in the order given, likely ones first, then what else can be answered.

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


def at_least(total: int) -> str:
    """Write the lowest sum of two dice that will do.

    >>> at_least(2), at_least(9), at_least(13)
    ('any', '9+', 'never')
    """
    return ANY if total <= 2 else "never" if total > 12 else f"{total}+"


ANY = Short("any", "any throw")


def points(count: int) -> Short:
    """Write a number of corruption points.

    >>> points(1), points(1).whole
    ('1 CP', '1 corruption point')
    """
    return Short(f"{count} CP", "1 corruption point" if count == 1 else f"{count} corruption points")


def sign(value: int) -> str:
    """Return a number with its sign, 0 without one."""
    return f"{value:+d}" if value else "0"


def spoken(value: int) -> str:
    """Return a number in words that a sentence takes: "4", "minus 3"."""
    return f"minus {-value}" if value < 0 else str(value)


def added(value: int) -> str:
    """Return a modifier in words: "plus 4", "minus 3"."""
    return spoken(value) if value < 0 else f"plus {value}"


def people(game: WizardsGame, *also: Option) -> Options:
    """Return the characters of the company, then what else can be answered."""
    return _people(tuple((c.id, c.name, c.short) for c in game.members), also)


@lru_cache(maxsize=256)
def _people(who: tuple[tuple[str, str, str], ...], also: tuple[Option, ...]) -> Options:
    return Options((*(Option(*each) for each in who), *also))


def values(prowess: int, body: int) -> Short:
    """Return prowess and body as the cards print them: "7/-", "4/7"."""
    return Short(f"{prowess}/{body or '-'}", f"prowess {prowess}, {f'body {body}' if body else 'no body'}")
