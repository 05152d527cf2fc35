"""Play a rulebook over JSON Lines, without a box (``docs/drive.md``).

Every input line is answered by lines that end with the pending prompt, or with ``over``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from referee.drive.commands import CHECKS, beside, command_of, judges, origins
from referee.drive.messages import encoded, event_json, odds_json, throw_json, told_json
from referee.errors import JournalError, RefereeError, Refused
from referee.files.jsonl import ByteLines, lines, parse
from referee.session import Outcome, Right, Session, Submission

PROTOCOL = 1
"""Version of the protocol. Additions leave it as it is."""


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
        command = command_of(message)
        value = CHECKS[command](command, message[command])
        n, seat, mode = beside(message)
        session = self.session
        mark: dict[str, Any] = {"source": "drive", "at": self._clock()}
        if command in ("odds", "state", "about"):
            session.current(n)
            return [{"odds": self._odds, "state": self._state, "about": self._about}[command]()]
        did: Outcome
        if command == "answer":
            faces = origins(message)
            did = session.answer(Submission(value, n, seat, mode, faces, **mark))
        elif command == "correct_throw":
            right: Right = "judge" if judges(message) else "table"
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
