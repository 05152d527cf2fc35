"""A hall, boxes and their lines as processes, killed at random: ``python -m tests.station.hall.kills --kills 300``.

With ``--halls 4`` so many halls serve one event on PostgreSQL, which is killed, too; each connection of a box goes to
any of them. Each box plays and says something to the desk without a pause. One process after another is killed
(SIGKILL) and started again. At the end the boxes send what is left; then the hall must have each journal as it is,
every entry and every act that was ever answered, each act once, and those of a box in their order. After one of two
kills of anything but a box nothing more is killed until every box concerned has its line again; how long that took,
s, is told.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from referee.hall.tls import CALLS
from referee.journal import Journal
from referee.session.wish import KINDS
from tests.bench.spread import limit, missed, spread
from tests.hall.postgres.cluster import Cluster, cluster
from tests.hall.served import Opened
from tests.ports import quiet_port

PATIENCE = 60.0  # how long a box may take until it has its line again, s
REST = 300.0  # how long boxes may take until they have sent what is left, s: hundreds of games, asked for one by one
LINES_BACK = 3.0  # when lines are back after a kill, s, 99 of 100
EVERY = 50


class Fleet:
    """Halls of one event, and its boxes. ``certificate``: the halls'."""

    def __init__(self, folder: Path, boxes: int, servers: Cluster | None = None, halls: int = 1) -> None:
        """``servers``: the database in which the halls keep the event, None: one hall does, in a file."""
        self.servers = servers
        self.store = ("--store", servers.address) if servers is not None else ()
        self.folders = [folder / f"hall-{number}" for number in range(halls)]
        self.halls_at: dict[Path, int] = {}
        self.halls: dict[Path, subprocess.Popen[str]] = {}
        for each in self.folders:
            each.mkdir()
            if self.halls:
                shutil.copy(self.folders[0] / CALLS, each)
            self.start(each)
        self.boxes = [folder / f"box-{number}" for number in range(boxes)]
        self.ports = {box: quiet_port() for box in self.boxes}
        for box in self.boxes:
            box.mkdir()
        self.lines = {box: self.start_line(box, *self.folders) for box in self.boxes}
        self.plays = {box: self._start_box(box) for box in self.boxes}
        self.back: dict[str, list[float]] = {"hall": [], "hall, since it serves": [], "line": [], "server": []}

    def token(self, box: Path) -> str:
        return f"{box.name}-".ljust(43, "t")

    def _run(self, module: str, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True)

    def start(self, folder: Path, *more: str) -> None:
        """Start a hall, and wait until it serves. ``more``: arguments of it."""
        port = self.halls_at.setdefault(folder, quiet_port())
        self.halls[folder] = hall = self._run("tests.hall.served", str(folder), str(port), *self.store, *more)
        assert hall.stdout is not None
        self.certificate = hall.stdout.readline().strip()

    def start_line(self, box: Path, *halls: Path) -> subprocess.Popen[str]:
        """Start the line of a box to some halls."""
        ports = (str(self.halls_at[each]) for each in halls)
        line = self._run("tests.station.hall.killed_line", str(self.ports[box]), *ports)
        assert line.stdout is not None
        line.stdout.readline()
        return line

    def _start_box(self, box: Path, *rest: str) -> subprocess.Popen[str]:
        arguments = str(box), str(self.ports[box]), self.certificate, self.token(box), *rest
        return self._run("tests.station.hall.killed_box", *arguments)

    def live(self, seconds: float) -> None:
        """Let them work for so long. Raises AssertionError if a hall ends by itself."""
        time.sleep(seconds)
        ended = [hall.returncode for hall in self.halls.values() if hall.poll() is not None]
        assert not ended, f"halls ended with {ended}"

    def kill(self, chance: random.Random) -> str:
        """Kill one of them, and start it again; return which."""
        kinds = {"hall": 2, "box": 2, "line": 1} | ({"server": 1} if self.servers is not None else {})
        which = chance.choices(list(kinds), list(kinds.values()))[0]
        box, hall = chance.choice(self.boxes), chance.choice(self.folders)
        dead = time.monotonic()
        if which == "hall":
            end(self.halls[hall])
            self.start(hall)
            serves = time.monotonic()
            before = len(self.back[which])
            self._see_back(chance, which, dead, self.boxes)
            own = self.back[which][before:]
            self.back["hall, since it serves"] += [max(0.0, each - (serves - dead)) for each in own]
        elif which == "box":
            end(self.plays[box])
            self.plays[box] = self._start_box(box)
        elif which == "line":
            end(self.lines[box])
            self.lines[box] = self.start_line(box, *self.folders)
            self._see_back(chance, which, dead, [box])
        elif self.servers is not None:
            self.servers.restart()
            self._see_back(chance, which, dead, self.boxes)
        return which

    def _see_back(self, chance: random.Random, killed: str, dead: float, boxes: list[Path]) -> None:
        if chance.random() < 0.5:
            return
        while None in (since := [_first_after(box / "lines", dead) for box in boxes]):
            assert time.monotonic() - dead < PATIENCE, f"no box may take {PATIENCE:.0f} s to reach the hall again"
            self.live(0.01)
        self.back[killed] += [at - dead for at in since if at is not None]

    def rest(self) -> list[str]:
        """Let the boxes send what is left, and end; return which did not."""
        for process in self.plays.values():
            end(process)
        self.plays = {box: self._start_box(box, "--rest") for box in self.boxes}
        until = time.monotonic() + REST
        while waiting := [box.name for box, process in self.plays.items() if process.poll() is None]:
            if time.monotonic() > until:
                return [f"{name} has not sent everything within {REST:.0f} s" for name in waiting]
            self.live(0.1)
        return []

    def close(self) -> None:
        """End all processes."""
        for process in (*self.halls.values(), *self.lines.values(), *self.plays.values()):
            end(process)


