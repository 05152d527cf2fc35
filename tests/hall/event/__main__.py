"""A whole event through the real programs: ``python -m tests.hall.event``.

16 players, War of the Ring, four single-sided Swiss rounds and a cut to 4. `referee hall` is a process; so are the
boxes, which are paired by their digits and play through the real uplink. Someone comes late and someone drops; a
result is challenged at its table and a judge decides on a tablet; a box dies in the middle of a battle, and a spare
goes on with it; the hall dies with its folder and is rebuilt on another from the boxes. At the end the file of the
event is verified by `tools/verify_event.py`, which shares no code with all that.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from tests.hall.event.places import Database, Files, Place
from tests.hall.event.whole import play
from tests.hall.postgres.databases import Databases
from tests.hall.postgres.servers import place


def main() -> int:
    """Play it, telling what happens; print its figures. 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgres", action="store_true", help="with what the hall keeps in a server of PostgreSQL")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        where: Callable[[Path], Place] = Files
        if options.postgres:
            server = stack.enter_context(place())("server")
            server.begin()
            server.start()
            where = partial(_database, Databases(server))
        report = play(folder, lambda text: print(text, flush=True), where)
    print(json.dumps(report, indent=1))
    return 1 if report["faults"] else 0


def _database(databases: Databases, folder: Path) -> Place:
    return Database(databases.of(folder))


if __name__ == "__main__":
    sys.exit(main())
