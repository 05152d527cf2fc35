"""What every act is: data with who did it, why and when, and a pure function from one event to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass, replace
from functools import lru_cache
from types import UnionType
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints

from referee.errors import WHOLE, Malformed
from referee.tournament.event import Event, Pairing, Player, Round, not_now
from referee.tournament.words import listed

T = TypeVar("T")


def from_json(kind: type[T], value: object, where: str = "") -> T:
    """Return the dataclass that a JSON object describes; what is left out has its default. Raises Malformed."""
    if not isinstance(value, Mapping):
        raise Malformed(f"{where or kind.__name__}: expected an object, got {type(value).__name__}")
    shape: Any = kind
    types = _types(shape)
    for name in value:
        if name not in types:
            raise Malformed(f"{_path(where, str(name)[:40])}: not known; expected {', '.join(types) or 'nothing'}")
    missing = [f.name for f in fields(shape) if f.default is MISSING and f.name not in value]
    if missing:
        raise Malformed(f"{where or kind.__name__}: expected {', '.join(missing)} too")
    read: T = shape(**{name: _read(types[name], item, _path(where, name)) for name, item in value.items()})
    return read


def _read(kind: Any, value: object, where: str) -> Any:
    if get_origin(kind) is UnionType:
        return None if value is None else _read(get_args(kind)[0], value, where)
    if is_dataclass(kind):
        return from_json(kind, value, where)  # type: ignore[arg-type]
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple)):
            raise Malformed(f"{where}: expected a list, got {type(value).__name__}")
        return tuple(_read(get_args(kind)[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise Malformed(f"{where}: expected one of {', '.join(get_args(kind))}; got {value!r:.40}")
        return value
    return _scalar(kind, value, where)


def _scalar(kind: Any, value: object, where: str) -> object:
    if type(value) is not kind or (type(value) is int and not -WHOLE < value < WHOLE):
        names = {int: "a whole number below 2**53", str: "text", bool: "true or false"}
        raise Malformed(f"{where}: expected {names[kind]}, got {value!r:.40}")
    return value


@lru_cache(maxsize=256)
def _types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in fields(kind)}


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


A = TypeVar("A", bound="Act")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act(ABC):
    """Something that somebody did to the event; the record is a list of them.

    ``who``  who did it, by role and number ("judge 2", "seat 1 of table 7"), never by name
    ``at``   when, whole milliseconds since 1970 UTC; one rule compares it with another act's: `ResultChallenged`
    ``why``  the reason, where an act needs one
    """

    who: str
    at: int
    why: str = ""

    kind: ClassVar[str]
    needs_why: ClassVar[bool] = False

    def on(self, event: Event) -> Event:
        """Return the event after the act. Raises Refused where it cannot be; the event stays as it is."""
        if not self.who.strip():
            raise Malformed("who: expected who did it")
        if self.needs_why and not self.why.strip():
            raise Malformed(f"why: give the reason; {self.kind} needs one")
        if event.ended:
            raise not_now("The event is over")
        return self._on(event)

    @abstractmethod
    def _on(self, event: Event) -> Event: ...

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object: its kind, and each of its members."""
        return {"act": self.kind, **asdict(self)}

    def words(self, event: Event) -> str:
        """Return what it says besides who, when and why; players by number."""
        said = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _ASIDE}
        members = (self._word(name, each, event) for name, each in said.items() if each)
        return self._sentence(event) or ", ".join(filter(None, members))

    def _sentence(self, event: Event) -> str:
        """Return all of it in words, "" where its members say it, one after the other."""
        return ""

    def _word(self, name: str, value: Any, event: Event) -> str:
        if name == "players":
            return listed(f"player {each}" for each in value) if len(value) <= _MOST else f"{len(value)} players"
        if name == "pairings":
            tables = [(f"table {each.table}" if each.table else "bye", each.players) for each in value]
            return "; ".join(f"{at}: {listed(f'player {player}' for player in who)}" for at, who in tables)
        if name == "call":
            return next((f"table {each.table}" for each in event.calls if each.number == value), f"call {value}")
        name = name.replace("_", " ")
        return name if value is True else f"{name} {value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAct(Act):
    """An act about one player."""

    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAct(Act):
    """An act about one round."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAct(RoundAct):
    """An act about one table of a round."""

    table: int


_ASIDE = ("who", "at", "why", "note", "seed")  # members that are said elsewhere, or tell people nothing
_MOST = 16  # players that are listed; of more it is said how many

KINDS: dict[str, type[Act]] = {}  # every kind of act by its name; `act` enters them


@dataclass_transform(kw_only_default=True, frozen_default=True)
def act(kind: str, *, needs_why: bool = False) -> Callable[[type[A]], type[A]]:
    """Make a class an act, and enter it under its name in the record."""

    def enter(cls: type[A]) -> type[A]:
        KINDS[kind] = made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
        made.kind, made.needs_why = kind, needs_why
        return made

    return enter


def read_act(value: object) -> Act:
    """Return the act a JSON object describes. Raises Malformed saying what was expected."""
    kind = value.get("act") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str) or kind not in KINDS:
        raise Malformed(f"act: expected one of {', '.join(KINDS)}; got {kind!r:.40}")
    return from_json(KINDS[kind], {name: item for name, item in value.items() if name != "act"})


def fold(acts: Iterable[Act], event: Event | None = None) -> Event:
    """Return the event after all these acts, from its beginning or from where it is. Raises Refused at a bad one."""
    event = Event() if event is None else event
    for each in acts:
        event = each.on(event)
    return event


def with_player(event: Event, player: Player) -> Event:
    """Return the event with that player in place of the one of this number."""
    return replace(event, players={**event.players, player.number: player})


def with_round(event: Event, changed: Round) -> Event:
    """Return the event with that round in place of the one of its number."""
    rounds = tuple(changed if each.number == changed.number else each for each in event.rounds)
    return replace(event, rounds=rounds)


def with_pairing(event: Event, number: int, changed: Pairing) -> Event:
    """Return the event with that pairing at its table in a round."""
    old = event.round(number)
    pairings = tuple(changed if each.table == changed.table != 0 else each for each in old.pairings)
    return with_round(event, replace(old, pairings=pairings))
