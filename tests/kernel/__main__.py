"""`make test-kernel`: the referee on a real Linux kernel; see docs/kernel.md. Prints figures as JSON."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.kernel import attack, power, presses
from tests.kernel.machine import MachineFault
from tests.kernel.prepare import Missing, prepare
from tests.kernel.sitting import Differs


def main() -> int:
    """Run the parts; return 1 if one found a fault, 2 if something has to be installed first."""
    options = argparse.ArgumentParser(prog="python -m tests.kernel", description=__doc__)
    options.add_argument("--presses", metavar="N", type=int, default=5000, help="presses with bounce (5000)")
    options.add_argument("--cuts", metavar="N", type=int, default=4, help="power cuts (4)")
    options.add_argument("--only", choices=("attack", "presses", "power"), help="one part only")
    options.add_argument("--keep", metavar="DIR", type=Path, help="keep disks, consoles and pictures there")
    chosen = options.parse_args()
    found: dict[str, Any] = {}
    began = time.monotonic()
    try:
        kernel = prepare()
    except Missing as error:
        print(f"test-kernel: {error}", file=sys.stderr)  # noqa: T201
        return 2
    found["prepared_s"] = round(time.monotonic() - began, 1)
    parts: dict[str, Callable[[Path], dict[str, Any]]] = {
        "attack": lambda folder: attack.measure(kernel, folder),
        "presses": lambda folder: presses.measure(kernel, folder, chosen.presses),
        "power": lambda folder: power.measure(kernel, folder, chosen.cuts),
    }
    with tempfile.TemporaryDirectory() as scratch:
        for name, part in parts.items():
            if chosen.only in (None, name):
                found[name] = _run(name, part, (chosen.keep or Path(scratch)) / name)
    found["took_s"] = round(time.monotonic() - began, 1)
    print(json.dumps(found, indent=2))  # noqa: T201
    return 1 if any("fault" in part for part in found.values() if isinstance(part, dict)) else 0


def _run(name: str, part: Callable[[Path], dict[str, Any]], folder: Path) -> dict[str, Any]:
    print(f"test-kernel: {name} ...", file=sys.stderr)  # noqa: T201
    folder.mkdir(parents=True)
    began = time.monotonic()
    try:
        found = part(folder)
    except (Differs, MachineFault, Missing) as error:
        found = {"fault": str(error)}
    return found | {"took_s": round(time.monotonic() - began, 1)}


if __name__ == "__main__":
    sys.exit(main())
