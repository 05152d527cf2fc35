"""A Raspberry Pi around a simulated box, and how its doctor listens. Disk, clock and Python are this machine's."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from pathlib import Path

from hardware.events import InputEvent
from hardware.glass.buses import I2C_HZ
from hardware.header import Chip, Line
from hardware.line.presence import Connected, Disconnected
from hardware.pins import HIGHEST_GPIO, I2cWiring
from hardware.simulated.box import SimulatedBox
from referee.config import InputBoardPort
from referee.doctor.hands import Ear
from referee.doctor.host import Host
from referee.doctor.probe import Access, JournalState

HEADER_LINES = 54


class InstantEar(Ear):
    """Simulated fingers have done all they do before anybody listens, so waiting for more takes no time."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(lambda: self.now)

    def next(self, until: float) -> InputEvent | None:
        """Return the next event, else let time pass at once."""
        if self.queue.empty():
            self.now = max(self.now, until)
            return None
        return self.queue.get()


class SimulatedPi(Host):
    """A healthy Pi 4 with a simulated box wired to it. See `referee.doctor.probe.Probe`."""

    def __init__(self, box: SimulatedBox, journal: Callable[[Path], JournalState | None] | None = None) -> None:
        super().__init__(journal)
        self.box = box
        self.files: dict[str, bytes] = {
            "/proc/device-tree/model": b"Raspberry Pi 4 Model B Rev 1.2 (simulated)\0",
            "/sys/class/thermal/thermal_zone0/temp": b"48312\n",
        }
        self.devices: dict[str, Access] = {"/dev/gpiochip0": "ok"}
        wires = box.pins.display.wires
        if isinstance(wires, I2cWiring):
            self.devices[f"/dev/i2c-{wires.bus}"] = "ok"
            speed = f"/sys/class/i2c-adapter/i2c-{wires.bus}/of_node/clock-frequency"
            self.files[speed] = I2C_HZ.to_bytes(4, "big")
        else:
            self.devices[f"/dev/spidev{wires.bus}.{wires.select}"] = "ok"
        self.consumers: dict[int, str] = {}
        """GPIO -> who holds it."""

    def read(self, path: str) -> bytes | None:
        """Return a file of the Pi, else of this machine."""
        return self.files[path] if path in self.files else super().read(path)

    def names(self, folder: str) -> Sequence[str]:
        """Return what is in a folder; devices are the Pi's alone."""
        if folder == "/dev":
            return sorted(path.removeprefix("/dev/") for path in self.devices)
        return super().names(folder)

    def access(self, path: str) -> Access:
        """Return whether a device of the Pi may be used."""
        return self.devices.get(path, "missing") if path.startswith("/dev/") else super().access(path)

    def run(self, *command: str) -> str | None:
        """Return what a command of the Pi printed."""
        return "throttled=0x0\n" if command == ("vcgencmd", "get_throttled") else super().run(*command)

    def answers(self, bus: int, address: int) -> bool:
        """Whether the simulated display answers."""
        wires = self.box.pins.display.wires
        return (bus, address) == (wires.bus, self.box.controller.address) and not self.box.controller.absent

    def chip(self, path: str) -> Chip:
        """Return the header."""
        if self.access(path) == "denied":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        lines = (
            Line(
                offset,
                f"GPIO{offset}" if offset <= HIGHEST_GPIO else "",
                self.consumers.get(offset, ""),
                offset in self.consumers,
            )
            for offset in range(HEADER_LINES)
        )
        return Chip("pinctrl-bcm2711", tuple(lines))

    def board(self, where: InputBoardPort) -> Connected | Disconnected | None:
        """No input board is plugged into a simulated Pi."""
        del where
        return None

    def version(self, package: str) -> str | None:
        """Return versions; mock pins stand in for lgpio."""
        return "(simulated)" if package == "lgpio" else super().version(package)
