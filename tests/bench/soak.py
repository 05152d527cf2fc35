"""One station for days and months of play: nothing may grow but the journal, and that as computed.

    python -m tests.bench.soak [--days 7] [--gestures 250] [--seed 1]

The whole station runs on virtual time in one process that is never started anew: the box, an input board on its
cable, a browser that watches, and hands that play from a seed. A day has four sittings, one with each game: a game or
a desk of single rulings, conceded, put away, or left standing until the next time; between them the box idles, dims
and drifts. Every evening the board is plugged in and pulled, and the browser goes and comes back.

Looked at is the station with nobody at it, every morning, the caches with a bound emptied; the first days are to
warm up. Memory is every byte the process holds of its heap after a collection, told by the C library (mallinfo2),
which for this gets Python's small objects too (PYTHONMALLOC=malloc; the command starts itself anew with it). One JSON
object is printed; the exit code is 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referee import games
from referee.journal import Journal
from referee.station.virtual.bench import Bench
from referee.web.browsers import Browser, Browsers
from referee.web.guard import BOX
from referee.web.hub import PanelHold
from tests.bench.hands import Hands
from tests.bench.spread import limit, missed
from tests.bench.usb import UsbBoard

DAY = 86_400.0
MIB = 2**20
MEMORY_MIB = 1.0
"""Growth of memory after the warm-up must stay below this."""

ENTRY = 172
"""Bytes of an entry beside its texts: numbers, hashes, what SQLite keeps."""
EMPTY = 12_288
"""Bytes of a journal without a game."""
FILL = 0.885
"""Share of its pages that SQLite fills, where notes come between the entries of games."""
TOLERANCE, PAGE = 0.05, 4096
"""By how much the file may differ from what is computed from this, and by one page: docs/journal.md states it."""
WAL_MIB = 4.5
"""SQLite begins its log anew after 1000 pages of 4 KiB; one stroke may come on top."""


class Look(NamedTuple):
    """The station on one morning: bytes of the heap, open files, threads."""

    allocated: int
    files: int
    threads: int


class SpareBoard(UsbBoard):
    """A board that lies beside the box most of the day; nobody looks for it then, or a night would take minutes."""

    def deadline(self) -> float | None:
        return super().deadline() if self.cable.path else None

    def due(self, now: float) -> None:
        if self.cable.path:
            super().due(now)

    def pull(self) -> None:
        """Pull it out; the station notices."""
        self.cable.pull()
        super().due(self.clock())


class Soaked(Bench):
    """A station that keeps no notes for its tests, with all that can be connected to it."""

    def __init__(self, journal: Path, seed: int) -> None:
        self._browser: Browser | None = None
        super().__init__(journal, seed=seed, bounce=True)
        self.board = SpareBoard(self.clock, random.Random(seed))
        self.loop.attach("Input board", self.board.make)
        self.parts.append(self.board)
        self.wait(1)
        self.board.pull()
        self._browsers = Browsers(self.hub)

    def _look(self) -> None:
        """Read what the browser is sent, and look at nothing: a bench remembers every view it saw."""
        if self._browser is not None:
            self._browser.outbox.take()

    def enter(self) -> None:
        """A browser begins to watch."""
        self._browser = self._browsers.connect(lambda: None, BOX)

    def leave(self) -> None:
        """It goes, with a key still held."""
        assert self._browser is not None
        self._browsers.act(self._browser, PanelHold("back"))
        self._browsers.disconnect(self._browser)
        self._browser = None
        self.settle()


class Soak:
    """Days at one station. ``entries`` and the like are counted by the journal itself."""

    def __init__(self, folder: Path, gestures: int, seed: int) -> None:
        self.path = folder / "journal.db"
        self.bench = Soaked(self.path, seed)
        self.chance = random.Random(seed)
        self.hands = Hands(self.bench, self.chance)
        self.gestures = gestures
        self.wal = 0
        self.ended = dict.fromkeys(games.SHELF, 0)
        self.longest = 0

    def day(self) -> Look:
        """Play a day; return how the station is on the next morning."""
        dawn = self.bench.clock.now
        self.bench.enter()
        for part, name in enumerate(self.chance.sample(list(games.SHELF), len(games.SHELF))):
            if part == 2:
                self._plugged()
            self._sitting(name)
            self.bench.wait(self.chance.choice((60.0, 1200.0, 5400.0)))
        self.bench.leave()
        self.bench.wait(dawn + DAY - self.bench.clock.now)
        return self._look()

    def _sitting(self, name: str) -> None:
        console = self.bench.console
        if console.table.session is not None:
            self._over()
        left = self.bench.shelf.unfinished()
        if left and self.chance.random() < 0.25:
            console.table.take_up(self.chance.choice(left).id)
        else:
            book = games.load(name)
            ruling = self.chance.choice((None, *book.rulings)) if book.play else self.chance.choice([*book.rulings])
            console.table.begin(book, {}, ruling)
        for _ in range(self.gestures // 4):
            self.hands.act()
        self.wal = max(self.wal, size(self.path, "-wal"))
        if console.table.session is not None:
            self.longest = max(self.longest, len(console.table.session.entries))
        if self.chance.random() < 0.7:
            self._over()
        self.bench.settle()

    def _over(self) -> None:
        """End what is going on: give up, or put it away."""
        console = self.bench.console
        session = console.table.session
        if session is None:
            return
        if session.over is None and session.paused:
            console.table.resume()
        if session.over is None and session.ruling is None and self.chance.random() < 0.6:
            console.table.concede(session.prompt.seat if session.prompt else "")
        self.ended[session.book.id] += session.over is not None
        console.table.leave()

    def _plugged(self) -> None:
        """Somebody plays a while with the input board, until its cable is pulled with a key down."""
        board = self.bench.board
        board.cable.plug("ttyACM0")
        self.bench.wait(2)
        for _ in range(20):
            key = self.chance.choice(("die-1", "die-2", "seat-1"))
            board.move(key, closed=True)
            self.bench.wait(0.1)
            board.move(key, closed=False)
            self.bench.wait(0.5)
        board.move("die-1", closed=True)
        self.bench.wait(0.1)
        board.pull()
        self.bench.wait(2)

    def _look(self) -> Look:
        console = self.bench.console
        if console.table.session is not None:
            self._over()
            self.bench.settle()
        for cache in bounded_caches():
            cache.cache_clear()
        self.bench.journal._db.execute("PRAGMA shrink_memory")  # SQLite keeps up to 2 MiB of pages at hand
        gc.collect()
        return Look(heap(), len(list(Path("/proc/self/fd").iterdir())), threading.active_count())


def bounded_caches() -> list[Any]:
    """Return the caches of the process that have a bound."""
    caches = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    return [each for each in caches if each.cache_parameters()["maxsize"] is not None]


class _Mallinfo2(ctypes.Structure):
    _fields_ = (("sizes", ctypes.c_size_t * 10),)


def heap() -> int:
    """Return the bytes the process has allocated and not freed: hblkhd and uordblks of mallinfo2(3)."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _Mallinfo2
    sizes = mallinfo().sizes
    return int(sizes[4] + sizes[7])


