"""Nothing accepted is ever lost: the power cut, and the disk failing, at every operation a journal asks of it.

A reference game of every book is played on a recording disk. Then the power is cut before and during each of its
operations, with every kind of tail, and the production journal and session are started on what is left. Every answer
acknowledged must be there, once; the question must be one that stood on the glass, or the one the answer under way
led to; the game must go on; and no start may fail.
"""

from __future__ import annotations

import bisect
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.errors import JournalError, RefereeError
from referee.journal import Journal
from referee.journal.check import prove
from referee.journal.database import Database
from referee.session import Session, resume
from tests.components import MEMORY
from tests.journal.disk import FAILS, FULL, Disk, Op, Refuse
from tests.journal.power import NAME, TAILS, Medium, write
from tests.journal.reference import BOOKS, Reference, lasting

CUTS = 2500


class Trace(NamedTuple):
    """A reference game on a recording disk.

    ``ops``      what was done to the files
    ``acked``    after so many operations, so many entries had been acknowledged; in order
    ``created``  after so many operations the journal had been made, and its lock file says so
    ``lock``     the lock file, which SQLite does not write
    """

    reference: Reference
    ops: list[Op]
    acked: list[tuple[int, int]]
    created: int
    lock: bytes


def record(reference: Reference, folder: Path, pages: int, *, twice: bool) -> Trace:
    """Play a reference game. ``pages``: how long the log grows; ``twice``: the station is stopped half way."""
    acked, created = [(0, 0)], 0
    half = len(reference.moves) // 2 if twice else len(reference.moves)
    with Disk(folder) as disk:
        for moves in filter(None, (reference.moves[:half], reference.moves[half:])):
            with Journal(folder / NAME) as journal:
                journal._db.execute(f"PRAGMA wal_autocheckpoint = {pages}")
                if created:
                    session = resume(reference.book, journal, 1)
                else:
                    created = len(disk.ops)
                    session = Session(reference.book, journal=journal, source="reference")
                    acked.append((len(disk.ops), session.n))
                for move in moves:
                    move(session)
                    acked.append((len(disk.ops), session.n))
        ops = list(disk.ops)
    return Trace(reference, ops, acked, created, (folder / f"{NAME}.lock").read_bytes())


def points(trace: Trace, chance: random.Random) -> Iterator[tuple[int, str, dict[str, bytes]]]:
    """Yield a cut during each operation and each kind of tail: the operation, the tail, and what is left."""
    medium = Medium(chance)
    for k, op in enumerate(trace.ops):
        # The operation under way may have reached the medium in any part; a sync under way has synced nothing yet.
        if op.kind != "sync":
            medium.do(op)
        for tail in TAILS:
            yield k, tail, medium.after_cut(tail)
        if op.kind == "sync":
            medium.do(op)


def fault(trace: Trace, k: int, files: dict[str, bytes], folder: Path, chance: random.Random) -> str:
    """Start the production journal on what a cut during operation ``k`` left; return what is wrong, "" if nothing."""
    at = bisect.bisect_right(trace.acked, (k, sys.maxsize)) - 1
    sure, most = trace.acked[at][1], trace.acked[min(at + 1, len(trace.acked) - 1)][1]
    beside = {NAME + ".lock": trace.lock if k >= trace.created else b""}
    noise = {NAME + "-shm": chance.randbytes(32768)} if chance.random() < 0.2 else {}
    write(folder, {**files, **beside, **noise})
    try:
        with Journal(folder / NAME) as journal:
            if not journal.games():
                Session(trace.reference.book, journal=journal)
                return "lost: the game" if sure else ""
            session = resume(trace.reference.book, journal, 1)
            if session.n < sure:
                return f"lost: {sure} entries were acknowledged, {session.n} are here"
            if session.n > most or session.entries != trace.reference.session.entries[: session.n]:
                return "doubled: the entries are not those that were written"
            if trace.reference.prompts.get(session.n, "none") != session.prompt:
                return f"strange: question {session.n} never stood"
            if session.prompt is not None and not session.paused:
                session.pause()
                prove(journal, journal.games()[0])
    except (RefereeError, OSError) as error:
        return f"failed: {type(error).__name__}: {error}"
    return ""


@pytest.mark.long
def test_no_cut_loses_doubles_or_stops_anything(memory: Path) -> None:
    """A short log, a usual one, and a station stopped half way; round the games as often as it takes."""
    chance, faults, tails, books = random.Random(0), [], Counter[str](), Counter[str]()
    traces = []
    for book in BOOKS.values():
        reference = lasting(book(), 24)
        for pages, twice in ((12, False), (1000, True)):
            with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
                traces.append(record(reference, Path(folder), pages, twice=twice))
    rounds = [points(trace, chance) for trace in traces]
    while tails.total() < CUTS:
        for i, trace in enumerate(traces):
            point = next(rounds[i], None)
            if point is None:
                rounds[i] = points(trace, chance)
                continue
            k, tail, files = point
            wrong = fault(trace, k, files, memory, chance)
            tails[tail] += 1
            books[trace.reference.book.id] += 1
            if wrong:
                faults.append(f"{trace.reference.book.id}, operation {k}: {wrong}")
    assert faults == []
    assert set(tails) == set(TAILS)
    assert set(books) == set(BOOKS)


