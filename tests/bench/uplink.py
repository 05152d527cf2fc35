"""The keys of a box whose hall is dead, hangs or flaps: ``python -m tests.bench.uplink``.

A station runs on real threads and real time (latency.py), its journal in memory, and its link to the hall beside it.
Rounds of presses without a hall and with each kind of it take turns, so that whatever else the machine does befalls
all of them. It prints the median and the 99th percentile of edge to glass in ms, as JSON, and fails where one of them
is more than a tenth and a millisecond above the one without a hall: a scheduler's turn is no wait for a socket.
"""

from __future__ import annotations

import argparse
import json
import socket
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.station.hall.board import Board
from referee.station.hall.link import Link
from tests.bench.latency import ATTACK, BETWEEN, Live
from tests.bench.spread import limit, missed
from tests.components import MEMORY

SLOWER: Final = 1.1
SLACK: Final = 1.0
NOWHERE: Final = "127.0.0.1:1"


@contextmanager
def no_hall() -> Iterator[str]:
    """No hall is configured."""
    yield ""


@contextmanager
def dead() -> Iterator[str]:
    """Nobody listens."""
    yield NOWHERE


@contextmanager
def hung() -> Iterator[str]:
    """Somebody takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def flapping() -> Iterator[str]:
    """Somebody takes connections and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_hang_up, args=(server,))
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def _hang_up(server: socket.socket) -> None:
    while True:
        try:
            server.accept()[0].close()
        except OSError:
            return


HALLS: Final = (no_hall, dead, hung, flapping)


def measure(rounds: int) -> dict[str, list[float]]:
    """Return ms from edge to glass, by kind of hall."""
    times: dict[str, list[float]] = {kind.__name__: [] for kind in HALLS}
    pause = threading.Event()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        live = Live(Path(folder))
        try:
            for _ in range(rounds):
                for kind in HALLS:
                    with kind() as address, _linked(live, address):
                        for key in ATTACK:
                            pause.wait(BETWEEN)
                            times[kind.__name__].append(live.press(key)[0] * 1000)
        finally:
            live.close()
    return times


@contextmanager
def _linked(live: Live, address: str) -> Iterator[None]:
    """Have the station talk with a hall there, "": with none."""
    if not address:
        yield
        return
    link = Link(address, "0" * 64, "t" * 43, live.journal, lambda _: None)
    live.loop._board = Board(live.loop.console, link.tell).publish
    link.start(lambda *_: None)
    try:
        yield
    finally:
        link.stop()
        live.loop._board = lambda: None


def main() -> int:
    """Measure and print; 1 if a hall makes the keys slower."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    times = measure(parser.parse_args().rounds)
    took = {
        kind: {"median": statistics.median(each), "p99": statistics.quantiles(each, n=100)[98]}
        for kind, each in times.items()
    }
    allowed = {name: value * SLOWER + SLACK for name, value in took["no_hall"].items()}
    report = {
        kind: {f"{name}_ms": limit(value, most=round(allowed[name], 3)) for name, value in each.items()}
        for kind, each in took.items()
    }
    print(json.dumps(report, indent=1))
    return int(bool(missed(report)))


if __name__ == "__main__":
    sys.exit(main())
