"""The hall's disk is gone: ``python -m tests.bench.hall`` measures how soon another hall has everything again.

Each box has a copy of the record and a journal. A hall on an empty folder asks all of them, takes the best record,
and is refilled with all journals. The boxes are cores in this process, without sockets; the hall writes to the disk.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.hall.event_key import save
from referee.hall.rebuilding import finish, side_of
from referee.hall.record import Record
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.hall import HallSide
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.server import Side
from referee.hall.uplink.term import Term, identity
from referee.tournament.acts import PlayerAdded
from tests.bench.spread import limit, missed
from tests.hall.uplink import memory
from tests.hall.uplink.memory import MemoryCopies, MemoryJournal, signer
from tests.hall.uplink.pair import CERTIFICATE, EVENT, EVENT_KEY

ALLOWED: Final = 60.0
"""For 200 boxes with 1,000 entries each, s."""


@dataclass
class Box:
    """``number``: of its only connection."""

    number: int
    journal: MemoryJournal
    copies: MemoryCopies
    term: Term = Term(0, "", "")  # noqa: RUF009 - a tuple

    def start(self) -> None:
        """Begin its program anew."""
        copies = self.copies.opened()
        self.side = BoxSide(self.journal, self.journal.signer, EVENT, copies, self.term, self.keep, "1" * 64, -1e9)

    def keep(self, term: Term) -> None:
        """Note the term of a hall."""
        self.term = term


def talk(side: Side, boxes: list[Box]) -> None:
    """Connect all boxes and let all talk until nothing is said; what comes together is committed together."""
    for box in boxes:
        box.start()
        box.side.opened(CERTIFICATE, "b" * 64, 0.0)
        side.opened(box.number, "a" * 64, 0.0)
    while True:
        side.tick(0.0)
        side.commit()
        out = side.take_out()
        if not out:
            return
        for number, text in out:
            for answer in boxes[number].side.received(text, 0.0) if text is not None else ():
                side.received(number, answer, 0.0)


def hall_on(folder: Path, boxes: list[Box]) -> tuple[Record, HallSide]:
    """Open the hall of a folder."""
    record, intake = Record(folder / "hall.db"), Intake(folder / "intake.db")
    for box in boxes:
        intake.admit(box.journal.signer.public)
    shows = identity(record.signer, EVENT, record.term, CERTIFICATE)
    return record, HallSide(intake, shows, JournalOutbox(record.journal), lambda _: None, intake.admit)


def measure(folder: Path, count: int, entries: int) -> dict[str, float]:
    """Return seconds for the record, for the journals, and for both; ``processor``: what of them nobody else took."""
    memory.BATCH = 64
    boxes = [Box(number, MemoryJournal(signer(number)), MemoryCopies()) for number in range(count)]
    lost, new = folder / "lost", folder / "new"
    for each in (lost, new):
        each.mkdir()
    save(lost, EVENT_KEY)
    record, side = hall_on(lost, boxes)
    record.append([PlayerAdded(who="organiser", at=1, player=number) for number in range(1, entries + 1)])
    for box in boxes:
        record.admit(box.journal.signer.public)
    talk(side, boxes)  # the record is copied; nothing was played yet
    record.close()
    side.intake.close()
    for box in boxes:
        box.journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
        for number in range(entries - 1):
            box.journal.write(1, "answer", [number])
    began, processor = time.monotonic(), time.process_time()
    asking = side_of(new, EVENT_KEY, CERTIFICATE)
    talk(asking, boxes)
    finish(new, EVENT_KEY, asking)
    rebuilt = time.monotonic()
    record, side = hall_on(new, boxes)
    talk(side, boxes)
    refilled = time.monotonic()
    ends = [side.intake.ends(box.journal.signer.public)[0].at for box in boxes]
    assert ends == [entries] * count, "expected every entry of every box"
    assert len(record.acts()) == entries, "expected every act"
    record.close()
    side.intake.close()
    spent = time.process_time() - processor
    return {"record": rebuilt - began, "journals": refilled - rebuilt, "all": refilled - began, "processor": spent}


def main() -> int:
    """Measure and print; 1 if it takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=200)
    parser.add_argument("--entries", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds = measure(Path(folder), options.boxes, options.entries)
    report = {f"{name}_s": round(value, 2) for name, value in seconds.items()} | {
        "all_s": limit(seconds["all"], ALLOWED)
    }
    print(json.dumps(report, indent=1))
    return int(bool(missed(report)))


if __name__ == "__main__":
    sys.exit(main())
