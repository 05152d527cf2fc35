"""`make hall-bench`: the figures of a hall as one JSON, each with its limit, and the names of those that miss theirs.

One part after the other, each in a process of its own, so that none of them disturbs another; how far it is, and how
long each part took, is said on standard error. The exit code is 1 if a limit is missed, or a part came to nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any, Final

from tests.bench.spread import limit, missed

PARTS: Final = ("drift", "pairing", "spare", "calls", "uplink", "hall", "crowd")
"""Modules of `tests.bench`, those that take long at the end."""


def measure(part: str) -> dict[str, Any]:
    """Return the figures of a part, and how long it took, s."""
    began = time.monotonic()
    command = [sys.executable, "-m", f"tests.bench.{part}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    seconds = round(time.monotonic() - began)
    print(f"{part}: {seconds} s", file=sys.stderr, flush=True)
    figures: dict[str, Any] = json.loads(done.stdout or "{}")
    if done.returncode and not missed(figures):
        figures["ended_with"] = limit(abs(done.returncode), most=0)
    return figures | {"seconds": seconds}


def main() -> int:
    """Measure and print; 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS)
    report = {part: measure(part) for part in parser.parse_args().only}
    failed = missed(report)
    print(json.dumps(report | {"missed": failed}, indent=1, ensure_ascii=False))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
