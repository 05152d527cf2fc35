"""`make test-kernel`: the referee on a real Linux kernel; see CONTRIBUTING.md. Prints figures as JSON."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from referee.errors import RefereeError
from tests.bench.spread import spread
from tests.kernel import power, presses
from tests.kernel.guests import accelerated, guest, saved
from tests.kernel.machine import SHIFT, Guest, MachineFault
from tests.kernel.prepare import Missing
from tests.kernel.sitting import Differs

RUN = 2500
"""Presses between two power-ons."""

GAME = 13
"""Cuts of one game; several games are played at a time."""


class Job(NamedTuple):
    """A part of the work, for one processor."""

    part: str
    measure: Callable[..., dict[str, Any]]
    arguments: tuple[Any, ...]


def main() -> int:
    """Run the parts; return 1 if one found a fault, 2 if something has to be installed first."""
    options = argparse.ArgumentParser(prog="python -m tests.kernel", description=__doc__)
    options.add_argument("--presses", metavar="N", type=int, default=10_000, help="presses with bounce (10000)")
    options.add_argument("--cuts", metavar="N", type=int, default=52, help="power cuts (52)")
    options.add_argument("--only", choices=("presses", "power"), help="one part only")
    options.add_argument("--keep", metavar="DIR", type=Path, help="keep disks, consoles and pictures there")
    chosen = options.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            cold = guest(folder)
            report: dict[str, Any] = {"prepared_s": round(time.monotonic() - began, 1)}
            counted = saved(cold, folder)
            fast = accelerated(cold, folder) if chosen.only in (None, "power") else "tcg"
            cutting = saved(cold._replace(accelerator=fast), folder) if fast != "tcg" else counted
        except (Missing, MachineFault) as error:
            print(f"test-kernel: {error}", file=sys.stderr)
            return 2 if isinstance(error, Missing) else 1
        report["saved_s"] = round(time.monotonic() - began - report["prepared_s"], 1)
        report["accelerator"] = {"power": fast, "others": "tcg", "instructions_per_s": 10**9 >> SHIFT}
        report |= _run(
            [job for job in _jobs(chosen, cold, counted, cutting) if chosen.only in (None, job.part)], folder
        )
    report["took_s"] = round(time.monotonic() - began, 1)
    print(json.dumps(report, indent=2))
    return 1 if any("fault" in part for part in report.values() if isinstance(part, dict)) else 0


def _jobs(chosen: argparse.Namespace, cold: Guest, counted: Guest, cutting: Guest) -> list[Job]:
    """Return the work, the longest first."""
    games = [Job("power", power.measure, (cutting, cuts, seed)) for seed, cuts in _split(chosen.cuts, GAME)]
    runs = [Job("presses", presses.measure, (counted, taps, seed)) for seed, taps in _split(chosen.presses, RUN)]
    if games:  # the last power-on of one game is a boot, and the referee a process that imports all it needs
        games[0] = Job("power", power.measure, (*games[0].arguments, cold._replace(accelerator=cutting.accelerator)))
    return [*games, *runs]


def _split(whole: int, part: int) -> list[tuple[int, int]]:
    """Return pieces of at most `part`, each with a number of its own."""
    return [(at + 1, min(part, whole - at)) for at in range(0, whole, part)]


def _run(jobs: list[Job], folder: Path) -> dict[str, dict[str, Any]]:
    """Run jobs, as many at a time as there are processors; return what each part found."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        running: list[tuple[str, Future[dict[str, Any]]]] = []
        for number, job in enumerate(jobs):
            running.append((job.part, pool.submit(_measure, job, folder / f"{job.part}-{number}")))
        parts: dict[str, list[dict[str, Any]]] = {}
        for part, future in running:
            parts.setdefault(part, []).append(future.result())
    return {part: _together(pieces) for part, pieces in parts.items()}


def _measure(job: Job, folder: Path) -> dict[str, Any]:
    folder.mkdir(parents=True)
    began = time.monotonic()
    try:
        report = job.measure(folder, *job.arguments)
    except (Differs, MachineFault, Missing, RefereeError) as error:
        report = {"failed": 1, "fault": str(error)}
    took = round(time.monotonic() - began, 1)
    print(f"test-kernel: {folder.name}, {took} s: {report.get('fault', 'held')}", file=sys.stderr)
    return {"failed": 0} | report | {"core_s": took}


def _together(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """Add up counts, spread lists of times, and keep what is said only once; of times by name the longest."""
    whole: dict[str, Any] = {}
    for piece in pieces:
        for name, value in piece.items():
            if name not in whole:
                whole[name] = value
            elif isinstance(value, str):
                whole[name] += f"\n{value}"
            elif isinstance(value, dict):
                whole[name] = {
                    each: max(whole[name].get(each, 0), value.get(each, 0)) for each in whole[name] | value
                }
            else:
                whole[name] = whole[name] + value
    return {name: _plain(value) for name, value in whole.items() if value != []}  # nothing before the fault


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: round(most, 1) for name, most in sorted(value.items(), key=lambda each: -each[1])}
    if isinstance(value, list):
        return spread(value, 1)
    return round(value, 1) if isinstance(value, float) else value


if __name__ == "__main__":
    sys.exit(main())
