"""A hall in the middle of a large event: ``python -m tests.bench.crowd``, real processes, TLS and disk.

`referee hall` serves 200 boxes that send what a recorded game has, entry by entry; phones listen and load their page
now and then, televisions turn theirs. First each box sends 0.2 entries a second: processor and memory of the hall and
of whoever judges for it are read from /proc; boxes, phones and televisions are in this process and do not count. Then
the phones go, and each box sends an entry a second: the time until each is acknowledged is compared with a commit of
SQLite on the same disk, measured meanwhile. Figures as JSON; 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee import games
from referee.hall.desk import Desk
from referee.hall.pages.presets import PRESETS
from referee.hall.uplink.box import BoxSide
from referee.session import Entry, Session
from referee.testing.random_table import RandomTable
from referee.tournament.acts import (
    BoxPlaced,
    CheckedIn,
    PlayerAdded,
    RoundPaired,
    RoundPublished,
    RoundStarted,
    SettingsChosen,
    StageOpened,
)
from referee.tournament.event import Seats
from tests.bench import visitors
from tests.bench.spread import limit, missed, spread
from tests.bench.yardstick import Yardstick
from tests.hall.process import Hall, running
from tests.hall.uplink.memory import MemoryCopies, MemoryJournal, signer

CORE: Final = 0.25
MEBIBYTES: Final = 200.0
COMMITS: Final = 10.0
"""At most: of a core; of memory; and times the commit's own p99."""
GAME: Final = "war-of-the-ring"
SLOW, FAST = 0.2, 1.0
"""Entries a second of a box."""
PROBE: Final = 0.05
"""How often a commit is measured, s."""
TICK: Final = 1.0


def recorded(entries: int, seed: int) -> list[Entry]:
    """Return the first entries of a game that is answered at random."""
    book = games.load(GAME)
    session, table = Session(book), RandomTable(book, {}, None, seed)
    while len(session.entries) < entries and session.over is None:
        answer = table.legal()
        session.answer(answer)
        table.play.accept(table.play.check(answer))
    return list(session.entries)


