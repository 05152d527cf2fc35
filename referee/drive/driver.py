"""Play a rulebook over JSON Lines, without a box (``docs/drive.md``).

Every input line is answered by lines that end with the pending prompt, or with ``over``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from referee.drive.commands import CHECKS, beside, command_of, judges, origins
from referee.drive.messages import encoded, event_json, odds_json, throw_json, told_json
from referee.errors import JournalError, RefereeError, Refused
from referee.files.jsonl import ByteLines, lines, parse
from referee.session import Notebook, Outcome, Right, Session, Submission, keeper_of, ms, set_clocks, waits_for

PROTOCOL = 1
"""Version of the protocol. Additions leave it as it is."""


class ByteSink(Protocol):
    """Where lines go: a binary file open for writing."""

    def write(self, data: bytes, /) -> object:
        """Write all of it."""

    def flush(self) -> object:
        """Send what was written."""


def drive(session: Session, incoming: ByteLines, outgoing: ByteSink, notebook: Notebook | None = None) -> None:
    """Serve the protocol until the input ends. ``notebook``: of this game, None where nothing is written."""

    def send(messages: Iterator[dict[str, Any]] | Sequence[dict[str, Any]]) -> None:
        for message in messages:
            outgoing.write(encoded(message))
            outgoing.flush()

    driver = Driver(session, notebook)
    send(driver.greet())
    for line in lines(incoming):
        send(driver.take(line))


class Driver:
    """One session behind the protocol: a line in, messages out; no I/O of its own."""

    def __init__(
        self, session: Session, notebook: Notebook | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``notebook``: of this game, None where nothing is written. Raises JournalDamaged or JournalError."""
        self.session = session
        self._clock = clock
        self._clocks = DriveClocks(session, notebook)

    def greet(self) -> list[dict[str, Any]]:
        """Return what is said before the first line comes in."""
        opening = self.session.opening if self.session.n == 1 else ()
        return [*map(event_json, opening), *self._clocks.look(self._clock()), self._standing()]

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
        return [*replies, *self._clocks.look(self._clock()), self._standing()]

    def _obey(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        command = command_of(message)
        value = CHECKS[command](command, message[command])
        n, seat, mode = beside(message)
        session = self.session
        mark: dict[str, Any] = {"source": "drive", "at": self._clock()}
        if command in ("odds", "state", "about"):
            session.current(n)
            return [{"odds": self._odds, "state": self._state, "about": self._about}[command]()]
        if command == "clock":
            session.current(n)
            self._clocks.obey(value, mark["at"])
            return []
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
            prompt = session.prompt.as_json() | self._clocks.member()
            return prompt | {"paused": True} if session.paused else prompt
        over = session.over
        assert over is not None
        return {
            "type": "over",
            "reason": over.reason,
            "winners": list(over.winners),
            "text": over.text,
            **self._clocks.member(),
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


class DriveClocks:
    """The clocks of a session that a program drives. Nobody presses keys, so they run from the moment they are set.

    What a flag does is up to the program: it is told, and nothing is refused for it.
    """

    def __init__(self, session: Session, notebook: Notebook | None) -> None:
        """``notebook``: of this game, None without a journal. Raises Malformed, JournalDamaged or JournalError."""
        self._session = session
        self._keeper = keeper_of(session, notebook)
        self._keeper.only_tell()

    def obey(self, value: Any, at: float) -> None:
        """Set the clocks of all seats, as an object says, or take them away (false). Raises Refused, JournalError."""
        if value is False:
            self._keeper.stop(ms(at), "drive")
        else:
            set_clocks(self._keeper, self._session, value, at, "drive")

    def look(self, at: float) -> list[dict[str, Any]]:
        """Let the clocks follow what is asked; return a message for each flag that fell.

        What could not be recorded now is with the next record.
        """
        keeper = self._keeper
        keeper.touch()
        falls = keeper.see(waits_for(self._session), ms(at))
        with suppress(JournalError):
            keeper.record(ms(at))
        return [{"type": "flag", "seat": fall.seat} for fall in falls]

    def member(self) -> dict[str, Any]:
        """Return what stands beside a prompt; nothing without clocks."""
        clocks = self._keeper.clocks
        if clocks is None:
            return {}
        seats = [
            {"seat": name, "ms": seat.left, **({"down": True} if seat.fallen else {})}
            for name, seat in clocks.seats.items()
        ]
        first = clocks.first_fall
        fields = {
            "runs": "" if clocks.paused else clocks.runs,
            "seats": seats,
            "first": first.seat if first is not None else "",
        }
        return {"clock": {name: value for name, value in fields.items() if value}}
