"""A hall and a box that talk without a network, and what a test looks at."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.hall.event_key import EventKey
from referee.hall.record import Record
from referee.hall.store import SqliteTables
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.hall import HallSide, News, Spares
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.messages import Clock, Hello, Login, Message, read, statement, write
from referee.hall.uplink.outbox import JournalOutbox, Outbox
from referee.hall.uplink.term import Identity, Term, certify, identity
from referee.journal.seal import Signer
from tests.hall.uplink.memory import MemoryCopies, MemoryJournal, signer

KEY = signer(1)
EVENT_KEY, HALL = EventKey(bytes(range(16))), signer(99)
EVENT, CERTIFICATE = EVENT_KEY.signer.public, "c" * 64
TERM = certify(EVENT_KEY.signer, 1, HALL.public)


def shown(certificate: str = CERTIFICATE, hall: Signer = HALL, number: int = 1) -> Identity:
    """Return what a hall shows that the event key certified."""
    return identity(hall, EVENT, certify(EVENT_KEY.signer, number, hall.public), certificate)


class Hall:
    """The hall's side on a real intake, and what it has said."""

    def __init__(self, path: Path, record: Record | None = None) -> None:
        """``path``: of the intake; ``record``: what boxes copy, and who seals it; None: an empty one of `HALL`."""
        self.news: list[News] = []
        self.intake = Intake(path)
        self.shows = shown() if record is None else identity(record.signer, EVENT, record.term, CERTIFICATE)
        self.store = MemoryJournal(HALL) if record is None else JournalOutbox(record.journal)
        self.side = self.make(self.news.append)
        self.now = 0.0

    def make(
        self,
        news: Callable[[News], None],
        spares: Spares | None = None,
        clock: Callable[[str], Clock | None] | None = None,
    ) -> HallSide:
        """Begin again on the same intake; it is a `referee.hall.boxes.MakeSide`."""
        self.side = HallSide(self.intake, self.shows, self.store, news, self.intake.admit, spares, clock)
        return self.side

    def open(self, number: int) -> Hello:
        """Open a connection; return the hall's hello."""
        self.side.opened(number, f"{number % 16:x}" * 64, self.now)
        hello = read(self.words(number)[0], Hello)
        assert isinstance(hello, Hello)
        return hello

    def words(self, number: int) -> list[str]:
        """Return what it has said to a connection since the last time, "" for its end; commit before."""
        self.side.commit()
        words = [text or "" for to, text in self.side.out if to == number]
        self.side.out = [(to, text) for to, text in self.side.out if to != number]
        return words

    def hear(self, number: int, message: Message | str | bytes) -> list[dict[str, Any]]:
        """Hand it a message; return what it says, without the end of the connection."""
        text = message if isinstance(message, (str, bytes)) else write(message)
        self.side.received(number, text, self.now)
        return [json.loads(word) for word in self.words(number) if word]

    def log_in(self, number: int, signer: Signer, start: str = "1", **changed: Any) -> list[dict[str, Any]]:
        """Log a box in, with some members of its login changed before or (signature) after it is signed."""
        hello = self.open(number)
        certificate = changed.pop("certificate", CERTIFICATE)
        login = Login(1, signer.public, "a" * 64, start * 64, None, "0" * 128)
        login = replace(login, **{name: value for name, value in changed.items() if name != "signature"})
        signature = changed.get("signature") or signer.sign(statement(hello, certificate, login))
        return self.hear(number, replace(login, signature=signature))

    def rows(self) -> list[tuple[Any, ...]]:
        """Return all entries and seals it has."""
        rows = self.intake._tables.rows
        return rows("SELECT * FROM entries") + rows("SELECT * FROM seals")

    def file(self) -> sqlite3.Connection:
        """Return the file of the intake."""
        assert isinstance(self.intake._tables, SqliteTables)
        return self.intake._tables._db


def box(outbox: Outbox, signer: Signer, start: str = "1", now: float = 0.0, term: Term = TERM) -> BoxSide:
    """Return a box's side whose station has just started. ``term``: of the hall that it knows."""
    return BoxSide(outbox, signer, EVENT, MemoryCopies().opened(), term, lambda _: None, start * 64, now)


def talk(hall: Hall, number: int, side: BoxSide, *, each: Callable[[str], None] = lambda _: None) -> None:
    """Connect a box and let both talk until neither has anything to say."""
    hall.side.opened(number, f"{number % 16:x}" * 64, hall.now)
    side.opened(CERTIFICATE, f"{(number + 8) % 16:x}" * 64, hall.now)
    go_on(hall, number, side, each=each)


def go_on(hall: Hall, number: int, side: BoxSide, *, each: Callable[[str], None] = lambda _: None) -> None:
    """Let both talk until neither has anything to say."""
    answers = side.tick(hall.now)
    while answers or any(to == number for to, _ in hall.side.out):
        for answer in answers:
            each(answer)
            hall.side.received(number, answer, hall.now)
        answers = [reply for word in hall.words(number) for reply in _heard(side, word, hall.now)]


def _heard(side: BoxSide, word: str, now: float) -> list[str]:
    if word:
        return side.received(word, now)
    side.closed()
    return []
