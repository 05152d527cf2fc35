"""The same game in the library eventsourcing: an aggregate that keeps its answers as events, and judges nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class Record(Aggregate):
    """A game as that library has it: what was asked, of whom, and the answer."""

    @event("Begun")
    def __init__(self) -> None:
        self.answers: list[object] = []

    @event("Answered")
    def answer(self, ask: str, seat: str, answer: object) -> None:
        """Keep an answer."""
        self.answers.append(answer)


def recorded(answers: Sequence[Any], path: Path) -> tuple[float, float]:
    """Return ms of the thread an answer takes in SQLite, as its recorder writes it, and in a replay from there."""
    library: Application[Any] = Application(
        env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    )
    record = Record()
    start = time.thread_time()
    for answer in answers:
        record.answer("attack.target", "sauron", answer)
        library.save(record)
    kept = time.thread_time()
    again: Record = library.repository.get(record.id)
    replayed = time.thread_time()
    assert len(again.answers) == len(answers)
    library.close()
    return (kept - start) * 1000 / len(answers), (replayed - kept) * 1000 / len(answers)
