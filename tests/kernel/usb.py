"""The input board on a real USB cable, as far as the kernel goes: found, pressed, pulled out, put back.

The guest's kernel is both ends of it: a host controller with cdc_acm, at which the daemon's driver opens
/dev/ttyACM0, and a gadget with a Pico's ids, at which the firmware's own main.py answers.
"""

from __future__ import annotations

import contextlib
import json
import runpy
import signal
from pathlib import Path
from typing import Any

from tests.kernel.disk import Disk
from tests.kernel.machine import Guest, Machine
from tests.kernel.prepare import PROJECT
from tests.kernel.sitting import Differs

BOUNCES = 2
UDC = "/sys/kernel/config/usb_gadget/pico/UDC"
SECOND_CHIP = 32
"""Offset of the Pico's lines, see `guest/hands.c`."""

DAEMON, FIRMWARE = 1, 2

WHILE = 1500
"""Ms of the guest's clock after which both ends know how the cable is; they need 800."""


class Cable:
    """The daemon at one end, the firmware at the other, and hands that press, pull and plug in."""

    def __init__(self, machine: Machine) -> None:
        pins = runpy.run_path(str(PROJECT / "firmware/input_board/pins.py"))["CONTACTS"]
        self.pins = {key: SECOND_CHIP + pin for key, pin in pins.items()}
        self.machine = machine
        self.pressed = dict.fromkeys(self.pins, 0)
        self.counted = 0
        self.unheard = 0
        self.gaps: list[str] = []
        self._asked = 0
        self.power()
        machine.start("/srv/tests/kernel/guest/daemon.py", slot=DAEMON)
        self.machine.hear("daemon: (looking)", anew=True)

    def power(self) -> None:
        """Start the firmware."""
        self.machine.start("/srv/tests/kernel/guest/pico.py", slot=FIRMWARE)
        self.machine.hear("(pico: starts)", anew=True)

    def plug(self) -> str:
        """Plug in; return what the daemon then says."""
        self.machine.write(UDC, "dummy_udc.0")
        before = self.machine.heard
        report = self.machine.hear(r"daemon: (connected, firmware \S+, at \S+)", anew=True)
        self.machine.wait(WHILE)
        self.machine.heard = before  # a gap is announced before or after
        return report

    def pull(self) -> None:
        """Pull the cable: both ends notice."""
        self.machine.write(UDC)
        self.machine.hear("daemon: (gone, .*)", anew=True)
        self.machine.wait(WHILE)

    def press(self, presses: int, seed: int) -> None:
        """Press all keys of the board in turn, as fast as fingers can be told apart; each counts once."""
        low, high = self._storm(presses, seed)
        if low != presses or high != presses:
            raise Differs(f"the hands were held up: {presses} presses amount to {low} to {high}")
        for number, key in enumerate(self.pins):
            self.pressed[key] += len(range(number, presses, len(self.pins)))
        self.check()

    def press_unplugged(self, presses: int, seed: int) -> None:
        """Press while the cable is out."""
        self._storm(presses, seed)
        self.unheard += presses

    def announced(self, least: int | None) -> None:
        """Hear of the gap: of at least so many edges, or of nobody knows how many. None of them counts as a press."""
        gap = self.machine.hear(r"daemon: gap (\w+)", anew=True)
        if (gap == "None") != (least is None) or (least is not None and int(gap) < least):
            raise Differs(f"a gap of {gap} edges was announced where {least} was to be")
        self.gaps.append(gap)
        self.check()

    def check(self) -> None:
        """Compare what was counted with what was pressed. Raises Differs."""
        counted = self._counted()
        wanted = {key: count for key, count in self.pressed.items() if count}
        for kind in ("press", "release"):
            if counted[kind] != wanted:
                raise Differs(f"{kind}: counted were {counted[kind]}, pressed {wanted}")
        self.counted = sum(counted["press"].values())

    def _counted(self) -> dict[str, dict[str, int]]:
        """Return presses and releases by key, asked again where the kernel spoke into the middle of the line."""
        while True:
            self._asked += 1
            self.machine.tell(f"say {DAEMON} counted-{self._asked}")
            line = self.machine.hear(rf"daemon: counted-{self._asked} (\{{.*\}})", anew=True)
            with contextlib.suppress(json.JSONDecodeError):
                return dict(json.loads(line))

    def _storm(self, presses: int, seed: int) -> tuple[int, int]:
        lines = ",".join(map(str, self.pins.values()))
        low, high = self.machine.tell(f"storm {lines} {presses} {BOUNCES} {seed}")
        return int(low), int(high)


def measure(folder: Path, guest: Guest, presses: int = 100, pulls: int = 4) -> dict[str, Any]:
    """Press, pull, press, plug in, press; every other time the board loses its power with the cable."""
    reports: list[str] = []
    with Machine(guest, Disk(), folder / "console") as machine:
        cable = Cable(machine)
        reports.append(cable.plug())
        cable.press(presses, 1)
        for pull in range(pulls):
            reboots = bool(pull % 2)
            cable.pull()
            if reboots:
                machine.stop(signal.SIGKILL, slot=FIRMWARE)
            cable.press_unplugged(3, pull + 2)
            if reboots:
                cable.power()
            reports.append(cable.plug())
            cable.announced(None if reboots else 2 * 3)
            cable.press(presses, pull + 100)
    return {
        "device": reports[0],
        "found_again": len(reports) - 1,
        "presses": sum(cable.pressed.values()),
        "counted": cable.counted,
        "pressed_unplugged": cable.unheard,
        "announced_gaps": len(cable.gaps),
    }
