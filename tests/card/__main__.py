"""`make test-image`: the card on an emulated Raspberry Pi 3B; see docs/image.md. Prints figures as JSON."""

from __future__ import annotations

import argparse
import json
import shutil
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.errors import RefereeError
from referee.journal import Journal
from tests.card.box import RIGHT, Box
from tests.card.prepare import CARD, TWIN, board, needs, put
from tests.kernel.journals import accepted, read
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.prepare import Missing, run
from tests.kernel.sitting import Differs

SECTOR = 512
THIRD = struct.Struct("<478x8x2L")
"""Of a partition table: first sector and number of sectors of the third partition."""


def main() -> int:
    """Run it; return 1 if the card did not do what it should, 2 if something has to be installed first."""
    options = argparse.ArgumentParser(prog="python -m tests.card", description=__doc__)
    options.add_argument("image", type=Path, help="the image, unpacked")
    options.add_argument("--keep", metavar="DIR", type=Path, help="a new folder to keep card and pictures in")
    chosen = options.parse_args()
    if chosen.keep and chosen.keep.exists():
        options.error(f"{chosen.keep}: expected a new folder")
    report: dict[str, Any] = {}
    began = time.monotonic()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="test-image-"))
    try:
        needs()
        folder.mkdir(parents=True, exist_ok=True)
        Course(board(chosen.image.resolve(), folder), report).run()
    except Missing as missing:
        print(f"test-image: {missing}", file=sys.stderr)
        return 2
    except (MachineFault, Differs, RefereeError) as fault:
        report |= {"fault": str(fault), "kept": str(folder)}
    report["took_s"] = round(time.monotonic() - began, 1)
    print(json.dumps(report, indent=2))
    if "fault" not in report and not chosen.keep:
        shutil.rmtree(folder)
    return 1 if "fault" in report else 0


class Course:
    """Two power-ons of a card; ``report`` has for each step its seconds on this machine and what it found."""

    def __init__(self, guest: Guest, report: dict[str, Any]) -> None:
        self.report = report
        self._guest = guest
        self._kept = ("", 0)

    def run(self) -> None:
        """Play, cut the power, crash, play on, stop, cut the power. Raises Differs, MachineFault, Missing."""
        put(self._guest.world / CARD, "referee.txt", RIGHT.encode())
        self._power_on("first", self._first)
        self._power_on("second", self._second)
        self._step("entries in the journal then", lambda: recorded(self._guest))

    def _power_on(self, name: str, play: Callable[[Box], None]) -> None:
        """Switch the card on, and cut its power after what is done with it."""
        box = Box(self._guest, self._guest.world / TWIN)
        try:
            self._step(f"{name} power-on: the picture that the journal calls for", lambda: round(box.look(), 1))
            play(box)
        except Differs as fault:
            print(f"test-image: the end of the system's log:\n{box.journal()}", file=sys.stderr)
            raise Differs(f"{name} power-on: {fault}{box.board.console_end()}") from fault
        finally:
            box.close()

    def _first(self, box: Box) -> None:
        self._step("systemd", box.started)
        self._step("card", box.card)
        self._step("first light", box.first_light)
        self._step("sandbox", box.sandbox)
        self._step("a game begun", box.begin)
        self._step("a ruling", lambda: box.attack().headline)
        self._step("lamps", box.lamps)
        self._step("the next question", box.on)
        self._step("until systemd has kept the time of day", lambda: box.board.wait(45_000))
        self._kept = box.kept()

    def _second(self, box: Box) -> None:
        self._step("the question of before", box.on)
        self._step("what others know it by", lambda: box.lasted(*self._kept))
        self._step("watchdog", box.hang)
        self._step("another ruling", lambda: box.attack().headline)
        self._step("stopped, s", box.stop)

    def _step(self, name: str, do: Callable[[], object]) -> None:
        began = time.monotonic()
        result = do()
        self.report[name] = [round(time.monotonic() - began, 1), *([] if result is None else [result])]
        print(f"test-image: {name}: {self.report[name]}", file=sys.stderr)


def recorded(guest: Guest) -> int:
    """Return how many entries the journal on a card has whose power was cut.

    Raises Differs unless they are those of the twin, RefereeError if their chain is broken.
    """
    folder = guest.world / "recorded"
    folder.mkdir()
    card = guest.world / CARD
    with card.open("rb") as file:
        start, size = (sectors * SECTOR for sectors in THIRD.unpack_from(file.read(SECTOR)))
    bounds = ("bs=1M", "iflag=skip_bytes,count_bytes", f"skip={start}", f"count={size}", "conv=sparse")
    run("dd", f"if={card}", f"of={folder / 'partition'}", *bounds)
    found = accepted(read(folder / "partition", folder, "/lib/referee"))
    with Journal(guest.world / TWIN, write=False) as journal:
        wanted = accepted(journal)
    if found != wanted:
        raise Differs(f"the journal on the card ends with {found[-3:]}; acknowledged was {wanted[-3:]}")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
