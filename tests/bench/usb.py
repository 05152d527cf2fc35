"""An input board on a USB cable, on virtual time: the firmware of the board, the wire, and the station's own port.

Everything from the board's contacts to the station's queue is the production code but for three things: MicroPython's
pins, pyserial with the bytes' way through the kernel, and the thread that waits for them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Self

import serial

from hardware.events import DIE_KEYS
from hardware.line.input_board import InputBoard
from hardware.line.port_names import PICO, find_pico
from hardware.line.presence import Presence
from hardware.line.serial_port import SerialPort
from hardware.line.wire import Link
from tests.reference import SEAT_KEYS

FIRMWARE: Any = import_module("firmware.input_board.board")
"""What is flashed on the board; MicroPython has no types."""

SCAN = 0.001
"""Seconds between two looks of the board at its contacts."""

SETTLED = 0.010
"""Seconds after a movement during which it looks; later nothing can have changed."""


class Cable:
    """Bytes both ways, and a plug. Whatever is on its way when it is pulled is lost."""

    def __init__(self) -> None:
        self.path = ""
        self.to_station = b""
        self.to_board = b""
        self.open = False
        self.spoil: Callable[[bytes], bytes] | None = None

    @property
    def readable(self) -> bool:
        """Whether the station's end would be told to read: for bytes, or because the plug is out."""
        return self.open and bool(self.to_station or not self.path)

    def plug(self, path: str) -> None:
        """Put it in; the kernel calls it so."""
        self.path = f"/dev/{path}"

    def pull(self) -> None:
        """Take it out."""
        self.path = ""
        self.to_station = self.to_board = b""

    def carry(self, data: bytes) -> None:
        """Take bytes of the board to the station, if somebody has opened it; `spoil` may change them, once."""
        spoil, self.spoil = self.spoil, None
        if self.path and self.open:
            self.to_station += data if spoil is None else spoil(data)

    def ports(self) -> list[Any]:
        """What pyserial would list."""
        vendor, product = PICO
        there = SimpleNamespace(vid=vendor, pid=product, device=self.path)
        return [there] if self.path else []

    # -- the station's end, as pyserial has it

    def attach(self) -> Self:
        self.open = True
        self.to_station = b""
        return self

    def close(self) -> None:
        self.open = False

    def fileno(self) -> int:
        raise OSError("there is no file")

    def write(self, data: bytes) -> None:
        if not self.path:
            raise serial.SerialException("write failed: [Errno 5] Input/output error")
        self.to_board += data

    def read(self, size: int) -> bytes:
        if not self.path:
            raise serial.SerialException("device reports readiness to read but returned no data")
        data, self.to_station = self.to_station[:size], self.to_station[size:]
        return data


class Pin:
    """One of MicroPython's: a contact reads 0 when it is closed, a lamp is lit at 1."""

    def __init__(self, level: int) -> None:
        self._level = level

    def value(self, level: int | None = None) -> int:
        """Set it, or return it."""
        if level is not None:
            self._level = level
        return self._level


class SteppedPort(SerialPort):
    """The station's port without its thread: whoever turns the clock calls `step`."""

    due_at: float | None = None

    def __init__(self, cable: Cable, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._cable = cable

    def _open(self) -> Cable:
        self._where = self._find()
        return self._cable.attach()

    def start(self) -> None:
        self.due_at = self._clock()

    def wake(self) -> None:
        self.due_at = self._clock()

    def run(self, *, ready: bool) -> None:
        """Do what the thread would do now."""
        self.due_at = self.step(ready=ready)


class UsbBoard:
    """The board, its cable, and the station's end, as one thing that happens beside the loop."""

    def __init__(self, clock: Callable[[], float], chance: random.Random) -> None:
        self.cable = Cable()
        self.clock = clock
        self.frozen = False
        self.contacts = {name: Pin(1) for name in (*DIE_KEYS, *SEAT_KEYS)}
        self.lamps = {name: Pin(0) for name in SEAT_KEYS}
        self._chance = chance
        self._scan_until = 0.0
        self._port: SteppedPort | None = None
        self.boot()
        self.cable.plug("ttyACM0")

    def make(self, report: Callable[[Presence], None]) -> InputBoard:
        """Return the station's device, for `Loop.attach`."""

        def line(*args: Any, **named: Any) -> SteppedPort:
            self._port = SteppedPort(self.cable, *args, **named)
            return self._port

        find = lambda: find_pico(ports=self.cable.ports)  # noqa: E731
        return InputBoard("auto", report, clock=self.clock, find=find, line=line)

    # -- what people, and the world, do to it

    def boot(self) -> None:
        """Start the firmware anew, as after a brown-out."""
        self._link = Link(self._chance.randrange(1, 1 << 24), FIRMWARE.VERSION, self._now())
        self._board = FIRMWARE.Board(self._link, self.contacts, self.lamps)

    def move(self, key: str, *, closed: bool) -> None:
        """Press a key, or let it go."""
        self.contacts[key].value(0 if closed else 1)
        self._scan_until = self.clock() + SETTLED

    # -- beside the loop

    def deadline(self) -> float | None:
        """Return when `due` is wanted next."""
        now = self.clock()
        times: list[float | None] = [self._port.due_at if self._port is not None else None]
        if self.cable.readable:
            times.append(now)
        if not self.frozen:
            link = self._link.deadline()
            times.append(None if link is None else link / 1000)
            if self.cable.to_board:
                times.append(now)
            if now < self._scan_until:
                times.append(now + SCAN)
        return min((at for at in times if at is not None), default=None)

    def due(self, now: float) -> None:
        """Let both ends do what is due, and answer each other."""
        for _ in range(8):
            if not self.frozen:
                data, self.cable.to_board = self.cable.to_board, b""
                self._board.step(data, self._now())
                for frame in self._link.outgoing():
                    self.cable.carry(frame)
            port = self._port
            if port is not None and (self.cable.readable or (port.due_at is not None and now >= port.due_at)):
                port.run(ready=self.cable.readable)
            if not self.cable.readable and (self.frozen or not self.cable.to_board):
                return

    def _now(self) -> int:
        return int(self.clock() * 1000 + 0.001)
