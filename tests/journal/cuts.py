"""Power cuts by the thousand.

A reference game of every book is played on a recording disk. Then the power is cut before and during each of its
operations, in turn and with every kind of tail, and the production journal and session are started on what is left.
Every answer that had been acknowledged must be there, once; the question must be one that stood on the glass, or the
one the answer under way led to; the game must go on; and no start may fail.
"""

from __future__ import annotations

import bisect
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import RefereeError
from referee.journal import Journal
from referee.journal.proof import prove
from referee.session import Session, resume
from tests.components import MEMORY
from tests.journal.disk import Disk, Op
from tests.journal.power import TAILS, Medium, write
from tests.journal.reference import BOOKS, Reference, lasting

NAME = "journal.db"


@dataclass
class Trace:
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
    with Disk(folder) as disk:
        acked = [(0, 0)]
        half = len(reference.moves) // 2 if twice else 0
        with Journal(folder / NAME) as journal:
            journal._db.execute(f"PRAGMA wal_autocheckpoint = {pages}")
            created = len(disk.ops)
            session = Session(reference.book, journal=journal, source="reference")
            acked.append((len(disk.ops), session.n))
            for move in reference.moves[: half or None]:
                move(session)
                acked.append((len(disk.ops), session.n))
        if half:
            with Journal(folder / NAME) as journal:
                journal._db.execute(f"PRAGMA wal_autocheckpoint = {pages}")
                session = resume(reference.book, journal, 1)
                for move in reference.moves[half:]:
                    move(session)
                    acked.append((len(disk.ops), session.n))
        ops = list(disk.ops)
    return Trace(reference, ops, acked, created, (folder / f"{NAME}.lock").read_bytes())


@dataclass
class Tally:
    """What came of some cuts."""

    cuts: int = 0
    lost: int = 0
    doubled: int = 0
    strange: int = 0
    failed: int = 0
    faults: list[str] = field(default_factory=list)
    tails: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)


def traces(strokes: int) -> list[Trace]:
    """Return recorded games of every book: a short log, a usual one, and a station stopped half way."""
    recorded = []
    for book in BOOKS.values():
        reference = lasting(book(), strokes)
        for pages, twice in ((12, False), (1000, True)):
            with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
                recorded.append(record(reference, Path(folder), pages, twice=twice))
    return recorded


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


def cut(trace: Trace, k: int, files: dict[str, bytes], folder: Path, tally: Tally, chance: random.Random) -> None:
    """Start the production journal on what a cut during operation ``k`` left, and judge what is found."""
    at = bisect.bisect_right(trace.acked, (k, sys.maxsize)) - 1
    sure, most = trace.acked[at][1], trace.acked[min(at + 1, len(trace.acked) - 1)][1]
    beside = {NAME + ".lock": trace.lock if k >= trace.created else b""}
    noise = {NAME + "-shm": chance.randbytes(32768)} if chance.random() < 0.2 else {}
    write(folder, {**files, **beside, **noise})
    where = f"{trace.reference.book.id}, operation {k}"
    try:
        with Journal(folder / NAME) as journal:
            games = journal.games()
            if not games:
                tally.lost += bool(sure)
                Session(trace.reference.book, journal=journal)
                return
            session = resume(trace.reference.book, journal, 1)
            _judge(trace, session, sure, most, tally, where)
            if session.prompt is not None and not session.paused:
                session.pause()
                prove(journal, journal.games()[0])
    except (RefereeError, OSError) as fault:
        tally.failed += 1
        tally.faults.append(f"{where}: {type(fault).__name__}: {fault}")


def _judge(trace: Trace, session: Session, sure: int, most: int, tally: Tally, where: str) -> None:
    recorded = trace.reference.session.entries
    if session.n < sure:
        tally.lost += 1
        tally.faults.append(f"{where}: {sure} entries were acknowledged, {session.n} are here")
    elif session.n > most or session.entries != recorded[: session.n]:
        tally.doubled += 1
        tally.faults.append(f"{where}: the entries are not those that were written")
    elif trace.reference.prompts.get(session.n, "none") != session.prompt:
        tally.strange += 1
        tally.faults.append(f"{where}: question {session.n} never stood")


def run(cuts: int, strokes: int = 24, seed: int = 0) -> Tally:
    """Cut the power so many times, going round the games and their operations as often as it takes."""
    tally, chance = Tally(), random.Random(seed)
    recorded = traces(strokes)
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name)
        rounds = [points(trace, chance) for trace in recorded]
        while tally.cuts < cuts:
            for i, trace in enumerate(recorded):
                point = next(rounds[i], None)
                if point is None:
                    rounds[i] = points(trace, chance)
                    continue
                k, tail, files = point
                cut(trace, k, files, folder, tally, chance)
                tally.cuts += 1
                tally.tails[tail] += 1
                tally.games[trace.reference.book.id] += 1
    return tally
