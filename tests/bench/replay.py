"""How fast answers are accepted, and a recorded game is judged again; and what an undo costs in a long one."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from referee import games
from referee.errors import Refused
from referee.journal import Journal
from referee.rulebook import Play
from referee.rulebook.asks import Choose, Count, Pick, Roll
from referee.session import Session
from tests.bench.yardstick import Yardstick
from tests.components import MEMORY

ANSWERS = 5_000


def recorded(book_id: str, answers: int = ANSWERS, seed: int = 1) -> list[Any]:
    """Play a game as a table would (attacks, builds and moves, phases ended now and then); return its answers."""
    chance = random.Random(seed)
    play = Play(games.load(book_id))
    record: list[Any] = []
    while len(record) < answers:
        ask = play.ask
        if ask is None:
            raise RuntimeError(f"the game of seed {seed} ended after {len(record)} answers; take another seed")
        answer = _some(ask, chance)
        try:
            play.answer(answer)
        except Refused:
            continue
        record.append(answer)
    return record


def _some(ask: Any, chance: random.Random) -> Any:
    if isinstance(ask, Choose):
        ids = [option.id for option in ask.options()]
        if ask.key == "move.menu":
            return "move-check" if chance.random() < 0.7 and "move-check" in ids else "done"
        if ask.passing in ids and chance.random() < 0.1:
            return ask.passing
        keep = [i for i in ids if i not in ("ring-captured", "removed", ask.passing)] or ids or ["back"]
        return chance.choice(keep)
    if isinstance(ask, Roll):
        return chance.choice([(3, 4), (2, 4), (1, 5), (3, 3)])  # seldom decisive: the armies must last
    if isinstance(ask, Count):
        return chance.randint(ask.low, ask.high)
    assert isinstance(ask, Pick)
    return [option.id for option in ask.options()][: ask.low]


def longest(book_id: str) -> list[Any]:
    """Return a recorded game of full length, from the first seed whose game lasts so long."""
    for seed in range(200):
        try:
            return recorded(book_id, seed=seed)
        except RuntimeError:
            continue
    raise RuntimeError("no seed gave a game of full length")


def replays(book_id: str, yardstick: Yardstick, rounds: int = 9) -> tuple[list[float], int]:
    """Return ms of the thread that an answer takes in several replays, and how many answers the game has."""
    answers = longest(book_id)
    times = []
    for _ in range(rounds):
        yardstick.take(10)
        play = Play(games.load(book_id))
        times.append(_each(play.answer, answers))
    return times, len(answers)


def undos(book_id: str, yardstick: Yardstick, rounds: int = 60) -> list[float]:
    """Return ms of the thread for undos at the end of a game of 5,000 answers, each answered again afterwards."""
    session = Session(games.load(book_id))
    answers = longest(book_id)
    for answer in answers:
        session.answer(answer)
    times = []
    for _ in range(rounds):
        yardstick.take()
        start = time.thread_time()
        session.undo()
        times.append((time.thread_time() - start) * 1000)
        prompt = session.prompt
        assert prompt is not None
        session.answer(list(prompt.stands) if prompt.stands else answers[-1])
    return times


def against_library(book_id: str, rounds: int = 9, count: int = 1000) -> dict[str, list[float]]:
    """Return ms of the thread of an answer and of its replay, ours and the library's, in alternating rounds.

    Both write each answer to SQLite, in a file in memory, so that no disk is measured.
    """
    answers = longest(book_id)[:count]
    times: dict[str, list[float]] = {"answer": [], "replay": [], "library_answer": [], "library_replay": []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            with Journal(Path(folder) / "journal.db") as journal:
                session = Session(games.load(book_id), journal=journal)
                times["answer"].append(_each(session.answer, answers))
            times["replay"].append(_each(Play(games.load(book_id)).answer, answers))
            kept, replayed = in_library(answers, Path(folder) / "library.db")
            times["library_answer"].append(kept)
            times["library_replay"].append(replayed)
    return times


def _each(take: Callable[[Any], object], answers: Sequence[Any]) -> float:
    start = time.thread_time()
    for answer in answers:
        take(answer)
    return (time.thread_time() - start) * 1000 / len(answers)


class LibraryRecord(Aggregate):
    """A game as that library has it: what was asked, of whom, and the answer."""

    @event("Begun")
    def __init__(self) -> None:
        self.answers: list[object] = []

    @event("Answered")
    def answer(self, ask: str, seat: str, answer: object) -> None:
        """Keep an answer."""
        self.answers.append(answer)


def in_library(answers: Sequence[Any], path: Path) -> tuple[float, float]:
    """Return ms of the thread an answer takes in SQLite, as its recorder writes it, and in a replay from there."""
    library: Application[Any] = Application(
        env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    )
    record = LibraryRecord()
    start = time.thread_time()
    for answer in answers:
        record.answer("attack.target", "sauron", answer)
        library.save(record)
    kept = time.thread_time()
    again: LibraryRecord = library.repository.get(record.id)
    replayed = time.thread_time()
    assert len(again.answers) == len(answers)
    library.close()
    return (kept - start) * 1000 / len(answers), (replayed - kept) * 1000 / len(answers)
