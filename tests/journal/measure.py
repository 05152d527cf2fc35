"""What one accepted answer costs with the journal: ``python -m tests.journal.measure [FOLDER]``.

Answers without a journal, with one, and with one that seals each of them (as the first of every turn is sealed), in
turns, so that what else the machine does falls on all three. Run it on the disk that is meant: an SD card is slower
than most by an order of magnitude.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from referee.journal import Journal
from referee.session import Entry, Session, resume
from tests.bench.spread import spread
from tests.session.skirmish import BOOK


class _Unsealed(Journal):
    """A journal that seals nothing."""

    def append(self, game: int, entries: Sequence[Entry], *, seal: bool = False) -> None:
        super().append(game, entries, seal=False)


def measure(folder: str | None = None, answers: int = 1000) -> dict[str, dict[str, float]]:
    """Return the times of single answers, ms. In this game every answer begins a turn."""
    times: dict[str, list[float]] = {"without a journal": [], "with a journal": [], "sealed": []}
    with (
        tempfile.TemporaryDirectory(dir=folder) as name,
        _Unsealed(Path(name) / "plain.db") as plain,
        Journal(Path(name) / "sealed.db") as sealed,
    ):
        sessions = dict(zip(times, (Session(BOOK, journal=each) for each in (None, plain, sealed)), strict=True))
        for _ in range(answers):
            for kind, session in sessions.items():
                begun = time.perf_counter()
                session.answer("pass", n=session.n, source="measure", at=begun)
                times[kind].append((time.perf_counter() - begun) * 1e3)
        begun = time.perf_counter()
        resume(BOOK, sealed, 1)
        resumed = [(time.perf_counter() - begun) * 1e3]
    return {kind: spread(each) for kind, each in times.items()} | {f"taking up {answers} answers": spread(resumed)}


def main() -> None:
    for kind, times in measure(sys.argv[1] if len(sys.argv) > 1 else None).items():
        print(f"{kind}: median {times['median']:.3f} ms, p99 {times['p99']:.3f} ms, most {times['max']:.3f} ms")


if __name__ == "__main__":
    main()
