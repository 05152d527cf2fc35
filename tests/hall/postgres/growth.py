"""Many events in one PostgreSQL: ``python -m tests.hall.postgres.growth`` has 4 halls with 500 boxes each keep pace.

Each hall is a process with a database of its own; its boxes are cores in that process, without sockets, which write
one entry each five seconds, by a schedule. Whatever the machine is too slow for comes late, and is told.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

import psycopg

from referee.hall.event_key import save
from referee.hall.store import choose
from referee.hall.uplink.hall import HallSide
from tests.bench.hall import Box, hall_on, talk
from tests.hall.postgres.servers import place
from tests.hall.uplink.memory import MemoryCopies, MemoryJournal, signer
from tests.hall.uplink.pair import EVENT_KEY

RATE: Final = 0.2
"""Entries of a box, 1/s."""
LATE: Final = 1.0
"""How long after it was written the last entry may be acknowledged, s: more, and the halls do not keep pace."""


def play(folder: Path, address: str, count: int, seconds: float) -> dict[str, Any]:
    """Be a hall and its boxes for so long; return what came of it."""
    choose(folder, address)
    save(folder, EVENT_KEY)
    boxes = [Box(number, MemoryJournal(signer(number)), MemoryCopies()) for number in range(count)]
    record, side = hall_on(folder, boxes)
    for box in boxes:
        box.journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    talk(side, boxes)
    print("ready", flush=True)
    sys.stdin.readline()
    late, written, total = 0.0, 0, round(count * RATE * seconds)
    began, processor, pause = time.monotonic(), time.process_time(), threading.Event()
    while written < total:
        pause.wait(max(0.0, began + (written + 1) / (count * RATE) - time.monotonic()))
        due = min(total, int((time.monotonic() - began) * count * RATE))
        for number in range(written, due):
            boxes[number % count].journal.write(1, "answer", [number])
        _carry(side, boxes, {number % count for number in range(written, due)})
        late = max(late, time.monotonic() - began - (written + 1) / (count * RATE))
        written = due
    ends = [side.intake.ends(box.journal.signer.public)[0].at for box in boxes]
    side.intake.close()
    record.close()
    lost = written + count - sum(ends)
    return {"entries": written, "lost": lost, "late, s": late, "processor, s": time.process_time() - processor}


def _carry(side: HallSide, boxes: list[Box], due: set[int]) -> None:
    """Let boxes that have something to send do so, until all is acknowledged; one commit for all of them."""
    now = 0.0
    for number in due:
        for text in boxes[number].side.tick(now):
            side.received(number, text, now)
    while any(boxes[number].side.durable != boxes[number].journal.end() for number in due):
        side.commit()
        for number, words in side.take_out():
            for answer in boxes[number].side.received(words, now) if words is not None else ():
                side.received(number, answer, now)


def measure(halls: int, count: int, seconds: float) -> dict[str, Any]:
    """Run the halls on one server; return what came of all."""
    with place() as make, tempfile.TemporaryDirectory() as folder:
        server = make("server")
        server.begin()
        server.start()
        processes = []
        for number in range(halls):
            home = Path(folder) / f"hall-{number}"
            home.mkdir()
            with psycopg.connect(server.address("postgres"), autocommit=True) as session:
                session.execute(f"CREATE DATABASE event_{number}".encode())
            arguments = [str(home), server.address(f"event_{number}"), str(count), str(seconds)]
            command = [sys.executable, "-m", "tests.hall.postgres.growth", "--hall", *arguments]
            processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        reports = [json.loads(process.communicate()[0]) for process in _begun(processes)]
    return {
        "tables": halls * count,
        "entries": sum(each["entries"] for each in reports),
        "lost": sum(each["lost"] for each in reports),
        "late at most, s": round(max(each["late, s"] for each in reports), 2),
        "processor of a hall and its boxes": round(
            sum(each["processor, s"] for each in reports) / halls / seconds, 2
        ),
    }


def _begun(processes: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    """Let all begin at once."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return processes


def main() -> int:
    """Measure and print; 1 if anything is lost, or the halls do not keep pace."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--halls", type=int, default=4)
    parser.add_argument("--boxes", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--hall", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.hall:
        folder, address, count, seconds = options.hall
        print(json.dumps(play(Path(folder), address, int(count), float(seconds))))
        return 0
    report = measure(options.halls, options.boxes, options.seconds)
    print(json.dumps(report, indent=1))
    return int(report["lost"] != 0 or report["late at most, s"] > LATE)


if __name__ == "__main__":
    sys.exit(main())
