"""The base class of a game's state, and what the judge may set in it.

All state lives in the fields of a `Game`; a procedure keeps none in local variables across a ``yield``. The state
must survive ``pickle``, and equal states must compare equal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from types import TracebackType
from typing import Any, ClassVar, NamedTuple

from referee.errors import Malformed
from referee.rulebook.asks import shown
from referee.rulebook.rulings import Event, Over, Reminder, Ruling
from referee.rulebook.wording import whole

ANYBODY = "table"
"""The seat of a question that whoever is at the table may answer."""


class Milestone:
    """Yielded by a procedure where the game can be resumed from its state alone (a turn's start)."""

    __slots__ = ()


MILESTONE = Milestone()


class Dropped(Exception):
    """Thrown into a procedure when the players take back an action that has not been counted yet."""


class Conceded(Exception):
    """Thrown into a procedure when the seat it was asking has given up."""


class Range(NamedTuple):
    """The whole numbers the judge may set a counter to, both ends included.

    ``name``: what people call the counter, where its path does not say.
    """

    low: int
    high: int
    name: str = ""

    def check(self, path: str, value: object) -> int:
        """Return the value, or raise Malformed saying what was expected."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise Malformed(f"{path}: expected {self.low} to {self.high}, got {shown(value)}", "correction")
        return value


class OneOf(NamedTuple):
    """The values the judge may set a field to. ``name``: what people call the field, where its path does not say."""

    values: tuple[Any, ...]
    name: str = ""

    def check(self, path: str, value: object) -> Any:
        """Return the value, or raise Malformed saying what was expected."""
        for each in self.values:
            if type(each) is type(value) and each == value:
                return each
        names = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in self.values)
        raise Malformed(f"{path}: expected one of {names}; got {shown(value)}", "correction")


Limits = Range | OneOf


class Pool(NamedTuple):
    """A counter people watch.

    ``side``   id of the seat it belongs to, or any name for what belongs to none
    ``value``  what it counts now, at most ``cap``
    """

    id: str
    name: str
    side: str
    value: int
    cap: int


class Attempt:
    """An action the players may still drop; used as ``with Attempt(game):`` around a section of a menu.

    Answering ``back`` leaves the block with nothing spent, until the section calls `Game.counted`.
    """

    __slots__ = ("game",)

    def __init__(self, game: Game) -> None:
        self.game = game

    def __enter__(self) -> None:
        self.game.attempts.append(True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.game.attempts.pop()
        return kind is Dropped


@dataclass
class Game:
    """State every game has. Subclasses add their own fields, all with defaults.

    ``seat``      whose turn it is: who answers when a question names nobody
    ``over``      set once the game has ended
    ``conceded``  seats that have given up, in that order
    ``outbox``    rulings and reminders of the answer under way, which `Play` collects
    ``attempts``  for each open `Attempt`, outermost first, whether ``back`` still drops it
    """

    seat: str = ANYBODY
    over: Over | None = None
    conceded: list[str] = field(default_factory=list)
    outbox: list[Event] = field(default_factory=list, repr=False, compare=False)
    attempts: list[bool] = field(default_factory=list, repr=False, compare=False)

    correctable: ClassVar[Mapping[str, Limits]] = {}
    """Dotted paths the judge may set, with their limits."""

    def rule(self, ruling: Ruling) -> None:
        """Give a ruling: it is shown and recorded with the answer under way."""
        self.outbox.append(ruling)

    def remind(self, rule: str, text: str) -> None:
        """Show a reminder at its moment."""
        self.outbox.append(Reminder(rule, text))

    def counted(self) -> None:
        """Say that the action under way is spent: from here on ``back`` no longer drops it, only undo does."""
        if self.attempts:
            self.attempts[-1] = False

    def place(self) -> tuple[str, ...]:
        """Return the step of the sequence of play, outermost first ("Round 2", "Sauron", "Attack")."""
        return ()

    def seats(self) -> Mapping[str, str]:
        """Return the names of the seats by their ids, in the order round the table."""
        return {}

    def short_names(self) -> Mapping[str, str]:
        """Return shorter names of seats by their ids, for where the glass has no room for the whole one."""
        return {}

    def pools(self) -> tuple[Pool, ...]:
        """Return the counters shown beside the glass."""
        return ()

    def status(self) -> str:
        """Return a few letters for the foot of the idle screen ("Orc 25")."""
        return ""

    def concede(self, seat: str) -> None:
        """Take note that a seat has given up. Games end it or play on; the default only writes it down."""
        self.conceded.append(seat)

    def corrected(self) -> None:
        """Look at the state after the judge has set it: announce the end and set ``over`` where it is one now."""

    def as_json(self) -> dict[str, Any]:
        """Return the fields of the state as JSON values, without ``outbox`` and ``attempts``."""
        skip = {"outbox", "attempts"}
        state = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in skip}
        plain: dict[str, Any] = json.loads(json.dumps(state, default=_plain))
        return plain

    def checked(self, path: str, value: object) -> Any:
        """Return what a correctable field would be set to. Raises Malformed (``correction``)."""
        limits = self.correctable.get(path)
        if limits is None:
            known = ", ".join(self.correctable)
            raise Malformed(f"nothing called {shown(path)} can be set; known: {known}", "correction")
        checked = limits.check(path, value)
        why = self.locked(path)
        if why:
            raise Malformed(f"{whole(self.called(path))} cannot be set now: {why}", "correction")
        return checked

    def locked(self, path: str) -> str:
        """Return why the judge cannot set a correctable field now, since it would change nothing; "" if they can."""
        del path
        return ""

    def correct(self, path: str, value: object) -> None:
        """Set a correctable field. Raises Malformed (``correction``) with nothing changed."""
        checked = self.checked(path, value)
        holder, last = self._holder(path)
        _set(holder, last, checked)

    def called(self, path: str) -> str:
        """Return what people call a correctable field: the name its limits give it, else what its path says.

        The path must be one of ``correctable``.
        """
        return self.correctable[path].name or _words(path)

    def read(self, path: str) -> Any:
        """Return the value of a correctable field; the path must be one of ``correctable``."""
        holder, last = self._holder(path)
        return _get(holder, last)

    def _holder(self, path: str) -> tuple[Any, str]:
        *way, last = path.split(".")
        here: Any = self
        for step in way:
            here = _get(here, step)
        return here, last


def _words(path: str) -> str:
    """Return a path as people read it.

    >>> _words("pools.man-orc"), _words("elven_stay.3")
    ('man orc', 'elven stay 3')
    """
    head, _, last = path.rpartition(".")
    name = f"{head} {last}" if last.isdigit() else last
    return name.replace("_", " ").replace("-", " ").replace(".", " ")


def _get(holder: Any, key: str) -> Any:
    if isinstance(holder, dict):
        return holder[key]
    if isinstance(holder, list):
        return holder[int(key)]
    return getattr(holder, key)


def _set(holder: Any, key: str, value: Any) -> None:
    if isinstance(holder, dict):
        holder[key] = value
    elif isinstance(holder, list):
        holder[int(key)] = value
    else:
        setattr(holder, key, value)


def _plain(value: Any) -> Any:
    """Return as JSON has it what it has no name for: a dataclass, or a set in order."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else sorted(value)
