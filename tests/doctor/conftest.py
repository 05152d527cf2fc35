"""A Raspberry Pi whose every part can be made to fail, and fingers on its box that do what they are told."""

from __future__ import annotations

import errno
import threading
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.events import InputEvent
from hardware.glass.buses import I2C_HZ
from hardware.header import Chip, Line
from hardware.line.presence import Connected, Disconnected
from hardware.pins import HIGHEST_GPIO, REFERENCE, I2cWiring, Pins, from_mapping
from hardware.simulated.box import SimulatedBox
from referee.config import InputBoardPort
from referee.doctor.findings import Finding
from referee.doctor.hands import TIMES, Ear, Hands
from referee.doctor.host import Host
from referee.doctor.probe import Access, Account

HEALTHY_COMMIT = 0.004
LINES = 54
"""Of the chip of the header."""
PUSH = (0.0004, 0.0003, 0.09, 0.0006, 0.0009)
"""Seconds between the edges of a push: a good key, bouncing a little as it closes and as it opens."""


class Machine(Host):
    """A healthy Pi 4 around a simulated box, with disk, users and packages: nothing of this machine shows through."""

    def __init__(self, box: SimulatedBox) -> None:
        self.box = box
        self.files: dict[str, bytes] = {
            "/proc/device-tree/model": b"Raspberry Pi 4 Model B Rev 1.2\0",
            "/sys/class/thermal/thermal_zone0/temp": b"48312\n",
            "/etc/os-release": b'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
            "/proc/self/mounts": b"/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
        }
        wires = box.pins.display.wires
        self.devices: dict[str, Access] = {"/dev/gpiochip0": "ok", wires.device: "ok"}
        if isinstance(wires, I2cWiring):
            speed = f"/sys/class/i2c-adapter/i2c-{wires.bus}/of_node/clock-frequency"
            self.files[speed] = I2C_HZ.to_bytes(4, "big")
        self.consumers: dict[int, str] = {}
        self.commands: dict[tuple[str, ...], str] = {
            ("vcgencmd", "get_throttled"): "throttled=0x0\n",
        }
        self.user = Account(
            "pi",
            groups=frozenset({"pi", "gpio", "i2c"}),
            listed=frozenset({"gpio", "i2c"}),
            known=frozenset({"pi", "gpio", "i2c", "spi", "dialout"}),
        )
        self.packages: dict[str, str | None] = {"lgpio": "0.2.2.0"}
        self.bytes_free = 8 * 2**30
        self.commit = HEALTHY_COMMIT
        self.read_only = False
        self.busy = False
        self.bus_hangs = False
        self.greeting: Connected | Disconnected | None = Connected("1.2", 0.0)
        self.greeted: InputBoardPort | None = None
        self.configured = InputBoardPort("auto")

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def access(self, path: str) -> Access:
        return "ok" if path in ("/", "/var", "/var/lib", "/var/lib/referee") else self.devices.get(path, "missing")

    def run(self, *command: str) -> str | None:
        return self.commands.get(command)

    def plug(self) -> None:
        """Plug an input board in."""
        self.devices["/dev/ttyACM0"] = "ok"

    def names(self, folder: str) -> Sequence[str]:
        return sorted(path.removeprefix("/dev/") for path in self.devices) if folder == "/dev" else ()

    def chip(self, path: str) -> Chip:
        if self.access(path) == "denied":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        named = (f"GPIO{n}" if n <= HIGHEST_GPIO else "" for n in range(LINES))
        lines = (Line(n, name, self.consumers.get(n, ""), n in self.consumers) for n, name in enumerate(named))
        return Chip("pinctrl-bcm2711", tuple(lines))

    def board(self, where: InputBoardPort) -> Connected | Disconnected | None:
        self.greeted = where
        return self.greeting

    def account(self) -> Account:
        return self.user

    def version(self, package: str) -> str | None:
        return self.packages[package]

    def answers(self, bus: int, address: int) -> bool:
        if self.bus_hangs:
            raise OSError(errno.ETIMEDOUT, "Connection timed out")
        wires, controller = self.box.pins.display.wires, self.box.controller
        return (bus, address) == (wires.bus, controller.address) and not controller.absent

    def free(self, folder: Path) -> int:
        return self.bytes_free

    def fsyncs(self, folder: Path, times: int) -> list[float]:
        if self.read_only:
            raise OSError(errno.EROFS, "Read-only file system")
        return [self.commit] * times

    def locked(self, path: Path) -> bool:
        return self.busy

    def leave(self, group: str, *, listed: bool = False) -> None:
        """Take the user out of a group; ``listed``: only this login has not got it yet."""
        self.user = replace(
            self.user,
            groups=self.user.groups - {group},
            listed=self.user.listed if listed else self.user.listed - {group},
        )


