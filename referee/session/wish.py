"""What a hall wishes of one table, as both have it: the whole of it, so that whoever was away reads one and is right.

Names of players are for the glass alone; no journal has them, nor the file beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from referee.clock.settings import Settings
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


class Player(NamedTuple):
    """Somebody at this table. ``side``: of the first game, "" where sides are of no matter."""

    number: int
    name: str
    side: str = ""


class Seating(NamedTuple):
    """Where a box stands, and for what.

    ``round``    0 before the first
    ``table``    0 for a box that stands nowhere
    ``players``  by seat; nobody while the table has no match
    ``games``    1: one game a match, 2: each side once, 3: best of three
    ``wins``     kinds of win that are told apart; ``split``: tournament points of a game, 0 if it is not split
    ``drawn``    whether a match may be drawn; ``stops``: whether a call for a judge stops the clocks
    ``clock``    how the seats keep time in games that begin from here on, None: as this box is configured
    """

    round: int
    table: int
    players: tuple[Player, ...] = ()
    games: int = 1
    wins: tuple[str, ...] = ()
    split: int = 0
    drawn: bool = True
    stops: bool = False
    clock: Settings | None = None

    @property
    def match(self) -> Seating:
        """What a result belongs to: it without names, and without what says nothing of results."""
        return self.nameless._replace(stops=False, clock=None)

    @property
    def nameless(self) -> Seating:
        """It without names."""
        return self._replace(players=tuple(each._replace(name="") for each in self.players))


class Order(NamedTuple):
    """What was decided at the desk about this table.

    ``number``  of the act at the hall; ``what``: its kind; ``ms``: of an extension; ``by``: who, by role and number
    """

    number: int
    what: str
    ms: int
    by: str
    text: str


class Time(NamedTuple):
    """How the clock of the round stands when this is said.

    ``number``  changes whenever anything but the time has changed
    ``left``    ms until time is called, below 0 afterwards; ``runs``: whether it runs, or is paused for all
    ``then``    what a table does when time is called, in words
    """

    number: int
    round: int
    left: int
    runs: bool
    then: str


class Have(NamedTuple):
    """What the hall has of a game. ``game``: hash of its entry 0; ``last``: its last entry there, -1: none.

    ``hash``: of that entry, "" where there is none
    """

    game: str
    last: int
    hash: str

    @classmethod
    def from_json(cls, value: object) -> Have:
        """Return what an object says. Raises Malformed."""
        return _have(value)


class Continues(NamedTuple):
    """The game of another box with which a spare goes on, and the notes beside it, None: there are none.

    ``number``: of the act at the hall
    """

    number: int
    game: Have
    notes: Have | None

    @classmethod
    def from_json(cls, value: object) -> Continues:
        """Return what an object says. Raises Malformed."""
        said = _Members(value)
        return cls(said.whole("number", 1), said.object("game", _have), said.maybe("notes", _have))


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
    orders: tuple[Order, ...] = ()
    time: Time | None = None
    have: Have | None = None
    continues: Continues | None = None
    replaced: int = 0
    total: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        clock = self.seating.clock
        return {
            **self.seating._asdict(),
            "players": [each._asdict() for each in self.seating.players],
            "clock": None if clock is None else clock.as_json(),
            "orders": [each._asdict() for each in self.orders],
            "time": _plain(self.time),
            "have": _plain(self.have),
            "continues": _plain(self.continues),
            "replaced": self.replaced,
            "total": self.total,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Wish:
        """Return what an object says; members that nobody here knows are left alone. Raises Malformed."""
        said = _Members(value)
        return cls(
            Seating(
                said.whole("round"),
                said.whole("table"),
                said.list("players", PLAYERS, _player),
                said.whole("games", 1, 3),
                said.list("wins", PLAYERS, lambda each: _text("wins", each, LETTERS)),
                said.whole("split", 0, 1000),
                said.flag("drawn"),
                said.flag("stops"),
                said.maybe("clock", Settings.from_json),
            ),
            said.list("orders", ORDERS, _order),
            said.maybe("time", _time),
            said.maybe("have", _have),
            said.maybe("continues", Continues.from_json),
            said.whole("replaced"),
            said.whole("total"),
        )


NOWHERE: Final = Wish(Seating(0, 0))
"""What a hall says to a box that stands at no table."""


class _Members:
    """The members of an object from outside; each is returned as it must be, or Malformed says what was expected."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, Mapping):
            raise Malformed("expected an object")
        self._value = value

    def _of(self, name: str) -> Any:
        if name not in self._value:
            raise Malformed(f"{name}: expected, and not there")
        return self._value[name]

    def whole(self, name: str, least: int = 0, most: int = WHOLE) -> int:
        value = self._of(name)
        if type(value) is int and least <= value <= most:
            return value
        raise Malformed(f"{name}: expected a whole number from {least} to {most}")

    def flag(self, name: str) -> bool:
        value = self._of(name)
        if isinstance(value, bool):
            return value
        raise Malformed(f"{name}: expected true or false")

    def text(self, name: str, most: int) -> str:
        return _text(name, self._of(name), most)

    def list(self, name: str, most: int, item: Callable[[Any], T]) -> tuple[T, ...]:
        value = self._of(name)
        if isinstance(value, list) and len(value) <= most:
            return tuple(map(item, value))
        raise Malformed(f"{name}: expected a list of at most {most}")

    def object(self, name: str, read: Callable[[Any], T]) -> T:
        try:
            return read(self._of(name))
        except Malformed as fault:
            raise Malformed(f"{name}: {fault.text}") from fault

    def maybe(self, name: str, read: Callable[[Any], T]) -> T | None:
        return None if self._of(name) is None else self.object(name, read)


def short(certificate: str) -> str:
    """Return what people compare of a certificate, on the glass and at the desk.

    >>> short("3fa9c01b7e4d55")
    '3fa9c 01b7e'
    """
    return f"{certificate[:5]} {certificate[5:10]}"


def _plain(value: object) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, (Time, Have, Continues)):
        return {name: _plain(each) for name, each in value._asdict().items()}
    return value


def _text(name: str, value: object, most: int) -> str:
    if isinstance(value, str) and len(value) <= most and _LINE.fullmatch(value):
        return value
    raise Malformed(f"{name}: expected at most {most} letters of one line")


def _player(value: object) -> Player:
    said = _Members(value)
    return Player(said.whole("number", 1), said.text("name", LETTERS), said.text("side", LETTERS))


def _order(value: object) -> Order:
    said = _Members(value)
    words = said.text("what", LETTERS), said.whole("ms", -WHOLE), said.text("by", LETTERS), said.text("text", TEXT)
    return Order(said.whole("number", 1), *words)


def _time(value: object) -> Time:
    said = _Members(value)
    return Time(
        said.whole("number"),
        said.whole("round", 1),
        said.whole("left", -WHOLE),
        said.flag("runs"),
        said.text("then", LETTERS),
    )


def _have(value: object) -> Have:
    said = _Members(value)
    have = Have(said.text("game", 64), said.whole("last", -1), said.text("hash", 64))
    if not _HASH.fullmatch(have.game) or not (_HASH.fullmatch(have.hash) if have.last >= 0 else have.hash == ""):
        raise Malformed("game, hash: expected 64 lower-case hex digits")
    return have
