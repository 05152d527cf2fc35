"""A whole event through the real programs: ``python -m tests.hall.event``.

16 players, War of the Ring, four single-sided Swiss rounds and a cut to 4. `referee hall` is a process; so are the
boxes, which are paired by their digits and play through the real uplink. Someone comes late and someone drops; a
result is challenged at its table and a judge decides on a tablet; a box dies in the middle of a battle, and a spare
goes on with it; the hall dies with its folder and is rebuilt on another from the boxes. At the end the file of the
event is verified by `tools/verify_event.py`, which shares no code with all that.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tests.hall.event.whole import play


def main() -> int:
    """Play it, telling what happens; print its figures. 1 if anything is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        report = play(Path(folder), lambda text: print(text, flush=True))
    print(json.dumps(report, indent=1))
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
