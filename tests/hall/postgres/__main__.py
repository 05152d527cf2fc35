"""A hall in PostgreSQL whose servers are killed: ``python -m tests.hall.postgres --kills 100``; figures as JSON.

It says on standard error how far it is. The lines of a hall that is killed, or of a line, are held to what those of a
hall in SQLite are held to.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.bench.spread import limit, missed
from tests.hall.postgres.failover import restart, storm
from tests.hall.uplink.kills import LINES_BACK

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
    back = report["lines back, s"]
    report["held"] = {
        "primary: lines back, most, s": limit(back["primary"]["max"], most=FAILOVER),
        "lone server: lines back, s": limit(seconds, most=RESTART),
        **{
            f"{name}: lines back, p99, s": limit(back[name]["p99"], most=LINES_BACK)
            for name in back
            if name != "primary"
        },
    }
    print(json.dumps(report, indent=1))
    return int(bool(report["faults"] or missed(report)))


if __name__ == "__main__":
    sys.exit(main())
