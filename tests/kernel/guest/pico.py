"""The firmware of the input board on the far side of a USB cable: its own main.py, on CPython, in the guest.

What a Pico has and CPython has not stands here: `machine` is the guest's second gpio-sim chip, the USB line is the
gadget's end of it. As on a Pico, what is written while the cable is out is lost, and nothing is read.
"""

from __future__ import annotations

import os
import select
import sys
import time
import tty
from types import ModuleType

import lgpio  # type: ignore[import-not-found]

CHIP = 1
PORT = "/dev/ttyGS0"

_chip = lgpio.gpiochip_open(CHIP)


class Pin:
    """A line of the chip, as MicroPython's `machine.Pin`."""

    IN, OUT, PULL_UP = 0, 1, 1

    def __init__(self, number: int, mode: int, pull: int | None = None, value: int = 0) -> None:
        self._number = number
        if mode == Pin.OUT:
            lgpio.gpio_claim_output(_chip, number, value)
        else:
            lgpio.gpio_claim_input(_chip, number, lgpio.SET_PULL_UP if pull == Pin.PULL_UP else 0)

    def value(self, level: int | None = None) -> int | None:
        """Return the level, or set it."""
        if level is None:
            return int(lgpio.gpio_read(_chip, self._number))
        lgpio.gpio_write(_chip, self._number, level)
        return None


class Line:
    """Both streams of the USB line and the poller, through every pulling of the cable."""

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self._file = os.open(PORT, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._file)
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)

    def _again(self) -> None:
        os.close(self._file)
        self._open()

    def poll(self, timeout: int) -> list[tuple[int, int]]:
        """Wait so many ms for bytes."""
        ready = self._poll.poll(timeout)
        if ready and ready[0][1] & (select.POLLHUP | select.POLLERR):
            self._again()
            return []
        return ready

    def read(self, size: int) -> bytes:
        """Return a byte, or none where the cable was pulled just now."""
        try:
            return os.read(self._file, size)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Write a frame, or lose it."""
        try:
            os.write(self._file, data)
        except OSError:
            return


machine = ModuleType("machine")
vars(machine).update(Pin=Pin, reset=sys.exit)
sys.modules["machine"] = machine
vars(time).update(ticks_ms=lambda: time.monotonic_ns() // 1_000_000, ticks_diff=lambda a, b: a - b)
sys.path[:0] = ["/srv/firmware/input_board", "/srv/hardware/line"]

if __name__ == "__main__":
    import main  # type: ignore[import-not-found]

    line = Line()
    print("pico: starts", flush=True)
    main.run(line, line, line)
