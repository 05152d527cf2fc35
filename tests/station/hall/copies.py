"""Old copies of a hall while boxes play: ``python -m tests.station.hall.copies --boxes 50``.

First a copy in its place: every box has a whole evening in its journal, half of them are idle; the hall is killed,
its file replaced by one that is so many acts old and has lost entries, and started again. It must be found, take no
act before somebody says so, and have every entry of every box again. Then two side by side, of which only one went
on, or both: one box speaks to both of them, and whichever lacks what the other has must stop. Times, s, as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

from referee.hall.desk import FILE
from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session import Entry
from referee.station.hall.link import Link
from tests.bench.spread import limit, missed
from tests.hall import served
from tests.station.hall.kills import Fleet, end, judge

FOUND = 5.0
FILLED = 30.0  # within how long the copy is found, and every entry there, s
PATIENCE = 60.0
IDLE = 3.0  # how long a hall in doubt is watched, s


class Player:
    """A box whose journal has so many entries; every second one plays on."""

    def __init__(self, folder: Path, port: int, certificate: str, number: int, entries: int) -> None:
        self.token = served.token(number)
        self.journal = Journal(folder / f"box-{number}" / "journal.db")
        self.idle = number % 2 == 0
        self.chance = random.Random(number)
        self.link = Link(f"127.0.0.1:{port}", certificate, self.token, self.journal, lambda _: None)
        self.link._kept()  # it was added before it played
        for part in range(2):
            answer: dict[str, Any] = {"book": "skirmish", "ruling": None, "settings": {}, "lot": [number, part]}
            self.game = self.journal.begin("skirmish", Entry(0, "start", "1", answer=answer))
            self._play(entries // 2 - 1)
        self.link.start(Mock())  # no loop
        self.link.tell({"number": self.game})

    def _play(self, entries: int) -> None:
        first = self.journal.head(self.game)[0] + 1
        rolls = range(first, first + entries)
        self.journal.append(self.game, [Entry(n, "answer", "1", answer=[self.chance.random()]) for n in rolls])

    def play(self, *, says: bool) -> None:
        if says:
            Notes(self.journal, self.game).add({"call": {"table": 7, "lot": self.chance.randrange(1 << 30)}})
        elif not self.idle:
            self._play(1)
        self.link.tell({"number": self.game})

    def total(self) -> int:
        return sum(each.entries for each in self.journal.games())

    def close(self) -> None:
        self.link.stop()
        self.journal.close()


def wait(holds: Callable[[], bool]) -> float:
    """Return how long it took until it holds, s; `PATIENCE` where it never does."""
    began, pause = time.monotonic(), threading.Event()
    while not holds() and time.monotonic() - began < PATIENCE:
        pause.wait(0.05)
    return time.monotonic() - began


def put_in_place(folder: Path, boxes: int, entries: int, acts: int) -> dict[str, Any]:
    """Put an old copy in the place of the hall; return what came of it."""
    fleet = Fleet(folder, 0)
    (home, port), *_ = fleet.halls_at.items()
    with ExitStack() as stack:
        stack.callback(fleet.close)
        players = []
        for number in range(boxes):
            (folder / f"box-{number}").mkdir()
            players.append(stack.enter_context(closing(Player(folder, port, fleet.certificate, number, entries))))
        looks = served.Opened(home)

        def full() -> bool:
            there = looks.totals()
            return all(there.get(each.token) == each.total() for each in players)

        first = wait(full)
        served.copy(home, home / "copy.db", lose=True)
        old = looks.newest()
        wait(lambda: looks.newest() >= old + acts)
        for each in players:
            each.play(says=each.idle)
        wait(full)
        end(fleet.halls[home])
        newest = looks.newest()
        looks.close()
        served.restore(home)
        fleet.start(home)
        looks = stack.enter_context(closing(served.Opened(home)))
        for each in players:
            each.play(says=False)
        found = wait(lambda: looks.doubt)
        stopped = looks.newest()
        filled = found + wait(full)
        accepted = len(looks.acts()) + looks.newest() - stopped
        looks.go_on()
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


def side_by_side(folder: Path, boxes: int, *, both: bool) -> dict[str, Any]:
    """Start a copy of a hall beside it; return what came of it. ``both``: of them go on, not only the first."""
    fleet = Fleet(folder, boxes)
    with ExitStack() as stack:
        stack.callback(fleet.close)
        fleet.live(2.0)
        first, second = fleet.folders[0], folder / "second"
        second.mkdir()
        served.copy(first, second / FILE)
        fleet.start(second, *(() if both else ("--quiet",)))
        fleet.live(2.0)
        one, other = (stack.enter_context(closing(served.Opened(each))) for each in (first, second))
        ahead = other.newest() - one.newest()
        box = fleet.boxes[0]

        def carried(to: served.Opened) -> float:
            """Let a box speak to the other hall; return how long it took until that is in doubt, s."""
            end(fleet.lines[box])
            fleet.lines[box] = fleet.start_line(box, first if to is one else second)
            return wait(lambda: to.doubt)

        found = [carried(other)]
        stopped = other.newest()
        if both:
            found.append(carried(one))
            stopped += one.newest()
        else:
            end(fleet.lines[box])
            fleet.lines[box] = fleet.start_line(box, first)
        before = one.newest()
        fleet.live(IDLE)
        after = other.newest() + (one.newest() if both else 0)
        goes_on = one.newest() - before
        if both:
            one.go_on()
            end(fleet.lines[box])
            fleet.lines[box] = fleet.start_line(box, first)
        end(fleet.halls.pop(second))
        faults = fleet.rest()
    _, _, wrong = judge(fleet)
    return {
        "ahead_acts": ahead,
        "found_s": limit(max(found), most=FOUND),
        "acts_after_that": limit(after - stopped, most=0),
        "the_newer_one_goes_on": both or goes_on > 0,
        "faults": limit(len([*faults, *wrong]), most=0),
        "which": [*faults, *wrong],
    }


def main() -> int:
    """Do it, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=50)
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--acts", type=int, default=100)
    options = parser.parse_args()
    runs: dict[str, Callable[[Path], dict[str, Any]]] = {
        "in its place": lambda folder: put_in_place(folder, options.boxes, options.entries, options.acts),
        "side by side, one goes on": lambda folder: side_by_side(folder, 3, both=False),
        "side by side, both go on": lambda folder: side_by_side(folder, 3, both=True),
    }
    report = {}
    for name, run in runs.items():
        with tempfile.TemporaryDirectory() as folder:
            report[name] = run(Path(folder))
    print(json.dumps(report, indent=1))
    return int(bool(missed(report)) or not all(each.get("the_newer_one_goes_on", True) for each in report.values()))


if __name__ == "__main__":
    sys.exit(main())