@pytest.mark.long
def test_a_journal_that_does_not_wait_for_the_disk_is_caught(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = Database._prepare

    def hasty(self: Database, db: object) -> None:
        prepare(self, db)  # type: ignore[arg-type]
        db.execute("PRAGMA synchronous = NORMAL")  # type: ignore[attr-defined]

    with monkeypatch.context() as patch:
        patch.setattr(Database, "_prepare", hasty)
        trace = record(lasting(BOOKS["skirmish"](), 12), memory, 1000, twice=False)
    chance = random.Random(1)
    again = memory / "again"
    again.mkdir()
    wrong = [fault(trace, k, files, again, chance) for k, _, files in points(trace, chance)]
    assert sum(each.startswith("lost") for each in wrong) > 50


def failing(first: int, count: int, code: Callable[[Op], int]) -> Refuse:
    """Return a disk's refusal of some operations in a row."""
    return lambda n, op: code(op) if first <= n < first + count and op.kind in FAILS else 0


MODES: dict[str, tuple[int, Callable[[Op], int]]] = {
    "fails once": (1, lambda op: FAILS[op.kind]),
    "fails a while": (4, lambda op: FAILS[op.kind]),
    "fails half way": (1, lambda op: -FAILS[op.kind]),
    "is full": (3, lambda op: FULL if op.kind == "write" else 0),
}


def stubborn(what: Callable[..., Any], at_fault: Callable[[JournalError], None], *arguments: Any) -> Any:
    """Try something again until the disk takes it."""
    for _ in range(12):
        try:
            return what(*arguments)
        except JournalError as fault:
            at_fault(fault)
    raise AssertionError("it never came right")


def played(reference: Reference, path: Path, at_fault: Callable[[JournalError, int], None]) -> Session:
    """Play a reference game on a disk that fails; a fault is told with how many entries are acknowledged."""
    with stubborn(lambda: Journal(path), lambda fault: at_fault(fault, 0)) as journal:
        begin = partial(Session, reference.book, journal=journal, source="reference")
        session: Session = stubborn(begin, lambda fault: at_fault(fault, 0))
        for move in reference.moves:
            before = session.n, session.prompt, session.entries, session.state()

            def same(fault: JournalError, before: tuple[object, ...] = before) -> None:
                assert (session.n, session.prompt, session.entries, session.state()) == before
                at_fault(fault, session.n)

            stubborn(lambda move: move(session), same, move)
        assert tuple(journal.entries(1)) == session.entries
    return session


@pytest.fixture(scope="module")
def reference() -> Reference:
    return lasting(BOOKS["skirmish"](), 10)


@pytest.mark.parametrize("mode", MODES)
def test_an_operation_that_fails_is_told_and_loses_nothing(memory: Path, reference: Reference, mode: str) -> None:
    """Each operation in turn. At every fault the power is cut, too: only what was acknowledged may be there."""
    count, code = MODES[mode]
    chance = random.Random(3)
    k, faults = 0, 0
    while True:
        folder = memory / str(k)
        folder.mkdir()
        with Disk(folder) as disk:
            disk.refuse = failing(k, count, code)
            told: list[tuple[str, int, int]] = []
            session = played(
                reference,
                folder / NAME,
                lambda fault, sure: told.append((str(fault), len(disk.ops), sure)),  # noqa: B023
            )
            asked = disk.calls
        assert session.entries == reference.session.entries
        for text, ops, sure in told:
            assert NAME in text
            assert "\n" not in text
            medium = Medium(chance)
            for op in disk.ops[:ops]:
                medium.do(op)
            _restart(reference, medium.after_cut(chance.choice(TAILS)), sure, memory / "again", strict=count == 1)
        faults += len(told)
        k += 1
        if k >= asked:
            break
    assert faults > k / 3


def _restart(reference: Reference, files: dict[str, bytes], sure: int, folder: Path, *, strict: bool) -> None:
    folder.mkdir(exist_ok=True)
    write(folder, files)
    with Journal(folder / NAME) as journal:
        games = journal.games()
        if not sure and not games:
            return
        session = resume(reference.book, journal, 1)
        prove(journal, games[0])
    # While the disk goes on failing nothing can be taken out of the log: at most the stroke under way may count then.
    after = [n for n in reference.prompts if n > sure][:1]
    assert session.n in ([sure] if strict else [sure, *after])
    assert session.entries == reference.session.entries[: session.n]
    assert session.prompt == reference.prompts[session.n]
