"""What this machine takes at this moment for work that is not ours; the figures are ratios to it.

Shared machines are slow for seconds at a time. So a yardstick is taken between the measurements, never once before.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from PIL import Image, ImageDraw

from tests.bench.spread import spread


class Yardstick:
    """A commit, a drawing and a piece of arithmetic, as often as they were taken; times in ms.

    ``commit``      one row into an SQLite file in WAL mode, synced to the disk
    ``drawing``     three lines of Pillow's own font on a picture of 128x64
    ``arithmetic``  20,000 additions, time of the processor
    """

    def __init__(self) -> None:
        self.commits: list[float] = []
        self.drawings: list[float] = []
        self.sums: list[float] = []
        self._folder = tempfile.TemporaryDirectory()
        self._file = sqlite3.connect(Path(self._folder.name) / "yardstick.db", isolation_level=None)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("CREATE TABLE page (text TEXT)")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._folder.cleanup()

    def take(self, times: int = 1) -> None:
        """Do each once more, or several times."""
        for _ in range(times):
            self.commits.append(_ms(lambda: self._file.execute("INSERT INTO page VALUES (?)", ("x" * 300,))))
            self.drawings.append(_ms(_draw))
            self.sums.append(_ms(lambda: sum(range(20_000)), time.thread_time))

    @property
    def answers(self) -> list[float]:
        """What an answer cannot do without: a commit, a drawing, and some work; ms, one for each time taken."""
        return [sum(each) for each in zip(self.commits, self.drawings, self.sums, strict=True)]

    def as_json(self) -> dict[str, Any]:
        """Return the spread of each."""
        return {
            "commit_ms": spread(self.commits),
            "drawing_ms": spread(self.drawings),
            "arithmetic_ms": spread(self.sums),
        }


def _draw() -> None:
    pen = ImageDraw.Draw(Image.new("1", (128, 64)))
    for line in range(3):
        pen.text((0, 20 * line), "Gondor out 5+4", fill=1)


def _ms(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    work()
    return (clock() - start) * 1000
