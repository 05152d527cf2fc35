"""A machine's GPIO chips: what the kernel says of each, and lgpio on them, as gpiozero's real factory calls it."""

from __future__ import annotations

import os
import struct
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from gpiozero.exc import PinUnknownPi

from hardware import header

OUTPUT = 1 << 1
"""lgpio's flag of a line's mode."""

BRCM = tuple(f"gpio-brcmstb@107d5{place}" for place in ("08500", "08520", "17c00", "17c20"))


class Board(NamedTuple):
    """A Raspberry Pi: its revision code, and its chips by number, each with a label and how many lines."""

    revision: int
    chips: dict[int, tuple[str, int]]
    header: int


def pi_5(header: int, *others: int) -> Board:
    """Return a Pi 5 whose header and four own chips of the board have these numbers."""
    own = zip(others, zip(BRCM, (32, 4, 17, 6), strict=True), strict=True)
    return Board(0xC04170, {header: ("pinctrl-rp1", 54), **dict(own)}, header)


BOARDS = {
    "Zero 2 W": Board(0x902120, {0: ("pinctrl-bcm2835", 54), 1: ("brcmvirt-gpio", 2)}, 0),
    "3B, the expander first": Board(0xA02082, {2: ("pinctrl-bcm2835", 54), 0: ("raspberrypi-exp-gpio", 8)}, 2),
    "4B": Board(0xC03111, {0: ("pinctrl-bcm2711", 58), 1: ("raspberrypi-exp-gpio", 8)}, 0),
    "4B behind a port expander": Board(0xC03111, {0: ("mcp23s17", 32), 5: ("pinctrl-bcm2711", 58)}, 5),
    "5 with Linux 6.1": pi_5(4, 0, 1, 2, 3),
    "5 with Linux 6.6": pi_5(0, 10, 11, 12, 13),
    "5, the header second": pi_5(2, 0, 1, 3, 4),
    **{f"5, the header at {n}": pi_5(n, *[m for m in range(10, 16) if m != n][:4]) for n in range(10, 16)},
    "5 without number 0": pi_5(11, 12, 13, 14, 15),
    "5 with a decoy of 54 lines": Board(0xC04170, {0: ("ftdi-cbus", 54), 14: ("pinctrl-rp1", 54)}, 14),
}
"""How kernels number them (raspberrypi/linux#6144, adafruit/Adafruit_Blinka#1119), and what may be plugged in."""


class Chips:
    """Puts a board's chips under `hardware.header`, and a module `lgpio` under the real LGPIOFactory.

    ``claimed``: lines that were claimed, by the number of their chip. ``refused``: errno of opening a chip.
    """

    def __init__(self, board: Board, monkeypatch: pytest.MonkeyPatch, devices: Path) -> None:
        self.chips = board.chips
        self.claimed: defaultdict[int, set[int]] = defaultdict(set)
        self.refused: dict[int, int] = {}
        for number in board.chips:
            (devices / f"gpiochip{number}").touch()
        monkeypatch.setattr(header, "DEVICES", devices)
        monkeypatch.setattr(header, "ioctl", self._ioctl)
        monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: board.revision)
        monkeypatch.setitem(sys.modules, "lgpio", self._lgpio())
        monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)  # it has another lgpio, or none
        monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", import_module("gpiozero.pins.lgpio"))
        monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory.pins", {})
        monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory._reservations", defaultdict(list))

    def _ioctl(self, opened: int, request: int, asked: bytes) -> bytes:
        """GPIO_GET_CHIPINFO_IOCTL and GPIO_V2_GET_LINEINFO_IOCTL of linux/gpio.h."""
        number = int(Path(f"/proc/self/fd/{opened}").readlink().name.removeprefix("gpiochip"))
        if number in self.refused:
            raise OSError(self.refused[number], os.strerror(self.refused[number]))
        label, lines = self.chips[number]
        if request == 0x8044B401:
            return struct.pack("32s32sI", f"gpiochip{number}".encode(), label.encode(), lines)
        assert request == 0xC100B405
        return asked[:64] + struct.pack("II", struct.unpack_from("I", asked, 64)[0], 0) + asked[72:]

    def fail(self, number: int) -> int:
        """Stand for `lgpio.gpiochip_open` where lgpio itself cannot go on."""
        raise sys.modules["lgpio"].error("no handle left")

    @staticmethod
    def unknown() -> int:
        """Stand for gpiozero's `get_pi_revision` on a board that does not say which it is."""
        raise PinUnknownPi("no revision")

    def _lgpio(self) -> ModuleType:
        module: Any = ModuleType("lgpio")
        module.error = type("error", (Exception,), {})
        for name in ("SET_PULL_NONE", "SET_PULL_UP", "SET_PULL_DOWN", "BOTH_EDGES", "RISING_EDGE", "FALLING_EDGE"):
            setattr(module, name, name)

        def gpiochip_open(number: int) -> int:
            if number not in self.chips or number in self.refused:
                raise module.error("can not open gpiochip")
            return number

        modes: dict[tuple[int, int], int] = {}

        def claim(chip: int, line: int, mode: int) -> None:
            if line >= self.chips[chip][1]:
                raise module.error("bad GPIO number")
            self.claimed[chip].add(line)
            modes[chip, line] = mode

        module.gpiochip_open = gpiochip_open
        module.gpio_claim_input = module.gpio_claim_alert = lambda chip, line, *_: claim(chip, line, 0)
        module.gpio_claim_output = lambda chip, line: claim(chip, line, OUTPUT)
        module.gpio_get_mode = lambda chip, line: modes[chip, line]
        module.gpiochip_close = module.gpio_free = module.gpio_write = lambda *_: 0
        module.gpio_set_debounce_micros = lambda *_: 0
        module.gpio_read = lambda *_: 1
        module.callback = lambda *_: type("Callback", (), {"cancel": lambda _self: None})()
        return module  # type: ignore[no-any-return]
