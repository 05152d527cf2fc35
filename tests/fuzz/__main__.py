"""A million inputs by command, a fifth in continuous integration; see the package."""

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
from typing import Any, NamedTuple

from tests.fuzz import drive, messages, serial
from tests.fuzz.seam import Ear, Part, Tally


class Seam(NamedTuple):
    """Where inputs go in: what feeds a part, its share of all inputs, and how many inputs a part has."""

    part: Part
    share: float
    size: int


SEAMS = {
    "serial": Seam(serial.part, 0.867, 50_000),
    "drive": Seam(drive.part, 0.08, 2_000),
    "messages": Seam(messages.part, 0.05, 25_000),
}
LEAST = 100
"""Inputs that each seam gets at least."""
GROWTH_MIB = 48
"""Resident memory may grow by so much in a run: every rulebook is loaded in it, every cache filled, and of each
station some 300 KiB stay, since the display's library holds on to what it drew on until the process ends."""


class Failed(Exception):
    """A seam did not hold; the text says how to repeat it."""


def run(name: str, inputs: int, seed: int, only: int | None, ear: Ear) -> Tally:
    """Feed a seam; return what was counted. Raises Failed."""
    seam, number, tally = SEAMS[name], only or 0, Tally()
    while tally.inputs < inputs:
        repeat = f"python -m tests.fuzz --seed {seed} --seam {name} --part {number}"
        try:
            seam.part(random.Random(f"{seed} {name} {number}"), min(seam.size, inputs - tally.inputs), tally)
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


def fuzz(inputs: int, seed: int, only: str | None = None, part: int | None = None) -> dict[str, Any]:
    """Run; return what was counted at each seam. Raises Failed."""
    ear, root = Ear(), logging.getLogger()
    handlers = root.handlers[:]
    root.handlers[:] = [*handlers, ear] if handlers else [ear]  # nothing of what is refused need be printed
    logging.captureWarnings(capture=False)
    before = resident_mib()
    seams: dict[str, Any] = {}
    try:
        for name in SEAMS if only is None else [only]:
            share, began = 1.0 if only else SEAMS[name].share, time.perf_counter()
            tally = run(name, max(LEAST, round(inputs * share)), seed, part, ear)
            seams[name] = tally.__dict__ | {"seconds": round(time.perf_counter() - began, 1)}
    finally:
        root.handlers[:] = handlers
    growth = resident_mib() - before
    if growth > GROWTH_MIB:
        raise Failed(f"memory grew by {growth:.1f} MiB, more than {GROWTH_MIB}, seed {seed}")
    return {"seed": seed, "memory_growth_mib": round(growth, 1), "seams": seams}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as JSON; 1, and the input that broke something, if anything failed."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--inputs", type=int, default=1_000_000, metavar="N", help="inputs in all")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seam", choices=[*SEAMS], help="only this one; all inputs go there")
    options.add_argument("--part", type=int, metavar="N", help="only this part of it")
    chosen = options.parse_args(arguments)
    if chosen.part is not None and chosen.seam is None:
        options.error("--part needs --seam")
    try:
        print(json.dumps(fuzz(chosen.inputs, chosen.seed, chosen.seam, chosen.part), indent=2))
    except Failed as failed:
        print(f"fuzz: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