def size(path: Path, suffix: str = "") -> int:
    """Return the bytes of a file; 0 if it is not there."""
    file = path.with_name(path.name + suffix)
    return file.stat().st_size if file.exists() else 0


def computed(journal: Journal) -> dict[str, float]:
    """Return what a journal holds, and how many bytes its file should have by that."""
    texts = ["kind", "edition", "ask", "rule", "seat", "by", "answer", "mode", "source", "result", "extra"]
    total = " + ".join(f"length(CAST({name} AS BLOB))" for name in texts)
    count, text = journal._db.execute(f"SELECT count(*), sum({total}) FROM entries").fetchone()
    games = journal._db.execute("SELECT count(*) FROM games").fetchone()[0]
    expected = EMPTY + (count * ENTRY + text) / FILL
    return {"games": games, "entries": count, "text": text, "computed": round(expected)}


def soak(folder: Path, days: int, gestures: int, seed: int, warm: int) -> dict[str, Any]:
    """Run; return the figures."""
    began = time.perf_counter()
    run = Soak(folder, gestures, seed)
    looks = [run.day() for _ in range(days + warm)]
    first, last = looks[warm - 1], looks[-1]
    journal = run.bench.journal
    counted = computed(journal)
    real = size(run.path) if checkpointed(journal) else 0
    run.bench.close()
    return {
        "virtual_days": days,
        "seed": seed,
        "seconds": round(time.perf_counter() - began, 1),
        "presses": run.hands.presses,
        "games_ended": run.ended,
        "longest_game_entries": run.longest,
        "journal": counted | {"bytes": real, "bytes_per_entry": round(real / counted["entries"])},
        "journal_off_by": limit(max(0, abs(real - counted["computed"]) - PAGE) / real, most=TOLERANCE),
        "memory_growth_mib": limit((last.allocated - first.allocated) / MIB, most=MEMORY_MIB),
        "more_open_files": limit(last.files - first.files, most=0),
        "more_threads": limit(last.threads - first.threads, most=0),
        "wal_mib": limit(run.wal / MIB, most=WAL_MIB),
    }


def checkpointed(journal: Journal) -> bool:
    """Have SQLite write its log into the file; say whether all of it went."""
    busy, pages, done = journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy and pages == done


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 if a limit is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--days", type=int, default=7, metavar="N", help="virtual days after the warm-up")
    options.add_argument("--warm", type=int, default=2, metavar="N", help="days to warm up before")
    options.add_argument("--gestures", type=int, default=250, metavar="N", help="gestures of the hands a day")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args(arguments)
    if os.environ.get("PYTHONMALLOC") != "malloc":
        command = [sys.executable, "-m", "tests.bench.soak", *(sys.argv[1:] if arguments is None else arguments)]
        return subprocess.run(command, env=os.environ | {"PYTHONMALLOC": "malloc"}, check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(Path(folder), chosen.days, chosen.gestures, chosen.seed, chosen.warm)
    print(json.dumps(figures, indent=2))
    return 1 if missed(figures) else 0


if __name__ == "__main__":
    sys.exit(main())
