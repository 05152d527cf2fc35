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
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from referee.errors import RefereeError
from referee.journal import Journal
from referee.station.card.settings import parse
from tests.card.box import OBSTACLE, OBSTACLE_FILE, RIGHT, WRONG, Box
from tests.card.bus import acknowledged
from tests.card.prepare import CACHE, CARD, TWIN, board, copied, needs, newer, put
from tests.kernel.journals import accepted, read
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.prepare import Missing, run
from tests.kernel.sitting import Differs

SHOWS = (".png", ".db")
"""Files that show a fault, beside the console."""

SECTOR = 512
THIRD = struct.Struct("<478x8x2L")
"""Of a partition table: first sector and number of sectors of the third partition."""


def main() -> int:
    """Run it; return 1 if the card did not do what it should, 2 if something has to be installed first."""
    options = argparse.ArgumentParser(prog="python -m tests.card", description=__doc__)
    options.add_argument("image", type=Path, help="the image, unpacked")
    options.add_argument("package", type=Path, help="the package that it was built of")
    options.add_argument("--keep", metavar="DIR", type=_empty, help="keep card, console and pictures there")
    chosen = options.parse_args()
    report: dict[str, Any] = {}
    began = time.monotonic()
    with ExitStack() as cleaning:
        folder = chosen.keep or Path(tempfile.mkdtemp(prefix="test-image-"))
        if not chosen.keep:
            cleaning.callback(_cleared, folder, report)
        try:
            needs()
            CACHE.mkdir(parents=True, exist_ok=True)
            guest = board(chosen.image.resolve(), folder)
            Course(guest, chosen.package.resolve(), report).run()
        except Missing as missing:
            print(f"test-image: {missing}", file=sys.stderr)
            return 2
        except (MachineFault, Differs, RefereeError) as fault:
            report |= {"fault": str(fault), "kept": str(folder)}
    report["took_s"] = round(time.monotonic() - began, 1)
    print(json.dumps(report, indent=2))
    return 1 if "fault" in report else 0


def _empty(text: str) -> Path:
    """Return a folder that can be filled. Raises ArgumentTypeError."""
    folder = Path(text)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.strerror}: expected a new or an empty folder") from error
    if any(folder.iterdir()):
        raise argparse.ArgumentTypeError(f"{text} is not empty: expected a new or an empty folder")
    return folder


def _cleared(folder: Path, report: dict[str, Any]) -> None:
    """Remove a folder; if a fault was found, all of it but what shows the fault."""
    if "fault" not in report:
        shutil.rmtree(folder)
        return
    for path in sorted(folder.rglob("*"), reverse=True):  # what a folder holds comes before it
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.name != "console" and path.suffix not in SHOWS:
            path.unlink()


class Course:
    """Three power-ons of a card; ``report`` has for each step its seconds on this machine and what it found.

    The third is of a copy that is made after the first, so that two processors have something to do.
    """

    def __init__(self, guest: Guest, package: Path, report: dict[str, Any]) -> None:
        self.report = report
        self._guest = guest
        self._package = package
        self._kept = ("", 0)

    def run(self) -> None:
        """Look at the bus, play, crash, cut the power, update, stop. Raises Differs, MachineFault, Missing."""
        with ThreadPoolExecutor() as beside:
            bus = beside.submit(self._step, "the board's own I2C controller", lambda: acknowledged(self._guest))
            later = beside.submit(newer, self._package, self._guest.world)
            self._power_on("first", self._guest, self._first, RIGHT)
            bus.result()
            third = beside.submit(self._update, copied(self._guest), *later.result())
            problems = self._guest.world / "problems"
            problems.write_text("".join(f"{fault}\n" for fault in parse(WRONG.encode())[1]))
            self._power_on("second", self._guest, self._second, WRONG, problems)
            self._recorded("second", self._guest)
            third.result()

    def _update(self, guest: Guest, version: str, package: bytes) -> None:
        put(guest.world / CARD, "newer.deb", package)
        put(guest.world / CARD, OBSTACLE_FILE, OBSTACLE.encode())
        self._power_on("third", guest, lambda box: self._third(box, version), RIGHT)
        self._recorded("third", guest)

    def _recorded(self, name: str, guest: Guest) -> None:
        """Look what the cut has left of the game."""
        self._step(f"{name} power-on: entries in the journal then", lambda: recorded(guest, guest.world / TWIN))

    def _power_on(
        self, name: str, guest: Guest, play: Callable[[Box], None], text: str, problems: Path | None = None
    ) -> None:
        """Switch the card on, and cut its power after what is done with it."""
        began = time.monotonic()
        box = Box(guest, guest.world / TWIN, text, problems)
        try:
            self._done(f"{name} power-on: the hands", began)
            self._step(f"{name} power-on: the picture that the journal calls for", lambda: round(box.look(), 1))
            play(box)
        except Differs as fault:
            log = box.journal()  # on the console, too
            print(f"test-image: the end of the system's log:\n{log}", file=sys.stderr)
            raise Differs(f"{name} power-on: {fault}{box.board.console_end()}") from fault
        finally:
            box.close()

    def _first(self, box: Box) -> None:
        self._step("systemd", box.started)
        self._step("card", box.card)
        self._step("first light", box.first_light)
        self._step("a game begun", box.begin)
        self._step("a ruling", lambda: box.attack().headline)
        self._step("lamps", box.lamps)
        self._step("the next question", box.on)
        self._step("until systemd has kept the time of day", lambda: box.board.wait(45_000))
        self._kept = box.kept()

    def _second(self, box: Box) -> None:
        """The text file is wrong: the glass has said so, and a key goes on to the question of before.

        After the last answer the power is cut at the very moment that its picture is complete.
        """
        self._step("on with what the card had", box.dismiss)
        self._step("the question of before", box.on)
        self._step("systemd with a wrong text file", lambda: box.started("degraded, failed: referee-card.service "))
        self._step("second power-on: what others know it by", lambda: box.lasted(*self._kept))
        self._step("crash", lambda: box.crash("SIGSEGV", 1))
        self._step("watchdog", lambda: box.crash("SIGSTOP", 2))
        self._step("another ruling", lambda: box.attack().headline)

    def _third(self, box: Box, version: str) -> None:
        self._step("third power-on: the question of before", box.on)
        self._step("third power-on: what others know it by", lambda: box.lasted(*self._kept))
        self._step("sandbox", box.sandbox)
        self._step("update", lambda: box.update(version))
        self._step("stopped, s", box.stop)
        self._step("wrong settings, told by glass, systemd and log", box.obstacle)

    def _step(self, name: str, do: Callable[[], object]) -> None:
        began = time.monotonic()
        self._done(name, began, do())

    def _done(self, name: str, began: float, result: object = None) -> None:
        self.report[name] = [round(time.monotonic() - began, 1), *([] if result is None else [result])]
        print(f"test-image: {name}: {self.report[name]}", file=sys.stderr)


def recorded(guest: Guest, twin: Path) -> int:
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
    with Journal(twin, write=False) as journal:
        wanted = accepted(journal)
    if found != wanted:
        raise Differs(f"the journal on the card ends with {found[-3:]}; acknowledged was {wanted[-3:]}")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
