"""The wish: all that a hall says of one table, always complete, so a box that missed one needs only the next.

Names of players in it are shown on the glass; no file of the box keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypeVar, get_type_hints

from referee.errors import WHOLE, Malformed

PLAYERS: Final = 12
"""Players of one table at most."""
LETTERS: Final = 100
"""Letters of a name, of a side, of a kind of win, and of who decided, at most."""
TEXT: Final = 2000
"""Letters of what the desk says at most."""
ORDERS: Final = 64
"""Decisions about one table at most."""
KINDS: Final = ("call", "slip", "challenge")
"""What a table says to the desk."""

_LINE: Final = re.compile(r"[^\x00-\x1f\x7f]*")
_HASH: Final = re.compile(r"[0-9a-f]{64}")

T = TypeVar("T")

Form: TypeAlias = Callable[[Any], Any]
"""Returns a value from outside as it must be. Raises Malformed saying what was expected."""


def _whole(least: int = 0, most: int = WHOLE) -> Form:
    def whole(value: object) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise Malformed(f"expected a whole number from {least} to {most}")

    return whole


def _text(most: int) -> Form:
    def text(value: object) -> str:
        if isinstance(value, str) and len(value) <= most and _LINE.fullmatch(value):
            return value
        raise Malformed(f"expected at most {most} letters of one line")

    return text


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise Malformed("expected true or false")


def _list(most: int, form: Form) -> Form:
    def items(value: object) -> tuple[Any, ...]:
        if isinstance(value, list) and len(value) <= most:
            return tuple(map(form, value))
        raise Malformed(f"expected a list of at most {most}")

    return items


def _maybe(form: Form) -> Form:
    return lambda value: None if value is None else form(value)


def _object(kind: type[Any]) -> Form:
    return lambda value: _read(kind, value)


@lru_cache
def _forms(kind: type) -> dict[str, Form]:
    """Return the form of each member of an object, as its annotations say."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def _members(kind: type, value: object) -> dict[str, Any]:
    """Return the members of an object from outside; others are left alone. Raises Malformed naming one."""
    if not isinstance(value, Mapping):
        raise Malformed("expected an object")
    members = {}
    for name, form in _forms(kind).items():
        if name not in value:
            raise Malformed(f"{name}: expected, and not there")
        try:
            members[name] = form(value[name])
        except Malformed as fault:
            raise Malformed(f"{name}: {fault.text}") from fault
    return members


def _read(kind: type[T], value: object) -> T:
    return kind(**_members(kind, value))


Count: TypeAlias = Annotated[int, _whole()]
Number: TypeAlias = Annotated[int, _whole(1)]
Name: TypeAlias = Annotated[str, _text(LETTERS)]
Flag: TypeAlias = Annotated[bool, _flag]


class Player(NamedTuple):
    """Somebody at this table. ``side``: of the first game, "" where sides are of no matter."""

    number: Number
    name: Name
    side: Name = ""


class Seating(NamedTuple):
    """Where a box stands, and for what.

    ``round``    0 before the first
    ``table``    0 for a box that stands nowhere
    ``players``  by seat; nobody while the table has no match
    ``games``    1: one game a match, 2: each side once, 3: best of three
    ``wins``     kinds of win that are told apart; ``split``: tournament points of a game, 0 if it is not split
    ``drawn``    whether a match may be drawn; ``stops``: whether a call for a judge stops the clocks
    """

    round: Count
    table: Count
    players: Annotated[tuple[Player, ...], _list(PLAYERS, _object(Player))] = ()
    games: Annotated[int, _whole(1, 3)] = 1
    wins: Annotated[tuple[str, ...], _list(PLAYERS, _text(LETTERS))] = ()
    split: Annotated[int, _whole(0, 1000)] = 0
    drawn: Flag = True
    stops: Flag = False

    @property
    def match(self) -> Seating:
        """What a result belongs to: it without names, and without what says nothing of results."""
        return self.nameless._replace(stops=False)

    @property
    def nameless(self) -> Seating:
        """It without names."""
        return self._replace(players=tuple(each._replace(name="") for each in self.players))


class Order(NamedTuple):
    """What was decided at the desk about this table.

    ``number``  of the act at the hall; ``what``: its kind; ``ms``: of an extension; ``by``: who, by role and number
    """

    number: Number
    what: Name
    ms: Annotated[int, _whole(-WHOLE)]
    by: Name
    text: Annotated[str, _text(TEXT)]


class Time(NamedTuple):
    """How the clock of the round stands when this is said.

    ``number``  changes whenever anything but the time has changed
    ``left``    ms until time is called, below 0 afterwards; ``runs``: whether it runs, or is paused for all
    ``then``    what a table does when time is called, in words
    """

    number: Count
    round: Number
    left: Annotated[int, _whole(-WHOLE)]
    runs: Flag
    then: Name


class Have(NamedTuple):
    """What the hall has of a game. ``game``: hash of its entry 0; ``last``: its last entry there, -1: none.

    ``hash``: of that entry, "" where there is none
    """

    game: Annotated[str, _text(64)]
    last: Annotated[int, _whole(-1)]
    hash: Annotated[str, _text(64)]

    @classmethod
    def from_json(cls, value: object) -> Have:
        """Return what an object says. Raises Malformed."""
        have = _read(cls, value)
        if not _HASH.fullmatch(have.game) or not (_HASH.fullmatch(have.hash) if have.last >= 0 else have.hash == ""):
            raise Malformed("game, hash: expected 64 lower-case hex digits")
        return have


class Continues(NamedTuple):
    """The game of another box with which a spare goes on, and the notes beside it, None: there are none.

    ``number``: of the act at the hall
    """

    number: Number
    game: Annotated[Have, Have.from_json]
    notes: Annotated[Have | None, _maybe(Have.from_json)]

    @classmethod
    def from_json(cls, value: object) -> Continues:
        """Return what an object says. Raises Malformed."""
        return _read(cls, value)


class Wish(NamedTuple):
    """All that a hall says of one table.

    ``orders``    what was decided about it in this round
    ``time``      None without a clock
    ``have``      what the hall has of the game that this box plays, None: it plays none
    ``continues`` what this box goes on with in the place of another, None: with nothing
    ``replaced``  table that a spare took over from this box, 0: none
    ``total``     entries that the hall has of this box, of all games
    """

    seating: Seating
    orders: Annotated[tuple[Order, ...], _list(ORDERS, _object(Order))] = ()
    time: Annotated[Time | None, _maybe(_object(Time))] = None
    have: Annotated[Have | None, _maybe(Have.from_json)] = None
    continues: Annotated[Continues | None, _maybe(Continues.from_json)] = None
    replaced: Count = 0
    total: Count = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object, the seating with the rest."""
        members: dict[str, Any] = _plain(self)
        return {**members.pop("seating"), **members}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Wish:
        """Return what an object says; members that nobody here knows are left alone. Raises Malformed."""
        return cls(_read(Seating, value), **_members(cls, value))


NOWHERE: Final = Wish(Seating(0, 0))
"""What a hall says to a box that stands at no table."""


def short(certificate: str) -> str:
    """Return what people compare of a certificate, on the glass and at the desk.

    >>> short("3fa9c01b7e4d55")
    '3fa9c 01b7e'
    """
    return f"{certificate[:5]} {certificate[5:10]}"


def _plain(value: object) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, tuple):
        named = getattr(value, "_asdict", None)
        return {name: _plain(each) for name, each in named().items()} if named else [*map(_plain, value)]
    return value
