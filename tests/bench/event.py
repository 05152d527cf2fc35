"""`make hall-bench`: the figures of a hall, one command after the other, so that none of them disturbs another.

Each prints its figures as JSON and fails where a limit is missed. It fails if one of them does, after all have run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Final

COMMANDS: Final = ("drift", "pairing", "spare", "calls", "uplink", "hall", "crowd")
"""Modules of `tests.bench`, those that take long at the end."""


def main() -> int:
    """Run them; 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=COMMANDS, nargs="+", default=COMMANDS)
    missed = []
    for name in parser.parse_args().only:
        print(f"{name}:", flush=True)
        if subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], check=False).returncode:
            missed.append(name)
    print("missed: " + (", ".join(missed) or "nothing"))
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
