"""An old copy in the place of the hall while boxes play: ``python -m tests.station.hall.copies --boxes 50``.

Every box has a whole evening in its journal; half of them are idle. The hall is killed, its file replaced by one that
is so many acts old and has lost entries, and started again. It must be found, take no act before somebody says so,
and have every entry of every box again, of the idle ones too. It prints when each was so, s, as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session import Entry
from referee.station.hall.kept import Membership, write_membership
from referee.station.hall.link import Link
from tests.bench.spread import limit, missed
from tests.hall import served
from tests.ports import quiet_port

FOUND = 5.0
FILLED = 30.0
"""Within how long the copy is found, and every entry there, s."""
PATIENCE = 60.0


class Players:
    """A box each, whose journal has so many entries; every second one plays on."""

    def __init__(self, folder: Path, port: int, certificate: str, number: int, entries: int) -> None:
        self.path = folder / f"box-{number}" / "journal.db"
        self.token = f"box-{number}-".ljust(43, "t")
        self.journal = Journal(self.path)
        write_membership(self.path.parent, Membership(certificate, self.token, 1))
        self.idle = number % 2 == 0
        self.chance = random.Random(number)
        for part in range(2):
            answer: dict[str, Any] = {"book": "skirmish", "ruling": None, "settings": {}, "lot": [number, part]}
            game = self.journal.begin("skirmish", Entry(0, "start", "1", answer=answer))
            self._play(game, entries // 2 - 1)
        self.game = game
        self.link = Link(f"127.0.0.1:{port}", certificate, self.token, self.journal, lambda _: None)
        self.link.start(Mock())  # no loop
        self.link.tell({"number": self.game})

    def _play(self, game: int, entries: int) -> None:
        first = self.journal.head(game)[0] + 1
        rolls = range(first, first + entries)
        self.journal.append(game, [Entry(n, "answer", "1", answer=[self.chance.random()]) for n in rolls])

    def play(self, *, says: bool) -> None:
        if says:
            Notes(self.journal, self.game).add({"call": {"table": 7, "lot": self.chance.randrange(1 << 30)}})
        elif not self.idle:
            self._play(self.game, 1)
        self.link.tell({"number": self.game})

    def total(self) -> int:
        return sum(each.entries for each in self.journal.games())

    def close(self) -> None:
        self.link.stop()
        self.journal.close()


def start(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "tests.hall.served", str(folder), str(port)]
    hall = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert hall.stdout is not None
    return hall, hall.stdout.readline().strip()


def kill(hall: subprocess.Popen[str]) -> None:
    hall.send_signal(signal.SIGKILL)
    hall.wait()
    if hall.stdout is not None:
        hall.stdout.close()


def wait(holds: Callable[[], bool]) -> float:
    """Return how long it took until it holds, s; `PATIENCE` where it never does."""
    began, pause = time.monotonic(), threading.Event()
    while not holds() and time.monotonic() - began < PATIENCE:
        pause.wait(0.05)
    return time.monotonic() - began


def put_in_place(folder: Path, boxes: int, entries: int, acts: int) -> dict[str, Any]:
    """Put an old copy in the place of the hall; return what came of it."""
    port = quiet_port()
    hall, certificate = start(folder, port)
    looks = served.Opened(folder)
    with ExitStack() as stack:
        stack.callback(lambda: kill(hall))
        players = []
        for number in range(boxes):
            (folder / f"box-{number}").mkdir()
            players.append(stack.enter_context(closing(Players(folder, port, certificate, number, entries))))

        def full() -> bool:
            there = looks.totals()
            return all(there.get(each.token) == each.total() for each in players)

        first = wait(full)
        served.copy(folder)
        old = looks.newest()[0]
        wait(lambda: looks.newest()[0] >= old + acts)
        for each in players:
            each.play(says=each.idle)
        wait(full)
        kill(hall)
        newest = looks.newest()[0]
        looks.close()
        served.restore(folder)
        hall, _ = start(folder, port)
        looks = served.Opened(folder)
        for each in players:
            each.play(says=False)
        found = wait(lambda: looks.doubt)
        filled = found + wait(full)
        accepted = len(looks.acts())
        looks.go_on(newest + 1_000)
        said = wait(lambda: len(looks.acts()) == boxes // 2 + boxes % 2)
    return {
        "boxes": boxes,
        "filled_at_first_s": round(first, 1),
        "acts_old": newest - old,
        "found_s": limit(found, most=FOUND),
        "acts_before_somebody_said_so": limit(accepted, most=0),
        "every_entry_there_s": limit(filled, most=FILLED),
        "every_act_there_again_s": limit(said, most=FILLED),
    }


def main() -> int:
    """Do it, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=50)
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--acts", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = put_in_place(Path(folder), options.boxes, options.entries, options.acts)
    print(json.dumps(report, indent=1))
    return int(bool(missed(report)))


if __name__ == "__main__":
    sys.exit(main())
