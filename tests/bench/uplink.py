"""The keys of a box whose hall is dead, hangs or flaps: ``python -m tests.bench.uplink``.

A station runs on real threads and real time (latency.py), its journal in memory, and its uplink beside it. Rounds of
presses without a hall and with each kind of it take turns, so that whatever else the machine does befalls all of
them. It prints the median and the 99th percentile of edge to glass in ms, as JSON, and fails where one of them is
more than a tenth and a millisecond above the one without a hall: a scheduler's turn is no wait for a socket.
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

from referee.hall.uplink import pinned
from referee.hall.uplink.client import Hall
from referee.station.uplink import StationUplink
from tests.bench.latency import ATTACK, BETWEEN, Live
from tests.bench.spread import limit, missed
from tests.components import MEMORY
from tests.hall.uplink.pair import EVENT, TERM

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
        pinned.write(Path(folder), Hall("", EVENT, TERM))
        try:
            for _ in range(rounds):
                for kind in HALLS:
                    with kind() as address:
                        uplink = StationUplink(address, live.journal, lambda _: None)
                        if address:
                            uplink.start()
                        for key in ATTACK:
                            pause.wait(BETWEEN)
                            times[kind.__name__].append(live.press(key)[0] * 1000)
                        if address:
                            uplink.stop()
        finally:
            live.close()
    return times


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
