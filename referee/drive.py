"""The drive protocol: a rulebook played over JSON Lines, without a box. ``docs/drive.md`` is its description.

Every line that comes in is answered by lines that end with the standing prompt, or with ``over``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from referee.errors import JournalError, Malformed, RefereeError, Refused
from referee.jsonl import ByteLines, lines, named, parse
from referee.rulebook import Event, Odds, Ruling
from referee.session import Outcome, Session

PROTOCOL = 1
"""Version of the protocol. Additions leave it as it is."""

_WITH = {
    "answer": {"n", "seat", "override", "reroll"},
    "bundle": {"n", "seat"},
    "undo": {"n"},
    "correct": {"n"},
    "concede": {"n"},
    "pause": {"n"},
    "odds": {"n"},
    "state": {"n"},
    "about": {"n"},
}
"""Commands, each with the members that may stand beside it."""


class ByteSink(Protocol):
    """Where lines go: a binary file open for writing."""

    def write(self, data: bytes, /) -> object:
        """Write all of it."""

    def flush(self) -> object:
        """Send what was written."""


def drive(session: Session, incoming: ByteLines, outgoing: ByteSink) -> None:
    """Serve the protocol until the input ends."""

    def send(messages: Iterator[dict[str, Any]] | Sequence[dict[str, Any]]) -> None:
        for message in messages:
            outgoing.write(encoded(message))
            outgoing.flush()

    driver = Driver(session)
    send(driver.greet())
    for line in lines(incoming):
        send(driver.take(line))


def encoded(message: dict[str, Any]) -> bytes:
    """Return a message as one line of UTF-8."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.encode("utf-8", "backslashreplace") + b"\n"


