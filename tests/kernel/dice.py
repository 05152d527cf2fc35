"""A die by Bluetooth on the real kernel: Debian's bluetoothd, bleak as it is, and a die made of bumble at /dev/vhci.

It is found and connected to, its throws are read, its connection is lost while it rolls, it sleeps and wakes up.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.kernel.disk import Disk
from tests.kernel.machine import Guest, Machine
from tests.kernel.sitting import Differs

DIE, STATION = 1, 2
ADDRESS = "C3:5A:11:20:7E:F0"
STARTING, RECONNECTING = 20, 5
"""Seconds of the guest's clock within which the station has its die."""

FACES = (5, 1, 6, 6, 2, 3, 4)
"""Thrown once with each connection."""


class Radio:
    """The die at one end, our radio at the other."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._asked = 0
        self.throws = 0
        self.waits_ms: list[float] = []
        self.back_s: list[float] = []
        machine.start("/srv/tests/kernel/guest/die.py", slot=DIE)
        machine.hear("(die: advertises)")
        machine.start("/srv/tests/kernel/guest/dice.py", ADDRESS, slot=STATION)

    def die(self, command: str) -> None:
        """Tell the die what to do."""
        self._machine.tell(f"say {DIE} {command}")

    def let(self, seconds: int) -> None:
        """Let so much of the guest's time go by, of which it leaps over what it does not need."""
        for _ in range(seconds):
            self._machine.wait(1000)

    def hear(self, pattern: str) -> float:
        """Wait for what the station tells next of this kind; return when, s of the guest's clock."""
        return float(self._machine.hear(rf"dice: {pattern} at ([\d.]+)[:\r\n]", anew=True))

    def throw(self, face: int) -> None:
        """Throw the die; it must tell that face, and for certain."""
        self.die(f"roll {face}")
        before = self._machine.heard
        landed = float(self._machine.hear(r"die: landed ([\d.]+)[\r\n]", anew=True))
        self._machine.heard = before  # it may have been heard of before
        self.waits_ms.append((self.hear(rf"thrown certain {face} 998 W1") - landed) * 1000)
        self.throws += 1

    def counted(self) -> dict[str, int]:
        """Return how much the station has told so far."""
        self._asked += 1
        self._machine.tell(f"say {STATION} counted-{self._asked}")
        text = self._machine.hear(rf"dice: counted-{self._asked} (\{{.*\}})", anew=True)
        return {name: int(count) for name, count in re.findall(r'"(\w+)": (\d+)', text)}


def measure(folder: Path, guest: Guest) -> dict[str, Any]:
    """Connect, throw, lose the connection in a roll, throw, sleep, wake, throw. Raises Differs or MachineFault."""
    with Machine(guest, Disk(), folder / "console") as machine:
        radio = Radio(machine)
        radio.let(STARTING)
        radio.hear("connected")
        before = radio.counted()
        for face in FACES:
            radio.throw(face)
        radio.die("begin")
        radio.die("lose")
        radio.hear("doubt unread None None W1")
        gone = radio.hear("disconnected")
        radio.let(RECONNECTING)
        radio.back_s.append(radio.hear("connected") - gone)
        for face in FACES:
            radio.throw(face)
        radio.die("sleep")
        radio.hear("disconnected")
        radio.die("wake")
        radio.let(RECONNECTING)
        radio.hear("connected")
        for face in FACES:
            radio.throw(face)
        counted = radio.counted()
    wanted = {"thrown": radio.throws, "doubt": 1, "disconnected": 2, "connected": 2}
    told = {name: counted.get(name, 0) - before.get(name, 0) for name in wanted}
    if told != wanted:
        raise Differs(f"told were {told}, to be told {wanted}")
    return {
        "throws": radio.throws,
        "told": told["thrown"],
        "lost_while_rolling": told["doubt"],
        "reconnected": told["connected"],
        "reconnect_s": radio.back_s,
        "throw_ms": radio.waits_ms,
    }
