"""Real processes, sockets and disks, killed at random: ``python -m tests.hall.uplink.kills --kills 1000``.

A hall, some boxes and the line of each run as processes; each box plays without a pause, and the hall does
something all the time. Then one of them after another is killed (SIGKILL) and started again; of a hall, now and
then, the whole folder is deleted, and another is rebuilt from the boxes. At the end the boxes stop playing and send
what is left; then the hall must have each journal as it is, every entry that was ever acknowledged, and a record
without a gap. It says on standard error how far it is.

After one of two kills of a hall or a line, nothing more is killed until every box concerned has reached the hall
again: how long that took, s, is told at the end, for a hall of which the folder was deleted by itself, since boxes
send such a hall all they ever played.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from referee.errors import JournalError
from referee.hall.event_key import save
from referee.hall.record import Record
from referee.hall.store import choose
from referee.hall.uplink import copies
from referee.hall.uplink.intake import Intake
from referee.journal import Journal, seal
from referee.tournament.acts import PlayerAdded
from tests.bench.spread import limit, missed, spread
from tests.hall.uplink.pair import EVENT, EVENT_KEY

FOLDERS = 10
"""One of so many kills takes the whole folder of the hall."""
EVERY = 50
"""After so many kills it says how far it is."""
PATIENCE = 30.0
"""How long nothing may come of what boxes have left to send, s; a rebuilt hall gets everything anew."""
LINES_BACK = 3.0
"""When lines are back after the kill of a hall that is not rebuilt, or of a line, s, 99 of 100."""


class Fleet:
    """A hall and its boxes. ``database``: the address of that which the hall is in, None for SQLite."""

    def __init__(self, folder: Path, boxes: int, database: str | None = None) -> None:
        self.folder = folder
        self.keys = {}
        (folder / "hall").mkdir()
        save(folder / "hall", EVENT_KEY)
        if database is not None:
            choose(folder / "hall", database)
        record = Record(folder / "hall" / "hall.db")
        for number in range(boxes):
            box = folder / f"box-{number}"
            box.mkdir()
            self.keys[box] = seal.signer(box).public
            record.admit(self.keys[box])
        record.close()
        self.port = quiet_port()
        self.hall = self._start_hall()
        self.ports = {box: quiet_port() for box in self.keys}
        self.lines = {box: self._start_line(box) for box in self.keys}
        self.boxes = {box: self._start(box, play=True) for box in self.keys}
        self.back: dict[str, list[float]] = {"hall": [], "line": [], "folder": []}
        """How long it took until a line was back, s."""

    def _run(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"tests.hall.uplink.{name}", *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def _start_hall(self, *arguments: str) -> subprocess.Popen[str]:
        hall = self._run("killed_hall", str(self.folder / "hall"), str(self.port), *arguments)
        assert hall.stdout is not None
        self.port = int(hall.stdout.readline())
        return hall

    def _start(self, box: Path, *, play: bool) -> subprocess.Popen[str]:
        rest = () if play else ("--rest",)
        return self._run("killed_box", str(box), str(self.ports[box]), EVENT, *rest)

    def _start_line(self, box: Path) -> subprocess.Popen[str]:
        line = self._run("killed_line", str(self.ports[box]), str(self.port))
        assert line.stdout is not None
        line.stdout.readline()
        return line

    def live(self, seconds: float) -> None:
        """Let them work for so long. Raises AssertionError if the hall ends by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"the hall ended with {self.hall.wait(seconds)}")

    def kill(self, chance: random.Random, *, folder: bool) -> str:
        """Kill one of them, and start it again; return which. ``folder``: of the hall, everything."""
        if folder:
            while not self._copied():
                self.live(0.1)
            _end(self.hall, signal.SIGKILL)
            dead = time.monotonic()
            shutil.rmtree(self.folder / "hall")
            self.hall = self._start_hall("--rebuild", str(len(self.keys)))
            self._see_lines_back(chance, "folder", dead, *self.keys)
            return "folder"
        which = chance.choices(("hall", "box", "line"), (2, 2, 1))[0]
        box = chance.choice(list(self.boxes))
        if which == "hall":
            self._see_lines_back(chance, which, self.restart_hall(), *self.keys)
        elif which == "box":
            _end(self.boxes[box], signal.SIGKILL)
            self.boxes[box] = self._start(box, play=True)
        else:
            _end(self.lines[box], signal.SIGKILL)
            dead = time.monotonic()
            self.lines[box] = self._start_line(box)
            self._see_lines_back(chance, which, dead, box)
        return which

    def restart_hall(self) -> float:
        """Kill the hall, and start it again; return when it was dead."""
        _end(self.hall, signal.SIGKILL)
        dead = time.monotonic()
        self.hall = self._start_hall()
        return dead

    def _see_lines_back(self, chance: random.Random, killed: str, dead: float, *boxes: Path) -> None:
        """Wait, after one of two kills, until these boxes have the hall. Raises AssertionError if one does not."""
        if chance.random() < 0.5:
            return
        while None in (since := [_first_after(box / "lines", dead) for box in boxes]):
            assert time.monotonic() - dead < PATIENCE, f"no box may take {PATIENCE:.0f} s to reach the hall again"
            self.live(0.01)
        self.back[killed] += [at - dead for at in since if at is not None]

    def _copied(self) -> bool:
        """Whether every box has some of the record; before that, the loss of the folder is that of the event."""
        paths = [path for box in self.keys for path in (box / copies.FOLDER).glob("*.db")]
        ends = 0
        for path in paths:
            with contextlib.suppress(JournalError), Journal(path, write=False) as journal:
                ends += journal.end() is not None
        return ends >= len(self.keys)

    def rest(self, patience: float = PATIENCE) -> list[str]:
        """Let the boxes send what is left, and end; return which did not. ``patience``: while nothing comes, s."""
        for process in self.boxes.values():
            _end(process, signal.SIGKILL)
        self.boxes = {box: self._start(box, play=False) for box in self.boxes}
        sent, since = -1, time.monotonic()
        while waiting := [box.name for box, process in self.boxes.items() if process.poll() is None]:
            before, sent = sent, sum((box / "acknowledged").stat().st_size for box in self.boxes)
            since = time.monotonic() if sent > before else since
            if time.monotonic() - since > patience:
                return [f"{name} has not sent everything, and nothing comes for {patience:.0f} s" for name in waiting]
            self.live(0.1)
        return []

    def close(self) -> None:
        """End all processes."""
        for process in (self.hall, *self.lines.values(), *self.boxes.values()):
            _end(process, signal.SIGKILL)


