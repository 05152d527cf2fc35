"""A hall in PostgreSQL with two standbys, and boxes: primary, hall and boxes killed at random while everybody plays.

Of the primary, the standby that has more is promoted; then the old one comes back as the primary it was, and must be
refused, until it is made a standby. At the end the hall must have each journal as it is, and every entry that was
ever acknowledged.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

from tests.bench.spread import spread
from tests.hall.postgres.cluster import NAMES, Cluster, cluster
from tests.hall.uplink.kills import EVERY, Fleet, judge

PRIMARIES = 5
"""One of so many kills is of the primary, the first one among them."""
PATIENCE = 120.0
"""How long to wait at most until entries of every box are acknowledged again, s."""
RESTING = 600.0
"""How long the boxes may take to send what is left, s: they play on while the database is away."""


def _acknowledged(fleet: Fleet) -> list[int]:
    return [(box / "acknowledged").stat().st_size if (box / "acknowledged").exists() else 0 for box in fleet.keys]


def _until_heard(fleet: Fleet, since: list[int]) -> float:
    """Wait until more of every box is acknowledged than was; return how long that took, s."""
    began = time.monotonic()
    while not all(now > before for now, before in zip(_acknowledged(fleet), since, strict=True)):
        fleet.live(0.05)
        assert time.monotonic() < began + PATIENCE, f"no entry is acknowledged for {PATIENCE:.0f} s"
    return time.monotonic() - began


def fail_over(servers: Cluster, fleet: Fleet, *, come_back: bool) -> float:
    """Kill the primary and promote a standby; return after how many seconds every box was heard again.

    ``come_back``: the old primary is started as it was, and what the hall keeps does not go there.
    """
    began = time.monotonic()
    old = servers.fail_over()
    since = _acknowledged(fleet)
    _until_heard(fleet, since)
    seconds = time.monotonic() - began
    if come_back:
        old.start()
        before = servers.written(old)
        _until_heard(fleet, _acknowledged(fleet))
        fleet.restart_hall()
        _until_heard(fleet, _acknowledged(fleet))
        assert servers.written(old) == before, "the old primary was written to"
    servers.take_back(old)
    return seconds


def storm(folder: Path, boxes: int, kills: int, seed: int) -> dict[str, Any]:
    """Kill so many times; return what came of it, faults among it."""
    chance, counts = random.Random(seed), {"primary": 0, "hall": 0, "box": 0, "line": 0}
    seconds: list[float] = []
    began = time.monotonic()
    with cluster() as servers:
        fleet = Fleet(folder, boxes, servers.address)
        try:
            _until_heard(fleet, [0] * boxes)
            for number in range(kills):
                if number and number % EVERY == 0:
                    each = (time.monotonic() - began) / number
                    print(f"{number} of {kills} kills, {each:.2f} s each", file=sys.stderr, flush=True)
                fleet.live(chance.uniform(0.05, 0.6))
                if number % PRIMARIES:
                    counts[fleet.kill(chance, folder=False)] += 1
                else:
                    seconds.append(fail_over(servers, fleet, come_back=number % (2 * PRIMARIES) == 0))
                    counts["primary"] += 1
            played = time.monotonic()
            faults = fleet.rest(RESTING)
            rested = time.monotonic() - played
        finally:
            fleet.close()
        entries, wrong = judge(fleet)
    faults += wrong
    return {
        "seed": seed,
        "kills": counts,
        "seconds": round(time.monotonic() - began),
        "entries compared": entries,
        "acknowledged and lost": sum("acknowledged and is gone" in fault for fault in wrong),
        "sent after the last kill, s": round(rested, 2),
        "lines back, s": {"primary": spread(seconds)}
        | {name: spread(each) for name, each in fleet.back.items() if each},
        "faults": faults,
    }


def restart(folder: Path, boxes: int) -> float:
    """Kill a lone server, and start it again; return after how many seconds every box was heard again."""
    with cluster(NAMES[:1]) as servers:
        fleet = Fleet(folder, boxes, servers.address)
        try:
            _until_heard(fleet, [0] * boxes)
            began = time.monotonic()
            servers.restart()
            _until_heard(fleet, _acknowledged(fleet))
            return time.monotonic() - began
        finally:
            fleet.close()
