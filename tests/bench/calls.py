"""From a call at the box to desk and tablet, from a ruling to the glass: ``python -m tests.bench.calls``.

A hall in a process of its own, a station with its uplink here, real sockets. The desk has a call when the stream of
its pages says that something has changed; a judge's tablet has it when the page of calls, which it loads then, over
TLS and on a line of its own, has the call. It prints the median and the longest of each way in s, as JSON, and fails
where one took longer than a second.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path
from typing import Final

from referee.hall import example
from referee.hall.desk import Desk
from referee.hall.uplink import pinned
from referee.hall.uplink.client import Hall as Paired
from referee.journal import seal
from referee.station.inbox import Ordered, Seated, Timed
from referee.station.uplink import StationUplink
from referee.testing.station import Bench
from tests.bench.heard import Listening
from tests.bench.spread import limit, missed
from tests.hall.process import Hall, running
from tests.hall.tablet import Staff

LONGEST: Final = 1.0
MORE: Final = 4 * 60_000
"""Ms by which an extension of five minutes is seen."""


class Tablet(Staff):
    """A judge's tablet, its page of calls open."""

    def __init__(self, hall: Hall) -> None:
        super().__init__(hall, hall.asked)
        self.cookie = self.let_in("judge")
        self.news = self.ask("GET", "/news", self.cookie)

    def open(self) -> None:
        """Open the page of calls."""
        self.shown = int(re.findall(r'data-news="(\d+)"', self.page())[0])

    def see(self, number: int) -> None:
        """Load the page each time it hears of something newer, until it has the call of that number."""
        seen = ""
        while f'name="call" value="{number}"' not in seen:
            line = self.news.readline()
            if line.startswith(b"data: ") and int(line[6:]) > self.shown:
                seen = self.page()

    def page(self) -> str:
        """Return the page of calls."""
        with ExitStack() as self.lines:
            return self.ask("GET", "/floor", self.cookie).read().decode()


class Table(Listening):
    """A box at table 1 of the example, the desk's stream, and a judge's tablet."""

    def __init__(self, bench: Bench, address: str, hall: Hall) -> None:
        super().__init__(bench)
        self.hall = hall
        self.uplink = StationUplink(address, bench.journal, self.words.put)
        self.uplink.start()
        self.hear(Seated)
        bench.wait(1.0)
        bench.key("select")
        bench.play("war-of-the-ring")
        bench.wait(1.0)
        self.tablet = Tablet(hall)
        self.news: HTTPResponse = hall.ask(hall.own, "GET", "/news")
        self.changed()

    def changed(self) -> None:
        """Wait until the desk hears of something."""
        while not self.news.readline().startswith(b"data"):
            pass

    def call(self) -> None:
        """Hold Back until the desk has the call."""
        self.bench.hold("back", 2.1)
        self.changed()

    def rule(self, number: int) -> None:
        """Resolve a call, until the ruling is on the glass."""
        self.hall.ask(self.hall.own, "POST", "/floor", do="resolve", call=str(number), judge="1", why="as printed")
        self.hear(Ordered)

    def extend(self) -> None:
        """Give the table five minutes, until its clock of the round has them."""
        clock = self.bench.console.table.clocks.round
        before = clock.left
        self.hall.ask(self.hall.own, "POST", "/floor", do="extend", round="1", table="1", minutes="5", why="late")
        while clock.left < before + MORE:
            self.hear(Timed)

    def rest(self) -> None:
        """Look at what is on the glass, and take it away."""
        self.bench.wait(1.0)
        self.bench.key("select")
        self.bench.wait(1.0)


def seconds(what: Callable[[], None]) -> float:
    """Return how long something takes."""
    begun = time.monotonic()
    what()
    return time.monotonic() - begun


def measure(folder: Path, calls: int) -> dict[str, list[float]]:
    """Return how long each call and each ruling took, s."""
    box = folder / "box"
    box.mkdir()
    with Desk(folder / "event") as desk:
        example.fill(desk, [seal.signer(box).public])
        event, term = desk.record.event, desk.record.term
    arguments = ("--folder", str(folder / "event"), "--box-port", "0", "--staff-port", "0")
    with running(*arguments, state=folder) as hall, Bench(box / "journal.db") as bench:
        port = next(line.rpartition(":")[2] for line in hall.lines if line.startswith("Boxes connect"))
        address = f"127.0.0.1:{port}"
        pinned.write(box, Paired(address, event, term))
        table = Table(bench, address, hall)
        took: dict[str, list[float]] = {"call": [], "call_on_tablet": [], "ruling": [], "extension": []}
        for number in range(1, calls + 1):
            table.tablet.open()
            took["call"].append(seconds(table.call))
            on_page = seconds(lambda number=number: table.tablet.see(number))  # type: ignore[misc]
            took["call_on_tablet"].append(took["call"][-1] + on_page)
            table.rest()
            took["ruling"].append(seconds(lambda number=number: table.rule(number)))  # type: ignore[misc]
            table.changed()
            table.rest()
            took["extension"].append(seconds(table.extend))
            table.changed()
            table.rest()
        table.uplink.stop()
    return took


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        took = measure(Path(folder), options.calls)
    figures = {
        name: {
            "n": len(each),
            "median_s": round(statistics.median(each), 3),
            "longest_s": limit(max(each), most=LONGEST),
        }
        for name, each in took.items()
    }
    print(json.dumps(figures, indent=1))
    return int(bool(missed(figures)))


if __name__ == "__main__":
    sys.exit(main())
