"""A box to be killed by `kills`: it plays all the time. ``python -m tests.hall.uplink.killed_box FOLDER PORT EVENT``.

It imports nothing of the hall's, so that it starts as soon as it can.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.hall.uplink import copies
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.client import Hall, converse
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.term import Term
from referee.journal import Journal, seal
from referee.session import Entry

TERM = Term(0, "", "")
"""What a box knows that was never connected: any hall of the event is later."""


def live(folder: Path, hall: Hall, event: str, *, play: bool) -> None:
    """Play until killed; or, where there is nothing to play, until the hall has everything."""
    chance = random.Random(os.getpid())
    sides: list[BoxSide] = []
    over = threading.Event()

    def send() -> None:
        with Journal(folder / "journal.db", write=False) as reader, copies.on_disk(folder, event) as record:
            start, key = os.urandom(32).hex(), seal.signer(folder)
            began = time.monotonic()
            sides.append(BoxSide(JournalOutbox(reader), key, event, record, TERM, lambda _: None, start, began))
            while not over.is_set():
                converse(hall, sides[0], over.is_set)
                over.wait(sides[0].pause(random.random()))

    with Journal(folder / "journal.db") as journal, (folder / "acknowledged").open("a") as acknowledged:
        thread = threading.Thread(target=send)
        thread.start()
        line, last = Line(folder), None
        while play or not sides or sides[0].durable != journal.end():
            if play:
                _play(journal, chance)
            over.wait(0.01)
            if sides:
                line.look(sides[0])
            durable = sides[0].durable if sides else None
            if durable is not None and durable != last:
                last = durable
                acknowledged.write(f"{durable.hash}\n")
                acknowledged.flush()
        over.set()
        thread.join()


@dataclass
class Line:
    """When a box has reached the hall, s of the machine's monotonic clock, in a file."""

    folder: Path
    was_on: bool = False

    def look(self, side: BoxSide) -> None:
        """See whether the hall is reached. To be called all the time."""
        is_on = side.state == "on"
        if is_on and not self.was_on:
            with (self.folder / "lines").open("a") as file:
                file.write(f"{time.monotonic():.3f}\n")
        self.was_on = is_on


def _play(journal: Journal, chance: random.Random) -> None:
    end = journal.end()
    if end is None or chance.random() < 0.02:
        answer: dict[str, Any] = {"book": "skirmish", "ruling": None, "settings": {}, "lot": chance.getrandbits(32)}
        journal.begin("skirmish", Entry(0, "start", "1", answer=answer))
        return
    game = end.game if chance.random() < 0.95 else chance.choice(journal.games()).game
    entries = [
        Entry(seq, "answer", "1", answer=[chance.randint(1, 6)])
        for seq in itertools.islice(itertools.count(journal.head(game)[0] + 1), chance.randint(1, 3))
    ]
    journal.append(game, entries, seal=chance.random() < 0.2)


def main() -> None:
    """Play until killed. ``--rest``: play nothing, and end once the hall has everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("event")
    parser.add_argument("--rest", action="store_true")
    options = parser.parse_args()
    live(options.folder, Hall(f"127.0.0.1:{options.port}"), options.event, play=not options.rest)


if __name__ == "__main__":
    main()