class Driver:
    """One session behind the protocol: a line in, messages out; no I/O of its own."""

    def __init__(self, session: Session, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.session = session
        self._clock = clock

    def greet(self) -> list[dict[str, Any]]:
        """Return what is said before the first line comes in."""
        opening = self.session.opening if self.session.n == 1 else ()
        return [*map(event_json, opening), self._standing()]

    def take(self, line: bytes | None) -> list[dict[str, Any]]:
        """Return the messages that answer one line; None is a line that was too long."""
        try:
            said = self._obey(parse(line))
        except Refused as no:
            said = [self._refused(no.code, no.text)]
        except JournalError as fault:
            said = [self._refused("journal", f"It could not be written and does not count: {fault}")]
        except RefereeError as fault:
            said = [self._refused("broken-rulebook", str(fault))]
        return [*said, self._standing()]

    def _obey(self, told: dict[str, Any]) -> list[dict[str, Any]]:
        command = _command(told)
        value = _CHECKS[command](command, told[command])
        n, seat, override, reroll = _beside(told)
        session = self.session
        mark: dict[str, Any] = {"source": "drive", "at": self._clock()}
        if command in ("odds", "state", "about"):
            session.current(n)
            return [{"odds": self._odds, "state": self._state, "about": self._about}[command]()]
        did: Outcome
        if command == "answer":
            did = session.answer(value, n=n, seat=seat, override=override, reroll=reroll, **mark)
        elif command == "bundle":
            did = session.bundle(value, n=n, seat=seat, **mark)
        elif command == "undo":
            did = session.undo(value, n=n, **mark)
        elif command == "correct":
            did = session.correct_all(value, n=n, **mark)
        elif command == "concede":
            did = session.concede(value, n=n, **mark)
        else:
            session.current(n)
            did = session.pause(**mark) if value else session.unpause(**mark)
        return [event_json(event) for event in did.events]

    def _standing(self) -> dict[str, Any]:
        session = self.session
        if session.prompt is not None:
            made = session.prompt.as_json()
            return made | {"paused": True} if session.paused else made
        over = session.over
        assert over is not None
        return {"type": "over", "reason": over.reason, "winners": list(over.winners), "text": over.text}

    def _refused(self, code: str, text: str) -> dict[str, Any]:
        return {"type": "refused", "n": self.session.n, "code": code, "text": text}

    def _odds(self) -> dict[str, Any]:
        odds, outlook = self.session.odds(), self.session.outlook()
        made: dict[str, Any] = {"type": "odds", "odds": odds_json(odds) if odds is not None else None}
        if odds is None:
            prompt = self.session.prompt
            rolled = prompt is not None and prompt.kind == "roll"
            made["text"] = "The rulebook states no odds for this roll" if rolled else "No roll stands"
        if outlook is not None:
            made["outlook"] = odds_json(outlook)
            if self.session.book.assumes.text:
                made["assumes"] = self.session.book.assumes.text
        return made

    def _state(self) -> dict[str, Any]:
        return {"type": "state", "state": self.session.state()}

    def _about(self) -> dict[str, Any]:
        book = self.session.book
        return {
            "type": "about",
            "protocol": PROTOCOL,
            "game": book.id,
            "edition": book.edition,
            "ruling": self.session.ruling,
            "settings": self.session.settings,
            "seats": [{"id": seat, "text": text} for seat, text in self.session.seats().items()],
        }


def odds_json(odds: Odds) -> list[dict[str, Any]]:
    """Return chances as JSON: the exact fraction as text, in 36ths where that is exact, and a share from 0 to 1."""
    return [{"id": c.id, "text": c.text, "chance": c.out_of_36, "share": round(float(c.chance), 6)} for c in odds]


def event_json(event: Event) -> dict[str, Any]:
    """Return the message that tells a ruling or a reminder."""
    if isinstance(event, Ruling):
        return {
            "type": "ruling",
            "result": event.result,
            "rules": list(event.rules),
            "headline": event.headline,
            "why": list(event.why),
            "data": dict(event.data),
            "changed": event.changed,
        }
    return {"type": "reminder", "rule": event.rule, "text": event.text}


def _command(told: dict[str, Any]) -> str:
    """Return the one command of an object. Raises Malformed."""
    found = [name for name in told if name in _WITH]
    if len(found) != 1:
        many = f"got {' and '.join(found)}" if found else f"got {_short(next(iter(told)))}" if told else "got none"
        raise Malformed(f"expected exactly one command: {', '.join(_WITH)}; {many}")
    strange = [name for name in told if name != found[0] and name not in _WITH[found[0]]]
    if strange:
        allowed = ", ".join(sorted(_WITH[found[0]]))
        raise Malformed(f"{_short(strange[0])} cannot stand beside {found[0]}; expected {allowed} or nothing")
    return found[0]


def _short(name: str) -> str:
    """Return a name from outside as it can stand in one line."""
    return json.dumps(name if len(name) <= 40 else name[:37] + "...", ensure_ascii=False)


def _beside(told: dict[str, Any]) -> tuple[int | None, str | None, bool, bool]:
    n, seat = told.get("n"), told.get("seat")
    if "n" in told and type(n) is not int:
        raise Malformed(f"n: expected the number of a prompt, got {named(n)}")
    if "seat" in told and type(seat) is not str:
        raise Malformed(f"seat: expected the id of a seat, got {named(seat)}")
    for name in ("override", "reroll"):
        if type(told.get(name, False)) is not bool:
            raise Malformed(f"{name}: expected true or false, got {named(told[name])}")
    override, reroll = told.get("override", False), told.get("reroll", False)
    if override and reroll:
        raise Malformed("expected override or reroll, not both")
    return n, seat, override, reroll


def _answer(name: str, value: Any) -> Any:
    items = value if isinstance(value, list) else [value]
    if any(type(item) not in (str, int) for item in items):
        odd = next(item for item in items if type(item) not in (str, int))
        raise Malformed(f"{name}: expected an id, a whole number or a list of them, got {named(odd)}")
    return value


def _steps(name: str, value: Any) -> int:
    if type(value) is not int:
        raise Malformed(f"{name}: expected how many steps to take back, 1 or more, got {named(value)}")
    if value < 1:
        raise Malformed(f"{name}: expected how many steps to take back, 1 or more, got {value}")
    return value


def _settings(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(f"{name}: expected an object of fields and values, got {named(value)}")
    if not value:
        raise Malformed(f"{name}: expected at least one field and its value, got an empty object")
    for path, to in value.items():
        if type(to) not in (str, int, bool):
            raise Malformed(f"{name}: {_short(path)}: expected a number, a word, true or false, got {named(to)}")
    return value


def _text(name: str, value: Any) -> str:
    if type(value) is not str:
        raise Malformed(f"{name}: expected an id, got {named(value)}")
    return value


def _true(name: str, value: Any) -> bool:
    if value is not True:
        raise Malformed(f"{name}: expected true, got {named(value)}")
    return value


def _bool(name: str, value: Any) -> bool:
    if type(value) is not bool:
        raise Malformed(f"{name}: expected true or false, got {named(value)}")
    return value


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "answer": _answer,
    "bundle": _text,
    "undo": _steps,
    "correct": _settings,
    "concede": _text,
    "pause": _bool,
    "odds": _true,
    "state": _true,
    "about": _true,
}
