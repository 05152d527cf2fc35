"""Play a rulebook over JSON Lines, without a box (``docs/drive.md``).

Every input line is answered by lines that end with the pending prompt, or with ``over``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, BinaryIO

from referee.errors import JournalError, Malformed, RefereeError, Refused
from referee.files.jsonl import ByteLines, lines, named, parse
from referee.rulebook import Event, Odds, Ruling
from referee.session import Entry, Origin, Outcome, Right, Session, Submission
from referee.session.extra import Mode, in_words, origins_of, unused_of

PROTOCOL = 1
"""Version of the protocol. Additions leave it as it is."""


def drive(session: Session, incoming: ByteLines, outgoing: BinaryIO) -> None:
    """Serve the protocol until the input ends."""

    def send(messages: Iterator[dict[str, Any]] | Sequence[dict[str, Any]]) -> None:
        for message in messages:
            outgoing.write(encoded(message))
            outgoing.flush()

    driver = Driver(session)
    send(driver.greet())
    for line in lines(incoming):
        send(driver.take(line))


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
            replies = self._obey(parse(line))
        except Refused as no:
            replies = [self._refused(no.code, no.text)]
        except JournalError as fault:
            replies = [self._refused("journal", f"It was not saved and does not count: {fault}")]
        except RefereeError as fault:
            replies = [self._refused("broken-rulebook", str(fault))]
        return [*replies, self._standing()]

    def _obey(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        command = _command_of(message)
        value = CHECKS[command](command, message[command])
        n, seat, mode = _beside(message)
        session = self.session
        mark: dict[str, Any] = {"source": "drive", "at": self._clock()}
        if command in ("odds", "state", "about"):
            session.current(n)
            return [{"odds": self._odds, "state": self._state, "about": self._about}[command]()]
        did: Outcome
        if command == "answer":
            faces = _origins(message)
            did = session.answer(Submission(value, n, seat, mode, faces, **mark))
        elif command == "correct_throw":
            right: Right = "judge" if _judges(message) else "table"
            did = session.correct_throw(Submission(value, n, seat, **mark), right)
        elif command == "bundle":
            did = session.bundle(Submission(value, n, seat, **mark))
        elif command == "undo":
            did = session.undo(value, n=n, **mark)
        elif command == "correct":
            did = session.correct_all(value, n=n, **mark)
        elif command == "concede":
            did = session.concede(value, n=n, **mark)
        else:
            session.current(n)
            did = session.pause(**mark) if value else session.unpause(**mark)
        throws = [throw_json(entry) for entry in did.entries if {"faces", "unused", "corrected"} & entry.extra.keys()]
        told = [told_json(did.told)] if did.told else []
        return [*throws, *told, *map(event_json, did.events)]

    def _standing(self) -> dict[str, Any]:
        session = self.session
        if session.prompt is not None:
            prompt = session.prompt.as_json()
            return prompt | {"paused": True} if session.paused else prompt
        over = session.over
        assert over is not None
        return {
            "type": "over",
            "reason": over.reason,
            "winners": list(over.winners),
            "text": over.text,
        }

    def _refused(self, code: str, text: str) -> dict[str, Any]:
        return {"type": "refused", "n": self.session.n, "code": code, "text": text}

    def _odds(self) -> dict[str, Any]:
        odds, outlook = self.session.odds(), self.session.outlook()
        message: dict[str, Any] = {"type": "odds", "odds": odds_json(odds) if odds is not None else None}
        if odds is None:
            prompt = self.session.prompt
            rolled = prompt is not None and prompt.kind == "roll"
            message["text"] = "The rulebook gives no odds for this roll" if rolled else "No roll is pending"
        if outlook is not None:
            message["outlook"] = odds_json(outlook)
            if self.session.book.assumes.text:
                message["assumes"] = self.session.book.assumes.text
        return message

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


BESIDE = {
    "answer": {"n", "seat", "override", "reroll", "faces"},
    "correct_throw": {"n", "seat", "judge"},
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


def _command_of(message: dict[str, Any]) -> str:
    """Return the one command of an object. Raises Malformed."""
    commands = [name for name in message if name in BESIDE]
    if len(commands) != 1:
        present = " and ".join(commands) or (_short(next(iter(message))) if message else "none")
        raise Malformed(f"expected exactly one command: {', '.join(BESIDE)}; got {present}")
    strange = [name for name in message if name != commands[0] and name not in BESIDE[commands[0]]]
    if strange:
        allowed = ", ".join(sorted(BESIDE[commands[0]]))
        raise Malformed(f"{_short(strange[0])} cannot be combined with {commands[0]}; expected {allowed} or nothing")
    return commands[0]


def _short(name: str) -> str:
    """Return a name from outside as it can stand in one line."""
    return json.dumps(name if len(name) <= 40 else name[:37] + "...", ensure_ascii=False)


def _beside(message: dict[str, Any]) -> tuple[int | None, str | None, Mode]:
    """Return ``n`` and ``seat`` of a message, and whether it overrides or re-rolls. Raises Malformed."""
    n, seat = message.get("n"), message.get("seat")
    if "n" in message and type(n) is not int:
        raise Malformed(f"n: expected the number of a prompt, got {named(n)}")
    if "seat" in message and type(seat) is not str:
        raise Malformed(f"seat: expected the id of a seat, got {named(seat)}")
    override, reroll = (_flag(name, message.get(name, False)) for name in ("override", "reroll"))
    if override and reroll:
        raise Malformed("expected override or reroll, not both")
    return n, seat, "override" if override else "reroll" if reroll else ""


def _judges(message: dict[str, Any]) -> bool:
    """Return whether the judge does it. Raises Malformed."""
    return bool(_flag("judge", message.get("judge", False)))


def _origins(message: dict[str, Any]) -> tuple[Origin, ...]:
    """Return where each face came from, as ``faces`` says. Raises Malformed."""
    faces = message.get("faces", [])
    if isinstance(faces, list):
        with suppress(TypeError):
            told = tuple(Origin(**face) for face in faces)
            if all(type(text) is str for each in told for text in (each.source, each.die, each.doubt, each.picture)):
                return told
    raise Malformed('faces: expected a list of {"source":...} or {"source":...,"die":...}, one for each face')


def _answer(name: str, value: Any) -> Any:
    if isinstance(value, dict) and [type(each) for each in value.values()] == [int]:
        return value  # how many dice did something, by its name
    items = value if isinstance(value, list) else [value]
    odd = next((item for item in items if type(item) not in (str, int)), "")
    if odd == "":
        return value
    raise Malformed(
        f"{name}: expected an id, a whole number, a list of them or one number by its name, got {named(odd)}"
    )


def _settings(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(f"{name}: expected an object of fields and values, got {named(value)}")
    if not value:
        raise Malformed(f"{name}: expected at least one field and its value, got an empty object")
    for path, to in value.items():
        if type(to) not in (str, int, bool):
            raise Malformed(f"{name}: {_short(path)}: expected a number, a word, true or false, got {named(to)}")
    return value


def _is(accepts: Callable[[Any], bool], expected: str) -> Callable[[str, Any], Any]:
    """Return what checks a value; it raises Malformed saying what was expected, and what came."""

    def check(name: str, value: Any) -> Any:
        if not accepts(value):
            got = str(value) if type(value) is int else named(value)
            raise Malformed(f"{name}: expected {expected}, got {got}")
        return value

    return check


_flag = _is(lambda value: type(value) is bool, "true or false")
_id = _is(lambda value: type(value) is str, "an id")
_true = _is(lambda value: value is True, "true")

CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "answer": _answer,
    "correct_throw": _answer,
    "bundle": _id,
    "undo": _is(lambda value: type(value) is int and value > 0, "the number of steps to undo, 1 or more"),
    "correct": _settings,
    "concede": _id,
    "pause": _flag,
    "odds": _true,
    "state": _true,
    "about": _true,
}
"""What checks the value of each command."""


def encoded(message: dict[str, Any]) -> bytes:
    """Return a message as one line of UTF-8."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def odds_json(odds: Odds) -> list[dict[str, Any]]:
    """Return chances as JSON: the exact fraction as text, in 36ths where that is exact, and a share from 0 to 1."""
    return [{"id": c.id, "text": c.text, "chance": c.out_of_36, "share": round(float(c.chance), 6)} for c in odds]


def told_json(told: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """Return the message that tells what was answered in secret, once all answers are in."""
    return {"type": "told", "answers": [{"seat": seat, "ask": ask, "answer": answer} for seat, ask, answer in told]}


def throw_json(entry: Entry) -> dict[str, Any]:
    """Return the message that tells where the faces of a throw came from, and what was corrected."""
    faces = entry.answer if isinstance(entry.answer, list) else []
    unused = unused_of(entry.extra)
    text = in_words(faces, origins_of(entry.source, len(faces), entry.extra), unused) if faces or unused else ""
    message = {"type": "throw", "answer": entry.answer, "text": text}
    return message | {name: entry.extra[name] for name in ("faces", "unused", "corrected") if name in entry.extra}


def event_json(event: Event) -> dict[str, Any]:
    """Return the message that tells a ruling or a reminder."""
    if isinstance(event, Ruling):
        ruling = {
            "type": "ruling",
            "result": event.result,
            "rules": list(event.rules),
            "headline": event.headline,
            "why": list(event.why),
            "data": dict(event.data),
            "changed": event.changed,
        }
        return ruling | {"to_do": list(event.to_do)} if event.to_do else ruling
    return {"type": "reminder", "rule": event.rule, "text": event.text}
