"""Ten million inputs by command, a tenth in continuous integration; see the package."""

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

from tests.fuzz import drive, messages, requests, serial, sockets
from tests.fuzz.seam import Ear, Part


class Seam(NamedTuple):
    """Where inputs go in: what feeds a part, its share of all inputs, and how many inputs a part has."""

    part: Part
    share: float
    size: int


SEAMS = {
    "serial": Seam(serial.part, 0.8665, 50_000),
    "drive": Seam(drive.part, 0.08, 2_000),
    "messages": Seam(messages.part, 0.05, 25_000),
    "requests": Seam(requests.part, 0.003, 5_000),
    "sockets": Seam(sockets.part, 0.0005, 2_500),
}
LEAST = 100
"""Inputs that each seam gets at least."""
GROWTH_MIB = 48
"""Resident memory may grow by so much in a run: every rulebook is loaded in it, every cache filled, and of each
station some 300 KiB stay, since the display's library holds on to what it drew on until the process ends."""


class Failed(Exception):
    """A seam did not hold; the text says how to repeat it."""


def run(name: str, inputs: int, seed: int, only: int | None, ear: Ear) -> dict[str, Any]:
    """Feed a seam; return what was seen. Raises Failed."""
    seam = SEAMS[name]
    began, done, taken, number = time.perf_counter(), 0, 0, only or 0
    while done < inputs:
        try:
            counted = seam.part(random.Random(f"{seed} {name} {number}"), min(seam.size, inputs - done))
        except Exception as fault:
            repeat = f"python -m tests.fuzz --seed {seed} --seam {name} --part {number}"
            raise Failed(f"{fault!r}\nafter {getattr(fault, 'given', '?')!r}\n{repeat}") from fault
        if ear.faults:
            raise Failed(f"the log of {name}, seed {seed}, part {number}: {ear.faults[0]}")
        done, taken, number = done + counted.inputs, taken + counted.taken, number + 1
        if only is not None:
            break
    return {"inputs": done, "valid_and_taken": taken, "seconds": round(time.perf_counter() - began, 1)}


def resident_mib() -> float:
    """Return what the kernel holds for this process."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) / 256


def fuzz(inputs: int, seed: int, seam: str | None = None, part: int | None = None) -> dict[str, Any]:
    """Run; return the figures. Raises Failed."""
    ear, root = Ear(), logging.getLogger()
    kept = root.handlers[:]
    root.handlers[:] = [*kept, ear] if kept else [ear]  # nothing of what is refused need be printed
    logging.captureWarnings(capture=False)
    found: dict[str, Any] = {}
    before = resident_mib()
    try:
        for name in SEAMS if seam is None else [seam]:
            share = 1.0 if seam is not None else SEAMS[name].share
            found[name] = run(name, max(LEAST, round(inputs * share)), seed, part, ear)
    finally:
        root.handlers[:] = kept
    growth = resident_mib() - before
    if growth > GROWTH_MIB:
        raise Failed(f"memory grew by {growth:.0f} MiB, more than {GROWTH_MIB}, seed {seed}")
    total = sum(each["inputs"] for each in found.values())
    figures = {"seed": seed, "inputs": total, "crashes": 0, "state_changes_from_invalid_input": 0}
    return figures | {"memory_growth_mib": round(growth, 1), "seams": found}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as JSON; 1 with the input that broke something."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--inputs", type=int, default=1_000_000, metavar="N", help="inputs in all")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seam", choices=[*SEAMS], help="only this one; all inputs go there")
    options.add_argument("--part", type=int, metavar="N", help="only this part of it")
    chosen = options.parse_args(arguments)
    if chosen.part is not None and chosen.seam is None:
        options.error("--part needs --seam")
    try:
        figures = fuzz(chosen.inputs, chosen.seed, chosen.seam, chosen.part)
    except Failed as failed:
        print(f"fuzz: {failed}", file=sys.stderr)  # noqa: T201
        return 1
    print(json.dumps(figures, indent=2))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
