"""A box dies in the middle of a battle: ``python -m tests.bench.spare`` measures how soon a spare goes on.

A hall in a process of its own, two stations with their uplinks here, real sockets. The old box plays into an attack
with its clocks running and is cut off; the organiser places the spare. It prints the time from the form to the
question on the glass of the spare in s, and by how many ms its clocks differ, as JSON; it fails where the first is
more than `LONGEST`, the second more than `CLOCKS`, the question is another, or the old box does not hear of it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from referee.clock.settings import Settings
from referee.config import Config
from referee.hall import example
from referee.hall.desk import Desk
from referee.hall.uplink import pinned
from referee.hall.uplink.client import Hall as Paired
from referee.hall.uplink.term import Term
from referee.journal import seal
from referee.station.inbox import TakeOver, Trouble
from referee.station.uplink import StationUplink
from referee.testing.station import Bench
from tests.bench.heard import Listening
from tests.bench.spread import limit, missed
from tests.hall.process import Hall, running

LONGEST: Final = 60.0
"""S."""
CLOCKS: Final = 100
"""Ms; what the old box had recorded is compared."""
TABLE: Final = 1


class Box(Listening):
    """A station and its uplink."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        super().__init__(Bench(folder / "journal.db", Config(clock=Settings(use="start"))))
        self.key = seal.signer(folder).public
        self.uplink: StationUplink | None = None

    def connect(self, address: str, event: str, term: Term) -> None:
        """Begin to talk with the hall."""
        pinned.write(self.folder, Paired(address, event, term))
        self.uplink = StationUplink(address, self.bench.journal, self.words.put)
        self.uplink.catch_up()
        self.uplink.start()

    def cut_off(self) -> None:
        """End the connection."""
        if self.uplink is not None:
            self.uplink.stop()
            self.uplink = None

    def close(self) -> None:
        """Take it apart."""
        self.cut_off()
        self.bench.close()

    @property
    def asks(self) -> tuple[object, ...]:
        """The question on the glass."""
        prompt = self.bench.prompt
        return () if prompt is None else (prompt.ask, prompt.seat, prompt.text)

    @property
    def clocks(self) -> list[int]:
        """What the seats have left, ms."""
        clocks = self.bench.console.table.clocks.keeper.clocks
        return [] if clocks is None else [seat.left for seat in clocks.seats.values()]


def in_battle(box: Box) -> None:
    """Play into the middle of an attack, with a while on the clocks."""
    bench = box.bench
    bench.wait(1.0)
    bench.key("select")
    bench.play("battle-of-the-ring")
    bench.key("1", "1", "1", "select", "select")
    bench.wait(75.0)
    bench.key("5", "1", "3", "4", "select")


def known(hall: Hall, old: Box) -> None:
    """Wait until the hall has all that the old box has written."""
    entries = sum(game.entries for game in old.bench.journal.games())
    counted = f"{old.key[:8]}: connected, {entries} entries"
    while counted not in hall.ask(hall.own, "GET", "/boxes").read().decode():
        time.sleep(0.05)  # the page says so, and nothing else does


def measure(folder: Path) -> dict[str, object]:
    """Return the figures."""
    with ExitStack() as stack:
        old, spare = (Box(folder / name) for name in ("old", "spare"))
        for box in (old, spare):
            stack.callback(box.close)
        with Desk(folder / "event") as desk:
            example.fill(desk, [old.key])
            desk.record.admit(spare.key)
            event, term = desk.record.event, desk.record.term
        hall = stack.enter_context(running("--folder", str(folder / "event"), "--box-port", "0", state=folder))
        port = next(line.rpartition(":")[2] for line in hall.lines if line.startswith("Boxes connect"))
        for box in (old, spare):
            box.connect(f"127.0.0.1:{port}", event, term)
        in_battle(old)
        known(hall, old)
        old.cut_off()
        began = time.monotonic()
        hall.ask(hall.own, "POST", "/boxes", do="place", box=spare.key, table=str(TABLE), why="it is dark")
        spare.hear(TakeOver)
        took = time.monotonic() - began
        old.connect(f"127.0.0.1:{port}", event, term)
        word = old.hear(Trouble)
        differ = max(abs(here - there) for here, there in zip(spare.clocks, old.clocks, strict=True))
        return {
            "spare_asks_after_s": limit(took, most=LONGEST),
            "same_question": limit(bool(spare.asks) and spare.asks == old.asks, least=1),
            "clocks_differ_ms": limit(differ, most=CLOCKS),
            "old_box_told": limit(isinstance(word, Trouble) and word.title == "Replaced", least=1),
        }


def main() -> int:
    """Measure, print, and judge."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder))
    print(json.dumps(figures, indent=1))
    return int(bool(missed(figures)))


if __name__ == "__main__":
    sys.exit(main())