def end(process: subprocess.Popen[str]) -> None:
    """Kill a process."""
    process.send_signal(signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _first_after(path: Path, moment: float) -> float | None:
    """Return when the first call was answered that was asked after a moment."""
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    calls = (map(float, line.split()) for line in lines)
    return next((answered for asked, answered in calls if asked > moment), None)


def judge(fleet: Fleet) -> tuple[int, int, list[str]]:
    """Return how many entries and acts were compared, and what is wrong."""
    hall, faults = Opened(fleet.folders[0]), []
    said = [str(act["id"]) for act in hall.acts()]
    entries = 0
    for box in fleet.boxes:
        with Journal(box / "journal.db", write=False) as journal:
            mine = {
                str(game[0]["hash"]): game for each in journal.games() if (game := list(journal.records(each.game)))
            }
        theirs = hall.games(fleet.token(box))
        entries += sum(map(len, mine.values()))
        faults += [f"{box.name}: the hall has {len(theirs)} games, not {len(mine)}"] * (theirs.keys() != mine.keys())
        faults += [
            f"{box.name}: game {name} is another at the hall" for name in mine if theirs.get(name) != mine[name]
        ]
        acts = [each["hash"] for game in mine.values() for each in game if _says(each)]
        there = [each for each in said if each in set(acts)]
        faults += [f"{box.name}: {len(there)} acts at the hall, not {len(acts)}"] * (sorted(there) != sorted(acts))
        for line in (box / "answered").read_text().splitlines():
            name, *rest = line.split()
            if name == "act":
                faults += [f"{box.name}: {line} was answered and is gone"] * (rest[0] not in said)
            elif theirs.get(name, [])[int(rest[0])]["hash"] != rest[1]:
                faults.append(f"{box.name}: entry {line} was answered and is another")
        for game in mine.values():
            of_game = [each["hash"] for each in game if _says(each)]
            faults += [f"{box.name}: acts out of order"] * ([each for each in there if each in of_game] != of_game)
    hall.close()
    return entries, len(said), faults


def _says(record: dict[str, Any]) -> bool:
    return any(kind in record.get("extra", {}) for kind in KINDS)


def kill_at_random(folder: Path, boxes: int, kills: int, seed: int, halls: int = 0) -> dict[str, Any]:
    """Kill so many times; return what came of it, faults among it. ``halls``: on PostgreSQL, 0: one on a file."""
    chance, counts = random.Random(seed), Counter[str]()
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        servers = stack.enter_context(cluster(("one",))) if halls else None
        fleet = Fleet(folder, boxes, servers, max(1, halls))
        try:
            for number in range(1, kills + 1):
                fleet.live(chance.uniform(0.05, 0.6))
                counts[fleet.kill(chance)] += 1
                if number % EVERY == 0:
                    each = (time.monotonic() - began) / number
                    print(f"{number} of {kills} kills, {each:.2f} s each", file=sys.stderr, flush=True)
            faults = fleet.rest()
        finally:
            fleet.close()
        entries, acts, wrong = judge(fleet)
    return {
        "seed": seed,
        "kills": dict(counts),
        "seconds": round(time.monotonic() - began),
        "entries": entries,
        "acts": acts,
        "lines_back_s": {killed: spread(each) for killed, each in fleet.back.items() if each},
        "faults": [*faults, *wrong],
    }


def main() -> int:
    """Kill them, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--boxes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--halls", type=int, default=0, help="on PostgreSQL; without it one keeps all in a file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = kill_at_random(Path(folder), options.boxes, options.kills, options.seed, options.halls)
    back = report["lines_back_s"]
    report["lines_back_p99_s"] = {killed: limit(back[killed]["p99"], most=LINES_BACK) for killed in back}
    print(json.dumps(report, indent=1))
    return 1 if report["faults"] or missed(report) else 0


if __name__ == "__main__":
    sys.exit(main())
