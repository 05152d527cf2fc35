"""What box and hall say to each other: one JSON object a message, every member checked (docs/hall-protocol.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias, get_args

from referee.clock.settings import Settings as SeatClocks
from referee.errors import Malformed
from referee.files import jsonl
from referee.hall.uplink.term import Term
from referee.journal.chain import canonical
from referee.journal.seal import Seal, Statement
from referee.journal.sequence import Place
from referee.numbers import WHOLE

VERSION: Final = 1
MOST_BYTES: Final = 262_144
"""Bytes of the longest message."""
MOST_ENTRIES: Final = 64
"""Entries, and seals, of one message at most."""
MOST_ENDS: Final = 8
"""Ends of branches that the hall names at most."""
MOST_PLAYERS: Final = 12
"""Players of one table at most."""
ORDERS: Final = ("extension", "coming", "ruling", "penalty", "result", "challenge", "countersigned")
"""What the desk tells a table."""
MOST_TEXT: Final = 2000
"""Letters of what it says at most."""
MOST_LETTERS: Final = 100
"""Letters of a name, of a side or of a kind of win at most."""

_HEX = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_CODE = re.compile(r"[a-z-]{1,20}")


@dataclass(frozen=True, slots=True)
class Hello:
    """The hall's first message.

    ``event``      public half of the event key, in hex
    ``nonce``      32 random bytes, in hex
    ``term``       which hall of the event it is
    ``signature``  by the key of that term, under the certificate that the box sees: `Identity`
    """

    version: int
    event: str
    nonce: str
    term: Term
    signature: str


@dataclass(frozen=True, slots=True)
class Login:
    """The box's answer.

    ``key``        its public key, in hex
    ``nonce``      32 random bytes of its own, in hex
    ``start``      32 random bytes, in hex, drawn when its program started: two programs with one key differ here
    ``end``        the entry its journal ends with, None for a journal without entries
    ``signature``  of `statement`, made with the key
    """

    version: int
    key: str
    nonce: str
    start: str
    end: Place | None
    signature: str


@dataclass(frozen=True, slots=True)
class Heads:
    """Where the hall stands: the last entry of each branch it has of this box.

    ``behind``: how many entries the journal of the box lacks that the hall can give back without a choice.
    """

    ends: tuple[Place, ...]
    behind: int


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of one run of a journal, with their seals; from the box, or from the hall to a box that lost them."""

    game: int
    entries: tuple[Mapping[str, Any], ...]
    seals: tuple[Seal, ...]


@dataclass(frozen=True, slots=True)
class Ack:
    """The hall has every entry up to this one on its disk. ``hash``: of that entry."""

    hash: str


@dataclass(frozen=True, slots=True)
class Refill:
    """Asks for what follows an entry: a box for its journal, the hall for the record. ``after``: its hash, or ""."""

    after: str


