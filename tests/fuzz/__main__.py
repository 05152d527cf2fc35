"""Ten million inputs by command, a tenth in continuous integration; see the package.

A cable is pulled for every hundred inputs, as `python -m tests.hardware.line.wire_fuzz` does it.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from tests.fuzz import drive, messages, requests, serial, sockets
from tests.fuzz.seam import Ear, Part, Tally
from tests.hardware.line import wire_fuzz


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


INPUTS_PER_PULL = 100


class Failed(Exception):
    """A seam did not hold; the text says how to repeat it. ``figures``: what was counted until then."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.figures: dict[str, Any] = {}


def run(name: str, inputs: int, seed: int, only: int | None, ear: Ear, tally: Tally) -> None:
    """Feed a seam. Raises Failed."""
    seam, number = SEAMS[name], only or 0
    while tally.inputs < inputs:
        try:
            seam.part(random.Random(f"{seed} {name} {number}"), min(seam.size, inputs - tally.inputs), tally)
        except Exception as fault:
            tally.failed(fault)
            repeat = f"python -m tests.fuzz --seed {seed} --seam {name} --part {number}"
            raise Failed(f"{fault!r}\nafter {getattr(fault, 'after', '?')!r}\n{repeat}") from fault
        if ear.faults:
            tally.crashes += len(ear.faults)
            raise Failed(f"the log of {name}, seed {seed}, part {number}: {ear.faults[0]}")
        number += 1
        if only is not None:
            break


def pull(count: int, seed: int, seen: Counter[str]) -> None:
    """Pull so many cables. Raises Failed."""
    try:
        wire_fuzz.pulls(count, seed, seen)
    except wire_fuzz.Broken as broken:
        repeat = f"python -m tests.hardware.line.wire_fuzz --seed {seed} --pulls {count}"
        raise Failed(f"{broken}\n{repeat}") from broken


def summed(tallies: Sequence[Tally]) -> Tally:
    """Add tallies up."""
    return Tally(**{each.name: sum(getattr(tally, each.name) for tally in tallies) for each in fields(Tally)})


def counts(tally: Tally) -> dict[str, Any]:
    """Return what was counted under the names that are printed."""
    return {
        "inputs": tally.inputs,
        "refused": tally.refused,
        "accepted": tally.accepted,
        "state_comparisons": tally.compared,
        "crashes": tally.crashes,
        "state_changes_from_invalid_input": tally.changes,
        "other_failures": tally.wrong,
    }


def resident_mib() -> float:
    """Return what the kernel holds for this process."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) / 256


def fuzz(inputs: int, seed: int, seam: str | None = None, part: int | None = None) -> dict[str, Any]:
    """Run; return the figures. Raises Failed, which carries them."""
    ear, root = Ear(), logging.getLogger()
    handlers = root.handlers[:]
    root.handlers[:] = [*handlers, ear] if handlers else [ear]  # nothing of what is refused need be printed
    logging.captureWarnings(capture=False)
    tallies: dict[str, Tally] = {}
    seconds: dict[str, float] = {}
    cables: Counter[str] = Counter(lost=0, doubled=0)

    def figures() -> dict[str, Any]:
        seams = {name: counts(tally) | {"seconds": seconds.get(name)} for name, tally in tallies.items()}
        whole = {"seed": seed} | counts(summed([*tallies.values()]))
        return whole | {
            "memory_growth_mib": round(resident_mib() - before, 1),
            "cables": dict(cables),
            "seams": seams,
        }

    before = resident_mib()
    try:
        for name in SEAMS if seam is None else [seam]:
            share = 1.0 if seam is not None else SEAMS[name].share
            tallies[name], began = Tally(), time.perf_counter()
            run(name, max(LEAST, round(inputs * share)), seed, part, ear, tallies[name])
            seconds[name] = round(time.perf_counter() - began, 1)
        if seam is None:
            pull(inputs // INPUTS_PER_PULL, seed, cables)
        measured = figures()
        if (growth := measured["memory_growth_mib"]) > GROWTH_MIB:
            raise Failed(f"memory grew by {growth} MiB, more than {GROWTH_MIB}, seed {seed}")
    except Failed as failed:
        failed.figures = figures()
        raise
    finally:
        root.handlers[:] = handlers
    return measured


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
        figures = fuzz(chosen.inputs, chosen.seed, chosen.seam, chosen.part)
    except Failed as failed:
        print(json.dumps(failed.figures, indent=2))
        print(f"fuzz: {failed}", file=sys.stderr)
        return 1
    print(json.dumps(figures, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
