"""The command line of what runs storms: seed after seed, faults and figures printed."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol


class Stormy(Protocol):
    """What is left after a storm, judged."""

    faults: list[str]
    tally: Counter[str]


def storms(storm: Callable[[int, int], Stormy], about: str | None) -> int:
    """Run storms as the command line asks and print what came of them; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--boxes", type=int, default=200)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    faults = 0
    began = time.monotonic()
    for seed in range(options.first, options.first + options.seeds):
        world = storm(seed, options.boxes)
        total += world.tally
        faults += len(world.faults)
        print(f"seed {seed}: {len(world.faults)} faults", *world.faults[:5], sep="\n  ", flush=True)
    print(json.dumps({"seconds": round(time.monotonic() - began), "faults": faults, **total}, indent=1))
    return 1 if faults else 0
