"""As many messages as wanted, by command; see the package."""

from __future__ import annotations

import argparse
import gc
import json
import logging
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fuzz.messages import part
from tests.fuzz.seam import Ear, Tally

SIZE = 25_000
"""Messages of a part."""
GROWTH_MIB = 48
"""Resident memory may grow by so much in a run: every rulebook is loaded in it, every cache filled, and of each
station some 300 KiB stay, since the display's library holds on to what it drew on until the process ends."""


class Failed(Exception):
    """The panel did not hold; the text says how to repeat it."""


def run(inputs: int, seed: int, only: int | None, ear: Ear) -> Tally:
    """Send messages; return what was counted. Raises Failed."""
    number, tally = only or 0, Tally()
    while tally.inputs < inputs:
        repeat = f"python -m tests.fuzz --seed {seed} --part {number}"
        try:
            part(random.Random(f"{seed} {number}"), min(SIZE, inputs - tally.inputs), tally)
        except Exception as fault:
            raise Failed(f"{fault!r}\nafter {getattr(fault, 'after', '?')!r}\n{repeat}") from fault
        if ear.faults:
            raise Failed(f"{ear.faults[0]}\nin the log\n{repeat}")
        number += 1
        if only is not None:
            break
    return tally


def resident_mib() -> float:
    """Return what the kernel holds for this process."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) / 256


def fuzz(inputs: int, seed: int, part: int | None = None) -> dict[str, Any]:
    """Run; return what was counted. Raises Failed."""
    ear, root = Ear(), logging.getLogger()
    handlers = root.handlers[:]
    root.handlers[:] = [*handlers, ear] if handlers else [ear]  # nothing of what is refused need be printed
    logging.captureWarnings(capture=False)
    before, began = resident_mib(), time.perf_counter()
    try:
        tally = run(inputs, seed, part, ear)
    finally:
        root.handlers[:] = handlers
    growth = resident_mib() - before
    if growth > GROWTH_MIB:
        raise Failed(f"memory grew by {growth:.1f} MiB, more than {GROWTH_MIB}, seed {seed}")
    seconds = round(time.perf_counter() - began, 1)
    return {"seed": seed, "seconds": seconds, "memory_growth_mib": round(growth, 1), **tally.__dict__}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as JSON; 1, and the input that broke something, if anything failed."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--inputs", type=int, default=100_000, metavar="N", help="messages in all")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--part", type=int, metavar="N", help="only this part")
    chosen = options.parse_args(arguments)
    try:
        print(json.dumps(fuzz(chosen.inputs, chosen.seed, chosen.part), indent=2))
    except Failed as failed:
        print(f"fuzz: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
