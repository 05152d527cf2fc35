"""Storms over a hall and its boxes: how one is run, and the command line, seed after seed, of what runs them."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from tests.hall.uplink.world import CALM, World

W = TypeVar("W", bound=World)


def pass_over(world: W, lasts: float, after: float, at_rest: Callable[[W], bool]) -> None:
    """Let a storm last ``lasts`` s of virtual time, and wait ``after`` s at most until all is ``at_rest``."""
    world.run(lasts)
    world.weather = CALM
    until = lasts
    while until < lasts + after and not at_rest(world):
        until += 10.0
        world.run(until)
    world.tally["seconds after"] = int(until - lasts)


def storms(storm: Callable[[int, int], World], about: str | None) -> int:
    """Run storms as the command line asks and print what came of them; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--boxes", type=int, default=200)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    faults = 0
    began = time.monotonic()
    for number, seed in enumerate(range(options.first, options.first + options.seeds), 1):
        world = storm(seed, options.boxes)
        total += world.tally
        faults += len(world.faults)
        each = (time.monotonic() - began) / number
        heading = f"seed {seed}, {number} of {options.seeds}: {len(world.faults)} faults, {each:.1f} s each"
        print(heading, *world.faults[:5], sep="\n  ", file=sys.stderr, flush=True)
    print(json.dumps({"seconds": round(time.monotonic() - began), "faults": faults, **total}, indent=1))
    return 1 if faults else 0
