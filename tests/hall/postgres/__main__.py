"""A hall in PostgreSQL whose servers are killed: ``python -m tests.hall.postgres --kills 100``; figures as JSON."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.hall.postgres.failover import restart, storm

FAILOVER, RESTART = 10.0, 15.0
"""How long it may take until entries of every box are acknowledged again, s: with standbys, and of a lone server."""


def main() -> int:
    """Measure; 1 if anything is lost, or a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--boxes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = storm(Path(folder), options.boxes, options.kills, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        seconds = restart(Path(folder), options.boxes)
    report |= {"lone server back, s": round(seconds, 2), "limits, s": [FAILOVER, RESTART]}
    print(json.dumps(report, indent=1))
    return int(bool(report["faults"]) or report["lines back, most, s"] > FAILOVER or seconds > RESTART)


if __name__ == "__main__":
    sys.exit(main())
