"""Many boxes at one hall: ``python -m tests.station.hall.load --boxes 200 --seconds 60``.

Each box says its state every 4 s, waits for wishes, and sends an entry now and then, all at moments
of its own. It prints how long the calls took, ms, and what processor and
memory the hall's process had, as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import threading
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee.errors import NoAnswer
from referee.session.entries import Entry
from referee.station.hall.line import Line, Names
from referee.station.hall.talk import EVERY, LIMIT, WAIT
from tests.bench.spread import limit, missed, spread
from tests.ports import quiet_port
from tests.station.hall.copies import kill, start

RATE = 0.2
"""Entries a second of each box."""
PUT = 150.0
"""Ms of a PUT, 99 of 100."""


def token(number: int) -> str:
    return f"box-{number}-".ljust(43, "t")


class Box:
    """One box without a journal: what it says is made up."""

    def __init__(self, number: int, port: int, certificate: str, times: dict[str, list[float]]) -> None:
        headers = {"Authorization": f"Bearer {token(number)}"}
        self.line, self.poll = (Line(Names("127.0.0.1", port), certificate, lambda: headers) for _ in range(2))
        self.times = times
        self.chance = random.Random(number)
        self.game, self.entries, self.head = "", 0, ""
        self.failed = 0

    def _call(self, what: str, *how: Any) -> dict[str, Any]:
        began = time.monotonic()
        try:
            answer = self.line.call(*how, limit=LIMIT)
        except NoAnswer:
            self.failed += 1
            return {}
        self.times[what].append((time.monotonic() - began) * 1000)
        return dict(answer.body)

    def talk(self, over: threading.Event) -> None:
        """Say what is due until it is over."""
        state_at = entry_at = time.monotonic() + self.chance.uniform(0, EVERY)
        board = {"board": {"title": "War of the Ring", "place": ["Hunt"], "pools": [["Shadow Nation", 5, 6]] * 12}}
        with closing(self.line):
            while not over.wait(max(0.0, min(state_at, entry_at) - time.monotonic())):
                if state_at <= time.monotonic():
                    state_at += EVERY
                    self._call("state", "POST", "/api/state", json.dumps(board | {"game": self.game}).encode())
                else:
                    entry_at += self.chance.expovariate(RATE)
                    self._send()

    def _send(self) -> None:
        kind = "answer" if self.entries else "start"
        entry = Entry(self.entries, kind, "1", answer={"book": "skirmish", "lot": self.chance.random()})
        value = entry.as_json() | {"game": 1, "prev": self.head}
        digest = sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()
        self.game = self.game or digest
        body = json.dumps(value | {"hash": digest}).encode() + b"\n"
        said = self._call("put", "PUT", f"/api/games/{self.game}/entries?after={self.entries - 1}", body)
        if said.get("hash") == digest:
            self.entries, self.head = self.entries + 1, digest

    def wait(self, over: threading.Event) -> None:
        """Wait for wishes until it is over."""
        etag = ""
        with closing(self.poll):
            while not over.is_set():
                headers = {"If-None-Match": etag} if etag else {}
                try:
                    answer = self.poll.call("GET", f"/api/table?wait={WAIT}", limit=WAIT + LIMIT, headers=headers)
                    etag = answer.headers.get("etag", etag)
                except NoAnswer:
                    over.wait(1)


def cost(pid: int) -> tuple[float, int]:
    """Return processor time, s, and memory, MiB, of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGESIZE") >> 20


def play(port: int, certificate: str, pid: int, boxes: int, seconds: float) -> dict[str, Any]:
    """Let boxes play for so long; return what came of it."""
    over = threading.Event()
    times: dict[str, list[float]] = {"state": [], "put": []}
    made = [Box(number, port, certificate, times) for number in range(boxes)]
    threads = [threading.Thread(target=run, args=(over,)) for box in made for run in (box.talk, box.wait)]
    for thread in threads:
        thread.start()
    over.wait(EVERY + 2)  # lines are made
    before, _ = cost(pid)
    over.wait(seconds)
    after, memory = cost(pid)
    over.set()
    for box in made:
        box.poll.cut()
    for thread in threads:
        thread.join()
    took = {name: spread(each) for name, each in times.items() if each}
    return {
        "boxes": boxes,
        "entries": sum(box.entries for box in made),
        "not_answered": limit(sum(box.failed for box in made), most=0),
        "ms": took,
        "put_p99_ms": limit(took["put"]["p99"], most=PUT),
        "cores": round((after - before) / seconds, 3),
        "mib": memory,
    }


def main() -> int:
    """Let boxes play, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        port = quiet_port()
        hall, certificate = start(Path(folder), port)
        try:
            report = play(port, certificate, hall.pid, options.boxes, options.seconds)
        finally:
            kill(hall)
    print(json.dumps(report, indent=1))
    return int(bool(missed(report)))


if __name__ == "__main__":
    sys.exit(main())
