"""Real processes, sockets and disks, killed at random: ``python -m tests.hall.uplink.kills --kills 1000``.

A hall and some boxes run as processes; each box plays without a pause, and the hall does something all the time. Then
one of them after another is killed (SIGKILL) and started again; of a hall, now and then, the whole folder is deleted,
and another is rebuilt from the boxes. At the end the boxes stop playing and send what is left; then the hall must
have each journal as it is, every entry that was ever acknowledged, and a record without a gap.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from referee.errors import JournalError, StoreAway
from referee.files.plain import counted
from referee.hall import rebuilding
from referee.hall.event_key import save
from referee.hall.record import Record
from referee.hall.store import choose
from referee.hall.uplink import copies
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.certificate import certificate
from referee.hall.uplink.client import Hall, converse
from referee.hall.uplink.hall import HallSide
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.server import UplinkServer
from referee.hall.uplink.term import Term, identity
from referee.journal import Journal, seal
from referee.session import Entry
from referee.tournament.acts import PlayerAdded
from tests.hall.uplink.pair import EVENT, EVENT_KEY

TERM = Term(0, "", "")
"""What a box knows that was never connected: any hall of the event is later."""
FOLDERS = 10
"""One of so many kills takes the whole folder of the hall."""
PATIENCE = 30.0
"""How long the boxes may take to send what is left, s."""


# -- the processes ---------------------------------------------------------------------------------------------------


async def hall_process(folder: Path, port: int) -> None:
    """Serve until killed; print the port."""
    shown = certificate(folder)
    intake = Intake(folder / "intake.db")
    record = Record(folder / "hall.db")
    shows = identity(record.signer, record.event, record.term, shown.hash)
    side = HallSide(intake, shows, JournalOutbox(record.journal), lambda _: None, intake.admit)
    for key in record.boxes():
        intake.admit(key)
    async with UplinkServer(shown.path, "127.0.0.1", port) as server, server.serve(side):
        print(server.port, flush=True)
        while True:
            with contextlib.suppress(StoreAway):  # and with it, whether the last one was written
                players = itertools.count(len(record.acts()) + 1)
                while True:
                    record.append([PlayerAdded(who="organiser", at=1, player=next(players))])
                    await asyncio.sleep(0.1)
            await asyncio.sleep(0.1)


async def rebuilt_process(folder: Path, port: int, boxes: int) -> None:
    """Rebuild a hall on an empty folder once every box was heard, and serve until killed."""
    heard = asyncio.Event()

    def say(text: str) -> None:
        if text.startswith(f"{counted(boxes, 'box', 'boxes')} heard"):
            heard.set()

    async def confirmed() -> bool:
        return await heard.wait()

    await rebuilding.serve(folder, EVENT_KEY, ("127.0.0.1", port), lambda _: None, confirmed, say)
    await hall_process(folder, port)


def box_process(folder: Path, hall: Hall, *, play: bool) -> None:
    """Play until killed; or, where there is nothing to play, until the hall has everything."""
    chance = random.Random(os.getpid())
    sides: list[BoxSide] = []
    over = threading.Event()

    def send() -> None:
        with Journal(folder / "journal.db", write=False) as reader, copies.on_disk(folder, EVENT) as record:
            start, key = os.urandom(32).hex(), seal.signer(folder)
            began = time.monotonic()
            sides.append(BoxSide(JournalOutbox(reader), key, EVENT, record, TERM, lambda _: None, start, began))
            while not over.is_set():
                converse(hall, sides[0], over.is_set)
                over.wait(sides[0].pause(random.random()))

    with Journal(folder / "journal.db") as journal, (folder / "acknowledged").open("a") as acknowledged:
        thread = threading.Thread(target=send)
        thread.start()
        last = None
        while play or not sides or sides[0].durable != journal.end():
            if play:
                _play(journal, chance)
            over.wait(0.01)
            durable = sides[0].durable if sides else None
            if durable is not None and durable != last:
                last = durable
                acknowledged.write(f"{durable.hash}\n")
                acknowledged.flush()
        over.set()
        thread.join()


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


# -- who kills them --------------------------------------------------------------------------------------------------


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
        self.boxes = {box: self._start(box, play=True) for box in self.keys}

    def _run(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.hall.uplink.kills", *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def _start_hall(self, *arguments: str) -> subprocess.Popen[str]:
        hall = self._run("--hall", str(self.folder / "hall"), "--port", str(self.port), *arguments)
        assert hall.stdout is not None
        self.port = int(hall.stdout.readline())
        return hall

    def _start(self, box: Path, *, play: bool) -> subprocess.Popen[str]:
        rest = () if play else ("--rest",)
        return self._run("--box", str(box), "--port", str(self.port), *rest)

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
            shutil.rmtree(self.folder / "hall")
            self.hall = self._start_hall("--rebuild", str(len(self.keys)))
            return "folder"
        if chance.random() < 0.5:
            self.restart_hall()
            return "hall"
        box = chance.choice(list(self.boxes))
        _end(self.boxes[box], signal.SIGKILL)
        self.boxes[box] = self._start(box, play=True)
        return "box"

    def restart_hall(self) -> None:
        """Kill the hall, and start it again."""
        _end(self.hall, signal.SIGKILL)
        self.hall = self._start_hall()

    def _copied(self) -> bool:
        """Whether every box has some of the record; before that, the loss of the folder is that of the event."""
        paths = [path for box in self.keys for path in (box / copies.FOLDER).glob("*.db")]
        ends = 0
        for path in paths:
            with contextlib.suppress(JournalError), Journal(path, write=False) as journal:
                ends += journal.end() is not None
        return ends >= len(self.keys)

    def rest(self) -> list[str]:
        """Let the boxes send what is left, and end; return which did not."""
        for process in self.boxes.values():
            _end(process, signal.SIGKILL)
        self.boxes = {box: self._start(box, play=False) for box in self.boxes}
        late, until = [], time.monotonic() + PATIENCE
        for box, process in self.boxes.items():
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                late.append(f"{box.name} has not sent everything after {PATIENCE:.0f} s")
        return late

    def close(self) -> None:
        """End all processes."""
        for process in (self.hall, *self.boxes.values()):
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


def kill_at_random(folder: Path, boxes: int, kills: int, seed: int) -> dict[str, object]:
    """Kill so many times; return what came of it, faults among it."""
    chance, counts = random.Random(seed), {"hall": 0, "box": 0, "folder": 0}
    fleet = Fleet(folder, boxes)
    try:
        for number in range(1, kills + 1):
            fleet.live(chance.uniform(0.05, 0.6))
            counts[fleet.kill(chance, folder=number % FOLDERS == 0)] += 1
        faults = fleet.rest()
    finally:
        fleet.close()
    entries, wrong = judge(fleet)
    return {"seed": seed, "kills": counts, "entries": entries, "faults": [*faults, *wrong]}


def main() -> int:
    """Be one of the processes, or kill them; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--boxes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hall", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--box", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--rebuild", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--rest", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.hall and options.rebuild:
        asyncio.run(rebuilt_process(options.hall, options.port, options.rebuild))
    elif options.hall:
        asyncio.run(hall_process(options.hall, options.port))
    elif options.box:
        hall = Hall(f"127.0.0.1:{options.port}")
        box_process(options.box, hall, play=not options.rest)
    else:
        with tempfile.TemporaryDirectory() as folder:
            report = kill_at_random(Path(folder), options.boxes, options.kills, options.seed)
        print(json.dumps(report, indent=1))
        return 1 if report["faults"] else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