def quiet_port() -> int:
    """Return a port that is free now, and that the kernel gives to nobody by itself while the hall is dead."""
    for port in random.SystemRandom().sample(range(20_000, 32_000), 1000):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("expected a free port below those that the kernel gives")


def _end(process: subprocess.Popen[str], by: signal.Signals) -> None:
    process.send_signal(by)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _first_after(path: Path, moment: float) -> float | None:
    """Return when a line was back first after a moment, None if it is not."""
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return next((at for at in map(float, lines) if at > moment), None)


def judge(fleet: Fleet) -> tuple[int, list[str]]:
    """Return how many entries the hall was compared in, and what is wrong."""
    intake, faults, entries = Intake(fleet.folder / "hall" / "intake.db"), _gaps(fleet.folder / "hall"), 0
    for box, key in fleet.keys.items():
        acknowledged = (box / "acknowledged").read_text().split()
        gone = [digest for digest in acknowledged if intake.find(key, digest) is None]
        faults += [f"{box.name}: entry {digest} was acknowledged and is gone" for digest in gone]
        with Journal(box / "journal.db", write=False) as journal:
            (end,) = intake.ends(key)
            tails = intake.games(end)
            if [tail.game for tail in tails] != [game.game for game in journal.games()]:
                faults.append(f"{box.name}: the hall has other games")
            others = [tail.game for tail in tails if intake.records(tail) != list(journal.records(tail.game))]
            faults += [f"{box.name}: game {game} is another at the hall" for game in others]
            entries += end.at
            if end.at != sum(game.entries for game in journal.games()):
                faults.append(f"{box.name}: {end.at} entries at the hall")
    faults += [f"{kind}: {text}" for _, kind, text in intake.incidents()]
    intake.close()
    return entries, faults


def _gaps(folder: Path) -> list[str]:
    """Return what is wrong with the hall's record."""
    record = Record(folder / "hall.db")
    players = [act.player for act in record.acts() if isinstance(act, PlayerAdded)]
    record.close()
    whole = players == list(range(1, len(players) + 1)) and players
    return [] if whole else [f"the record has the players {players}"]


def kill_at_random(folder: Path, boxes: int, kills: int, seed: int) -> dict[str, Any]:
    """Kill so many times; return what came of it, faults among it."""
    chance, counts = random.Random(seed), {"hall": 0, "box": 0, "line": 0, "folder": 0}
    began = time.monotonic()
    fleet = Fleet(folder, boxes)
    try:
        for number in range(1, kills + 1):
            fleet.live(chance.uniform(0.05, 0.6))
            counts[fleet.kill(chance, folder=number % FOLDERS == 0)] += 1
            if number % EVERY == 0:
                each = (time.monotonic() - began) / number
                print(f"{number} of {kills} kills, {each:.2f} s each", file=sys.stderr, flush=True)
        faults = fleet.rest()
    finally:
        fleet.close()
    entries, wrong = judge(fleet)
    return {
        "seed": seed,
        "kills": counts,
        "seconds": round(time.monotonic() - began),
        "entries": entries,
        "lines_back_s": {killed: spread(each) for killed, each in fleet.back.items() if each},
        "faults": [*faults, *wrong],
    }


def main() -> int:
    """Kill them, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--boxes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = kill_at_random(Path(folder), options.boxes, options.kills, options.seed)
    back = report["lines_back_s"]
    report["lines_back_p99_s"] = {
        killed: limit(back[killed]["p99"], most=LINES_BACK) for killed in ("hall", "line") if killed in back
    }
    print(json.dumps(report, indent=1))
    return 1 if report["faults"] or missed(report) else 0


if __name__ == "__main__":
    sys.exit(main())
