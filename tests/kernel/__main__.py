"""`make test-kernel`: the referee on a real Linux kernel; see CONTRIBUTING.md. Prints figures as JSON."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from referee.errors import RefereeError
from tests.kernel import power
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.prepare import Missing
from tests.kernel.sitting import Differs, guest, saved

GAME = 13
"""Cuts of one game; several games are played at a time."""


def main() -> int:
    """Run it; return 1 if a fault was found, 2 if something has to be installed first."""
    options = argparse.ArgumentParser(prog="python -m tests.kernel", description=__doc__)
    options.add_argument("--cuts", metavar="N", type=int, default=52, help="power cuts (52)")
    options.add_argument("--keep", metavar="DIR", type=Path, help="keep disks, consoles and pictures there")
    chosen = options.parse_args()
    began = time.monotonic()
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch, ProcessPoolExecutor(os.cpu_count()) as pool:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            warm = saved(guest(folder), folder)
        except (Missing, MachineFault) as error:
            print(f"test-kernel: {error}", file=sys.stderr)
            return 2 if isinstance(error, Missing) else 1
        report["prepared_s"] = round(time.monotonic() - began, 1)
        cuts = [min(GAME, chosen.cuts - at) for at in range(0, chosen.cuts, GAME)]
        running = {
            f"game-{seed}": pool.submit(_game, folder / f"game-{seed}", warm, count, seed)
            for seed, count in enumerate(cuts, 1)
        }
        for name, future in running.items():
            report[name] = future.result()
            print(f"test-kernel: {name}: {report[name].get('fault', 'held')}", file=sys.stderr)
    report["took_s"] = round(time.monotonic() - began, 1)
    print(json.dumps(report, indent=2))
    return 1 if any("fault" in part for part in report.values() if isinstance(part, dict)) else 0


def _game(folder: Path, warm: Guest, count: int, seed: int) -> dict[str, Any]:
    folder.mkdir(parents=True)
    try:
        return power.measure(folder, warm, count, seed)
    except (Differs, MachineFault, Missing, RefereeError) as error:
        return {"fault": f"seed {seed}: {error}"}


if __name__ == "__main__":
    sys.exit(main())