class InstantEar(Ear):
    """Simulated fingers have done all they do before anybody listens, so waiting for more takes no time."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(lambda: self.now)

    def next(self, until: float) -> InputEvent | None:
        if self.queue.empty():
            self.now = max(self.now, until)
            return None
        return self.queue.get()


class Player:
    """Willing fingers; ``instead`` holds what they do where they cannot do what was asked, for one ask or another."""

    def __init__(self, box: SimulatedBox, ear: InstantEar) -> None:
        self._box, self._ear = box, ear
        self.asked: list[tuple[str, str]] = []
        self.instead: dict[str, Callable[[], None]] = {}

    def ask(self, what: str, text: str) -> None:
        self.asked.append((what, text))
        if what in self.instead:
            self.instead[what]()
        elif what.startswith(f"{TIMES} "):
            for _ in range(TIMES):
                self.push(what.removeprefix(f"{TIMES} "), *PUSH)
                self._ear.now += 0.15
        elif what in ("clockwise", "counterclockwise"):
            for _ in range(int(text.split()[-2])):
                self._ear.now += 0.1
                self._box.turn(1 if what == "clockwise" else -1)
        elif what != "nothing":
            self.push("select" if what == "yes" else what, *PUSH)

    def push(self, key: str, *seconds: float) -> None:
        """Close a contact, and change it again after each of these times."""
        self._box.press(key)
        for i, pause in enumerate(seconds):
            self._ear.now += pause
            (self._box.press if i % 2 else self._box.release)(key)


class Patient:
    """A simulated box under examination."""

    def __init__(self, pins: Pins | None = None) -> None:
        self.ear = InstantEar()
        self._switched = threading.Condition()
        self.box = SimulatedBox(pins=pins, clock=self.ear.clock, on_lamp=self._lamp)
        self.player = Player(self.box, self.ear)

    def _lamp(self, name: str, lit: bool) -> None:
        with self._switched:
            self._switched.notify_all()

    def sees(self, lit: dict[str, bool]) -> bool:
        """Whether these are the lamps that are lit, or will be in a moment: a thread of the box switches them."""
        with self._switched:
            return self._switched.wait_for(lambda: self.box.lamps() == lit, timeout=10)

    def examine(self, *, asking: bool = True, counting: bool = False) -> list[Finding]:
        """Examine the box by hand."""
        hands = Hands(self.box.box, self.box.pins, self.ear, self.player, asking=asking, counting=counting)
        return [*hands.examine()]


@pytest.fixture
def patient() -> Iterator[Patient]:
    machine = Patient()
    yield machine
    machine.box.close()


@pytest.fixture
def machine() -> Iterator[Machine]:
    box = SimulatedBox()
    yield Machine(box)
    box.close()


@pytest.fixture
def on_spi() -> Iterator[Machine]:
    """A Pi whose pin map puts an SSD1322 on SPI."""
    document = tomllib.loads(REFERENCE.read_text())
    document["display"] = {
        "controller": "ssd1322", "interface": "spi", "bus": 0, "select": 0, "dc": 14, "reset": 15,
    }  # fmt: skip
    box = SimulatedBox(pins=from_mapping(document))
    machine = Machine(box)
    machine.plug()
    machine.user = replace(machine.user, groups=machine.user.groups | {"spi"})
    yield machine
    box.close()
