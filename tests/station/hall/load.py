"""Many boxes, phones and televisions at one hall: ``python -m tests.station.hall.load --boxes 200 --seconds 60``.

Each box says its state every 4 s, waits for wishes, and sends an entry now and then; phones listen for news, and load
their page when there are some, televisions turn theirs every 8 s. ``--commit 20``: the disk takes so many ms for each
commit; ``--halls 4``: so many serve the event on PostgreSQL. It prints how long calls took, ms, and what processor
and memory the halls' processes had, as JSON; of several, what they share counts once.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import event

from referee.errors import NoAnswer
from referee.hall.boxes import Tokens, hashed
from referee.hall.desk import Desk
from referee.hall.serving import Ports, run
from referee.hall.tls import CALLS
from referee.session.chain import digest
from referee.session.entries import Entry
from referee.station.hall.line import Line, Names
from referee.station.hall.talk import EVERY, LIMIT, WAIT
from referee.tournament import Seats
from referee.tournament.acts.people import BoxPlaced, CheckedIn, PlayerAdded
from referee.tournament.acts.rounds import ExtensionGiven, RoundPaired, RoundPublished, RoundStarted
from referee.tournament.acts.stages import StageOpened
from tests.bench.spread import limit, missed, spread
from tests.hall import served

RATE = 0.2  # entries a second of each box
PUT = 150.0  # ms of a PUT, 99 of 100
TURN = 8.0  # how long a television shows a page, s
ACT = 5.0  # how often the desk does something that all pages hear of, s
PHONES, TELEVISIONS = 300, 10
CORES, MIB = {(200, 1): 0.25, (400, 1): 0.5}, {(200, 1): 100, (200, 4): 350}
"""What so many boxes may take of so many halls together."""


class Room:
    """What came of it: ``times`` in ms by what was asked, and how many had no answer; ``over``: everybody goes.

    ``ports``: those of the halls, for boxes and for phones
    """

    def __init__(self, ports: list[tuple[int, int]], certificate: str) -> None:
        self.ports, self.certificate = ports, certificate
        self.times: dict[str, list[float]] = defaultdict(list)
        self.failed: dict[str, int] = defaultdict(int)
        self.over = threading.Event()

    def timed(self, what: str, ask: Callable[[], Any]) -> Any:
        began = time.monotonic()
        try:
            answer = ask()
        except (NoAnswer, OSError, http.client.HTTPException):
            self.failed[what] += not self.over.is_set()
            return None
        self.times[what].append((time.monotonic() - began) * 1000)
        return answer

    def box(self, number: int) -> None:
        """Say what is due."""
        chance, head, entries, game = random.Random(number), "", 0, ""
        state_at = entry_at = time.monotonic() + chance.uniform(0, EVERY)
        board = {"board": {"title": "War of the Ring", "place": ["Hunt"], "pools": [["Shadow Nation", 5, 6]] * 12}}
        with closing(self._line(number)) as line:
            while not self.over.wait(max(0.0, min(state_at, entry_at) - time.monotonic())):
                if state_at <= time.monotonic():
                    state_at += EVERY
                    body = json.dumps(board | {"game": game}).encode()
                    self.timed("state", partial(line.call, "POST", "/api/state", body, limit=LIMIT))
                    continue
                entry_at += chance.expovariate(RATE)
                kind = "answer" if entries else "start"
                entry = Entry(entries, kind, "1", answer={"book": "skirmish", "lot": chance.random()})
                new = digest(1, entry, head)
                game = game or new
                body = json.dumps(entry.as_json() | {"game": 1, "prev": head, "hash": new}).encode() + b"\n"
                path = f"/api/games/{game}/entries?after={entries - 1}"
                said = self.timed("put", partial(line.call, "PUT", path, body, limit=LIMIT))
                if said is not None and said.body.get("hash") == new:
                    head, entries = new, entries + 1

    def wish(self, number: int) -> None:
        """Wait for wishes."""
        etag = ""
        with closing(self._line(number)) as line:
            while not self.over.is_set():
                headers = {"If-None-Match": etag} if etag else {}
                with suppress(NoAnswer):
                    answer = line.call("GET", f"/api/table?wait={WAIT}", limit=WAIT + LIMIT, headers=headers)
                    etag = answer.headers.get("etag", etag)

    def phone(self) -> None:
        """Listen, and load the page when something is new."""
        while not self.over.is_set():
            with suppress(OSError, http.client.HTTPException), closing(self._browser()) as line:
                line.request("GET", "/news")
                answer = line.getresponse()
                while not self.over.is_set() and (said := answer.readline()):
                    if said.startswith(b"data: ") and not self.over.wait(random.uniform(0, 2)):  # as `live.js` does
                        self.timed("page", partial(self._load, "/"))

    def television(self) -> None:
        """Turn the pages."""
        number = 0
        while not self.over.wait(TURN * random.uniform(0.9, 1.1)):
            number += 1
            self.timed("page", partial(self._load, f"/tv?page={number}"))

    def _line(self, number: int) -> Line:
        headers = {"Authorization": f"Bearer {served.token(number)}"}
        port, _ = self.ports[number % len(self.ports)]
        return Line(Names("127.0.0.1", port), self.certificate, lambda: headers)

    def _browser(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", random.choice(self.ports)[1], timeout=WAIT)

    def _load(self, path: str) -> bytes:
        with closing(self._browser()) as line:
            line.request("GET", path, headers={"Accept-Encoding": "gzip"})
            return line.getresponse().read()


def cost(pids: list[int]) -> tuple[float, int]:
    """Return processor time, s, and memory, MiB, of processes."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    ticks = sum(int(each[11]) + int(each[12]) for each in fields)
    memory = re.compile(r"^Pss: +([0-9]+) kB" if len(pids) > 1 else r"^Rss: +([0-9]+) kB", re.MULTILINE)
    found = [memory.search(Path(f"/proc/{pid}/smaps_rollup").read_text()) for pid in pids]
    return ticks / os.sysconf("SC_CLK_TCK"), sum(int(each[1]) for each in found if each is not None) >> 10