@dataclass
class Box:
    """A box without a table: it writes what was recorded, and remembers when."""

    number: int
    event: str
    term: Any
    script: list[Entry]
    journal: MemoryJournal = field(init=False)
    at: int = 0
    written: dict[str, float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.journal = MemoryJournal(signer(self.number))
        copies = MemoryCopies().opened()
        self.side = BoxSide(
            self.journal,
            self.journal.signer,
            self.event,
            copies,
            self.term,
            lambda _: None,
            os.urandom(32).hex(),
            0.0,
        )
        self.woken, self.let_in = asyncio.Event(), asyncio.Event()

    def write(self) -> None:
        """Write the next entry; after the last one a new game."""
        entry = self.script[self.at % len(self.script)]
        self.at += 1
        game = self.journal.log[-1].place.game if self.journal.log else 0
        self.written[self.journal.put(game, entry).hash] = time.monotonic()
        self.woken.set()

    def heard(self) -> None:
        """See what is acknowledged now."""
        durable = self.side.durable
        began = self.written.pop(durable.hash, None) if durable is not None else None
        if began is not None:
            self.took.append((time.monotonic() - began) * 1000)
            self.let_in.set()

    async def play(self, every: float, chance: random.Random) -> None:
        """Write an entry now and then until it is cancelled."""
        await asyncio.sleep(chance.uniform(0, every))
        while True:
            self.write()
            await asyncio.sleep(every)


def prepared(folder: Path, tables: int) -> tuple[str, Any]:
    """Make an event whose round 1 is played at so many tables, with a box at each; return event and term."""
    mark: dict[str, Any] = {"who": "organiser", "at": round(time.time() * 1000)}
    numbers = range(1, 2 * tables + 1)
    with Desk(folder) as desk:
        desk.perform(
            SettingsChosen(**mark, settings=PRESETS[GAME].settings),
            *(PlayerAdded(**mark, player=number) for number in numbers),
            *(CheckedIn(**mark, player=number) for number in numbers),
            names={"player": {number: f"Player of the number {number}" for number in numbers}},
        )
        pairings = tuple(Seats(table, (2 * table - 1, 2 * table)) for table in range(1, tables + 1))
        keys = [signer(number).public for number in range(tables)]
        desk.perform(
            StageOpened(**mark, format="swiss", sides="assigned", players=tuple(numbers), rounds=4, seed=1),
            RoundPaired(**mark, pairings=pairings),
            RoundPublished(**mark, round=1),
        )
        for key in keys:
            desk.record.admit(key)
        desk.perform(
            *(BoxPlaced(**mark, table=table, box=key) for table, key in enumerate(keys, 1)),
            RoundStarted(**mark, round=1),
        )
        return desk.record.event, desk.record.term


def of_process(pid: int) -> list[int]:
    """Return a process and those it started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in of_process(int(child)))]


def processor(pid: int) -> float:
    """Return the processor time of a process and those it started, s."""
    ticks = 0
    for each in of_process(pid):
        numbers = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, numbers[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Return what they have of memory, shared pages in equal parts, MiB."""
    lines = [line for each in of_process(pid) for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def probed(over: threading.Event) -> list[float]:
    """Measure a commit now and then until it is over; return what each took, ms."""
    with Yardstick() as yardstick:
        while not over.wait(PROBE):
            yardstick.take()
        return yardstick.commits


async def measured(hall: Hall, boxes: list[Box], options: argparse.Namespace) -> dict[str, Any]:
    """Let everybody in, and measure both parts."""
    chance, pid = random.Random(options.seed), hall.process.pid
    port = int(next(line.rpartition(":")[2] for line in hall.lines if line.startswith("Boxes connect")))
    async with asyncio.TaskGroup() as group:
        lines = [group.create_task(visitors.box(port, each, TICK)) for each in boxes]
        crowd = [group.create_task(visitors.phone(hall.public, n, chance.random())) for n in range(options.phones)]
        crowd += [group.create_task(visitors.television(hall.public, n)) for n in range(options.televisions)]
        playing = [group.create_task(each.play(1 / SLOW, chance)) for each in boxes]
        await asyncio.gather(*(each.let_in.wait() for each in boxes))
        began, before = time.monotonic(), processor(pid)
        await asyncio.sleep(options.seconds)
        core = (processor(pid) - before) / (time.monotonic() - began)
        held = memory(pid)
        for each in (*crowd, *playing):
            each.cancel()
        for box in boxes:
            box.took.clear()
        over = threading.Event()
        probe = group.create_task(asyncio.to_thread(probed, over))
        playing = [group.create_task(each.play(1 / FAST, chance)) for each in boxes]
        await asyncio.sleep(options.seconds)
        over.set()
        commits = spread(await probe)
        for each in (*playing, *lines):
            each.cancel()
    acknowledged = spread([took for box in boxes for took in box.took])
    return {
        "core": limit(core, most=CORE),
        "memory_mib": limit(held, most=MEBIBYTES),
        "acknowledged_ms": acknowledged,
        "commit_ms": commits,
        "acknowledged_p99_in_commits": limit(acknowledged["p99"] / commits["p99"], most=COMMITS),
    }


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=200)
    parser.add_argument("--phones", type=int, default=300)
    parser.add_argument("--televisions", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    script = recorded(200, options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "event"
        event, term = prepared(folder, options.boxes)
        boxes = [Box(number, event, term, script) for number in range(options.boxes)]
        with running("--folder", str(folder), "--box-port", "0", state=Path(name)) as hall:
            figures = asyncio.run(measured(hall, boxes, options))
    print(json.dumps(figures, indent=1))
    return int(bool(missed(figures)))


if __name__ == "__main__":
    sys.exit(main())
