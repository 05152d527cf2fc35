"""What one accepted answer costs with the journal: ``python -m tests.journal.measure [FOLDER]``.

Prints the median and the slowest of 1,000 answers, in ms, with and without the journal. Run it on the disk that
is meant: an SD card is slower than this machine by an order of magnitude.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from referee.journal import Journal
from referee.session import Session
from tests.session.skirmish import BOOK


def measured(session: Session) -> list[float]:
    """Return the time of each of 1,000 answers, ms."""
    taken = []
    for _ in range(1000):
        begun = time.perf_counter()
        session.answer("pass", n=session.n, source="measure", at=begun)
        taken.append((time.perf_counter() - begun) * 1e3)
    return taken


def main() -> None:
    where = sys.argv[1] if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory(dir=where) as folder, Journal(Path(folder) / "journal.db") as journal:
        written = measured(Session(BOOK, journal=journal, wall=time.time))
        begun = time.perf_counter()
        Session.resume(BOOK, journal, 1)
        resumed = (time.perf_counter() - begun) * 1e3
    for name, taken in (("without a journal", measured(Session(BOOK))), ("with a journal", written)):
        print(f"{name}: median {statistics.median(taken):.3f} ms, slowest {max(taken):.3f} ms")  # noqa: T201
    print(f"taking up a game of 1,000 answers: {resumed:.0f} ms")  # noqa: T201


if __name__ == "__main__":
    main()
