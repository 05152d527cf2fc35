"""`make test-image`: the card on an emulated Raspberry Pi 3B; see docs/image.md. Prints figures as JSON."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from referee.card.settings import parse
from tests.card.box import RIGHT, WRONG, Box
from tests.card.bus import acknowledged
from tests.card.cuts import measure
from tests.card.prepare import CACHE, CARD, TWIN, board, copied, needs, newer, put
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.prepare import Missing
from tests.kernel.sitting import Differs


def main() -> int:
    """Run it; return 1 if the card did not do what it should, 2 if something has to be installed first."""
    options = argparse.ArgumentParser(prog="python -m tests.card", description=__doc__)
    options.add_argument("image", type=Path, help="the image, unpacked")
    options.add_argument("package", type=Path, help="the package that it was built of")
    options.add_argument("--keep", metavar="DIR", type=Path, help="keep card, console and pictures there")
    options.add_argument("--cuts", metavar="N", type=int, help="instead, cut the power of a game N times")
    options.add_argument("--seed", type=int, default=1, help="of the moments at which it is cut")
    chosen = options.parse_args()
    report: dict[str, Any] = {}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            needs()
            CACHE.mkdir(parents=True, exist_ok=True)
            guest = board(chosen.image.resolve(), folder)
            if chosen.cuts:
                report |= measure(guest, chosen.cuts, chosen.seed)
            else:
                Course(guest, chosen.package.resolve(), report).run()
        except Missing as missing:
            print(f"test-image: {missing}", file=sys.stderr)
            return 2
        except (MachineFault, Differs) as fault:
            report["fault"] = str(fault)
    report["took_s"] = round(time.monotonic() - began, 1)
    print(json.dumps(report, indent=2))
    return 1 if "fault" in report else 0


class Course:
    """Three power-ons of a card; ``report`` has for each step its seconds on this machine and what it found.

    The third is of a copy that is made after the first, so that two processors have something to do.
    """

    def __init__(self, guest: Guest, package: Path, report: dict[str, Any]) -> None:
        self.report = report
        self._guest = guest
        self._package = package

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
            third.result()

    def _update(self, guest: Guest, version: str, package: bytes) -> None:
        put(guest.world / CARD, "newer.deb", package)
        self._power_on("third", guest, lambda box: self._third(box, version), RIGHT)

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
        except Differs:
            print(f"test-image: {box.journal()}", file=sys.stderr)
            raise
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

    def _second(self, box: Box) -> None:
        """The text file is wrong: the glass has said so, and a key goes on to the question of before."""
        box.board.wait(1000)  # a screen that came by itself counts presses from 600 ms on
        self._step("on with what the card had", lambda: box.key("select"))
        self._step("the question of before", box.on)
        self._step("systemd with a wrong text file", lambda: box.started("degraded, failed: referee-card.service "))
        self._step("another ruling", lambda: box.attack().headline)
        self._step("crash", lambda: box.crash("SIGSEGV", 1))
        self._step("watchdog", lambda: box.crash("SIGSTOP", 2))

    def _third(self, box: Box, version: str) -> None:
        self._step("sandbox", box.sandbox)
        self._step("update", lambda: box.update(version))
        self._step("the next question after the update", box.on)
        self._step("stopped, s", box.stop)

    def _step(self, name: str, do: Callable[[], object]) -> None:
        began = time.monotonic()
        self._done(name, began, do())

    def _done(self, name: str, began: float, result: object = None) -> None:
        self.report[name] = [round(time.monotonic() - began, 1), *([] if result is None else [result])]
        print(f"test-image: {name}: {self.report[name]}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