@dataclass(frozen=True, slots=True)
class Record:
    """Entries of the hall's record, with their seals; from the hall, or to one that is being rebuilt."""

    entries: tuple[Mapping[str, Any], ...]
    seals: tuple[Seal, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """What a box has of the record, durable.

    ``known``   the latest term that any hall showed to the box
    ``latest``  the last term in the copy
    ``end``     its last entry
    """

    known: int
    latest: int
    end: Place | None


@dataclass(frozen=True, slots=True)
class Superseded:
    """The box knows a hall that took the event over. ``term``: of that hall."""

    term: Term


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there?"""


@dataclass(frozen=True, slots=True)
class Pong:
    """Yes."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A box that is not paired asks to be. ``commit``: SHA-256 of its nonce, so that it cannot choose it later."""

    version: int
    key: str
    commit: str


@dataclass(frozen=True, slots=True)
class Offer:
    """The hall pairs this box now. ``commit``: SHA-256 of the hall's nonce for it."""

    commit: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """The nonce that was committed to."""

    nonce: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """Somebody at the box saw the same digits. ``signature``: of `referee.hall.uplink.pairing.agreement`."""

    signature: str


@dataclass(frozen=True, slots=True)
class Paired:
    """The organiser saw the same digits too, and the box is let in from now on."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Where the box stands, and for what. Names are for the glass alone; no journal has them.

    ``round``    number of the round, 0 before the first
    ``table``    number of the table, 0 for a box that stands nowhere
    ``players``  by seat: number, name, and the side of the first game ("" where sides are of no matter)
    ``games``    1: one game a match, 2: each side once, 3: best of three
    ``wins``     kinds of win that are told apart; ``split``: tournament points of a game, 0 if it is not split
    ``drawn``    whether a match may be drawn; ``stops``: whether a call for a judge stops the clocks
    ``clock``    how the seats keep time in games that begin from here on, None: as the box's configuration says
    """

    round: int
    table: int
    players: tuple[tuple[int, str, str], ...] = ()
    games: int = 1
    wins: tuple[str, ...] = ()
    split: int = 0
    drawn: bool = True
    stops: bool = False
    clock: SeatClocks | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What was decided at the desk about the box's table, for its glass and its journal.

    ``number``  of the act in the hall's record, from 1
    ``what``    one of `ORDERS`
    ``ms``      of an extension, else 0
    ``by``      who decided, by role and number; ``text``: what, in words without names, or a
                countersignature (`referee.hall.countersignature`)
    """

    number: int
    what: str
    ms: int
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Clock:
    """How the clock of the round stands at the box's table.

    ``number``  of the act in the hall's record after which it stands so, from 1
    ``round``   0: no clock runs for the table any more
    ``left``    ms until time is called, below 0 afterwards; ``runs``: whether it runs, or is paused for all
    ``then``    what a table does when time is called, in words
    """

    number: int
    round: int
    left: int
    runs: bool
    then: str


@dataclass(frozen=True, slots=True)
class Takeover:
    """Entries of a game that this box goes on with, in the place of another; the first ones have its start.

    ``number`` of the act in the hall's record by which the box was placed, from 1
    ``old``    key of the other box
    ``last``   the last entry of the game, with its number in the other journal
    ``clocks`` records of its seat clocks: how they were set, then the newest
    """

    number: int
    old: str
    last: Place
    entries: tuple[Mapping[str, Any], ...]
    clocks: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A spare took the table of this box over, so what is keyed here does not count. ``table``: 0: none any more."""

    table: int


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The last message of a connection. ``code``: one of docs/hall-protocol.md; ``expected``: what was expected."""

    code: str
    expected: str


Message: TypeAlias = (
    Hello | Login | Heads | Entries | Ack | Refill | Record | Copy | Superseded | Ping | Pong
    | Pair | Offer | Reveal | Confirm | Paired | Seating | Order | Clock | Takeover | Replaced | Goodbye
)  # fmt: skip


def statement(hello: Hello, certificate: str, login: Login) -> Statement:
    """Return what a box signs to log in. ``certificate``: SHA-256 of the hall's certificate, in hex."""
    end = login.end or Place(0, 0, "")
    place = f"{end.game} {end.seq} {end.hash}"
    lines = (str(login.version), hello.event, certificate, hello.nonce, login.nonce, login.start, place)
    return Statement("uplink login", lines)


def write(message: Message) -> str:
    """Return a message as it is sent. Raises Malformed if it is longer than anybody reads."""
    kind = type(message)
    members = {name: _plain(getattr(message, name)) for name in _MEMBERS[kind]}
    text = canonical({"type": kind.__name__.lower(), **members})
    if len(text) > MOST_BYTES:
        raise Malformed(f"expected a message of at most {MOST_BYTES} bytes, got {len(text)}", "too-long")
    return text


def read(text: str | bytes, *kinds: type[Message]) -> Message:
    """Return a message of one of these kinds. Raises Malformed saying what was expected."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MOST_BYTES:
        raise Malformed(f"expected a message of at most {MOST_BYTES} bytes", "too-long")
    value = jsonl.parse(data)
    kind = next((kind for kind in kinds if kind.__name__.lower() == value.get("type")), None)
    if kind is None:
        raise Malformed(f"type: expected {' or '.join(kind.__name__.lower() for kind in kinds)}")
    members = _MEMBERS[kind]
    if set(value) != {"type", *members}:
        raise Malformed(f"{value['type']}: expected {', '.join(members) or 'no other member'}, and nothing else")
    return kind(**{name: check(f"{value['type']}.{name}", value[name]) for name, check in members.items()})


def _plain(value: object) -> Any:
    if isinstance(value, Seal):
        return [value.seq, value.key, value.signature]
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.as_json() if isinstance(value, SeatClocks) else value


# -- members ---------------------------------------------------------------------------------------------------------

_Check: TypeAlias = Callable[[str, Any], Any]


def _text(pattern: re.Pattern[str], expected: str) -> _Check:
    def check(where: str, value: Any) -> str:
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        raise Malformed(f"{where}: expected {expected}")

    return check


def _whole(least: int, most: int = WHOLE) -> _Check:
    def check(where: str, value: Any) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise Malformed(f"{where}: expected a whole number from {least} to {most}")

    return check


def _list(most: int, item: _Check, least: int = 0) -> _Check:
    def check(where: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise Malformed(f"{where}: expected a list of {least} to {most}")
        return tuple(item(where, each) for each in value)

    return check


def _tuple(expected: str, *items: _Check) -> Callable[[str, Any], list[Any]]:
    def check(where: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) != len(items):
            raise Malformed(f"{where}: expected {expected}")
        return [check(where, each) for check, each in zip(items, value, strict=True)]

    return check


_hash = _text(_HEX, "64 lower-case hex digits")
_signature = _text(_SIGNATURE, "128 lower-case hex digits")
_term_members = _tuple("number, hall and proof", _whole(0), _hash, _signature)
_place_members = _tuple("game, seq and hash", _whole(1), _whole(0), _hash)
_seal_members = _tuple("seq, key and signature", _whole(0), _hash, _signature)


def _place(where: str, value: Any) -> Place:
    return Place(*_place_members(where, value))


def _term(where: str, value: Any) -> Term:
    return Term(*_term_members(where, value))


def _end(where: str, value: Any) -> Place | None:
    return None if value is None else _place(where, value)


def _seal(where: str, value: Any) -> Seal:
    return Seal(*_seal_members(where, value))


def _after(where: str, value: Any) -> str:
    return "" if value == "" else str(_hash(where, value))


_label = _text(re.compile(rf"[^\x00-\x1f\x7f]{{0,{MOST_LETTERS}}}"), f"at most {MOST_LETTERS} letters of one line")
_player_members = _tuple("number, name and side", _whole(1), _label, _label)


def _player(where: str, value: Any) -> tuple[int, str, str]:
    number, name, side = _player_members(where, value)
    return number, name, side


def _flag(where: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Malformed(f"{where}: expected true or false")


def _clock(where: str, value: Any) -> SeatClocks | None:
    try:
        return None if value is None else SeatClocks.from_json(value)
    except Malformed as fault:
        raise Malformed(f"{where}: {fault.text}") from fault


def _object(where: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise Malformed(f"{where}: expected objects")


_CHECKS: Final[dict[str, _Check]] = {
    "version": _whole(1, 1_000_000),
    "event": _hash,
    "nonce": _hash,
    "key": _hash,
    "start": _hash,
    "end": _end,
    "signature": _signature,
    "ends": _list(MOST_ENDS, _place),
    "behind": _whole(0),
    "game": _whole(1),
    "entries": _list(MOST_ENTRIES, _object, 1),
    "seals": _list(MOST_ENTRIES, _seal),
    "hash": _hash,
    "term": _term,
    "known": _whole(0),
    "latest": _whole(0),
    "commit": _hash,
    "old": _hash,
    "last": _place,
    "clocks": _list(2, _object),
    "clock": _clock,
    "after": _after,
    "round": _whole(0),
    "table": _whole(0),
    "players": _list(MOST_PLAYERS, _player),
    "games": _whole(1, 3),
    "wins": _list(MOST_PLAYERS, _label),
    "split": _whole(0, 1000),
    "drawn": _flag,
    "stops": _flag,
    "number": _whole(1),
    "left": _whole(-WHOLE, WHOLE),
    "runs": _flag,
    "then": _label,
    "what": _text(re.compile("|".join(ORDERS)), " or ".join(ORDERS)),
    "ms": _whole(-WHOLE, WHOLE),
    "by": _label,
    "text": _text(re.compile(rf"[^\x00-\x1f\x7f]{{0,{MOST_TEXT}}}"), f"at most {MOST_TEXT} letters of one line"),
    "code": _text(_CODE, "1 to 20 lower-case letters and hyphens"),
    "expected": _text(re.compile(r"[ -~]{0,500}"), "at most 500 printable ASCII letters"),
}
_MEMBERS: Final[dict[type[Message], dict[str, _Check]]] = {
    kind: {field.name: _CHECKS[field.name] for field in fields(kind)} for kind in get_args(Message)
}


def goodbye(code: str, expected: str) -> Goodbye:
    """Return a goodbye, its text cut and spelt so that it can be sent."""
    return Goodbye(code, expected.encode("ascii", "backslashreplace").decode("ascii").replace("\n", " ")[:500])