def play(room: Room, pids: list[int], boxes: int, seconds: float) -> dict[str, Any]:
    """Let everybody play for so long; return what came of it."""
    each = [(do, number) for number in range(boxes) for do in (room.box, room.wish)]
    threads = [threading.Thread(target=do, args=(number,)) for do, number in each]
    threads += [threading.Thread(target=room.phone) for _ in range(PHONES)]
    threads += [threading.Thread(target=room.television) for _ in range(TELEVISIONS)]
    for thread in threads:
        thread.daemon = True
        thread.start()
    time.sleep(15)  # lines are made
    room.times.clear()
    room.failed.clear()
    before, _ = cost(pids)
    time.sleep(seconds)
    after, memory = cost(pids)
    room.over.set()
    took = {name: spread(each) for name, each in list(room.times.items())}
    cores = (after - before) / seconds
    key = boxes, len(pids)
    return {
        "boxes": boxes,
        "not_answered": limit(sum(room.failed.values()), most=0),
        "ms": took,
        "put_p99_ms": limit(took["put"]["p99"], most=PUT) if len(pids) == 1 else took["put"]["p99"],
        "cores": limit(cores, most=CORES[key]) if key in CORES else round(cores, 3),
        "mib": limit(memory, most=MIB[key]) if key in MIB else memory,
    }


def serve(folder: Path, boxes: int, commit: float, store: str) -> None:
    """Serve a round with a box at each table, at one of which a judge gives time now and then."""
    with Desk(folder, store=store) as desk:
        ports = Ports(desk=0, public=0, boxes=0, address="127.0.0.1")
        serving = partial(run, desk, ports, lambda addresses: print(json.dumps(addresses), flush=True))
        if desk.acts:
            serving()
            return
        keys = [hashed(served.token(number)) for number in range(boxes)]
        mark: dict[str, Any] = {"who": "organiser", "at": desk.now()}
        players = tuple(range(1, 2 * boxes + 1))
        seats = tuple(Seats(table, (2 * table - 1, 2 * table)) for table in range(1, boxes + 1))
        Tokens(desk.store, desk.now).admit(keys)
        desk.perform(
            *(PlayerAdded(**mark, player=each) for each in players),
            *(CheckedIn(**mark, player=each) for each in players),
            StageOpened(**mark, format="swiss", sides="none", players=players, rounds=2, seed=1),
            RoundPaired(**mark, pairings=seats, seed=1),
            *(BoxPlaced(**mark, table=table, box=box) for table, box in enumerate(keys, 1)),
            RoundPublished(**mark, round=1),
            RoundStarted(**mark, round=1),
        )
        if commit:
            event.listen(desk.store._engine, "commit", lambda _db: time.sleep(commit / 1000))

        def act() -> None:
            for table in itertools.cycle(range(1, boxes + 1)):
                time.sleep(ACT)
                desk.perform(ExtensionGiven(**mark, round=1, table=table, ms=60_000, why="a call"))

        threading.Thread(target=act, daemon=True).start()
        serving()


def measured(folder: Path, options: argparse.Namespace, store: str) -> dict[str, Any]:
    """Let halls serve, and everybody play at them."""
    command = [sys.executable, "-m", "tests.station.hall.load", "--boxes", str(options.boxes), "--store", store]
    with ExitStack() as stack:
        ports, pids = [], []
        for number in range(options.halls):
            own = folder / str(number)
            own.mkdir()
            if number:
                shutil.copy(folder / "0" / CALLS, own)
            more = ["--commit", str(options.commit), "--serve", str(own)]
            hall = stack.enter_context(subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True))
            stack.callback(hall.kill)
            assert hall.stdout is not None
            at = json.loads(hall.stdout.readline())
            ports.append((urlsplit(f"//{at['boxes']}").port or 0, urlsplit(at["public"]).port or 0))
            pids.append(hall.pid)
        return play(Room(ports, at["certificate"]), pids, options.boxes, options.seconds)


def main() -> int:
    """Let them play, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--commit", type=float, default=0)
    parser.add_argument("--halls", type=int, default=1)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--store", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(options.serve, options.boxes, options.commit, options.store)
        return 0
    from tests.hall.postgres.cluster import cluster  # not in the halls, whose memory is measured

    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        servers = stack.enter_context(cluster(("one",))) if options.halls > 1 else None
        report = measured(Path(folder), options, servers.address if servers is not None else "")
    print(json.dumps(report, indent=1), flush=True)
    os._exit(int(bool(missed(report))))  # hundreds of threads are in the middle of something


if __name__ == "__main__":
    sys.exit(main())
