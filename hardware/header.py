"""The GPIO chip of the 40-pin header: found by its label, and opened through lgpio.

Its number says nothing. The header of a Pi 5 was gpiochip4, became gpiochip0, and is gpiochip11 with another kernel
(raspberrypi/linux#6144, adafruit/Adafruit_Blinka#1119); number 0 may be a chip of the board's own, and its lines 0 to
27 are then its power button and radio.
"""

import os
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fcntl import ioctl
from importlib import import_module
from pathlib import Path
from typing import Any

from hardware.errors import BoxNotFound, PinsForbidden, WrongChip

DEVICES = Path("/dev")

LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Of the header's driver: up to the Pi 3 and Zero 2 W; Pi 4; Pi 5 (drivers/pinctrl in raspberrypi/linux)."""

HEADER_LINES = 28
"""Lines 0 to 27 of the chip are the header's."""

LGPIO_REMEDY = "install the package python3-lgpio, or this project with its extra `pi`"

_GET_CHIPINFO, _GET_LINEINFO = 0x8044B401, 0xC100B405
_CHIP, _LINE, _LINE_SIZE = struct.Struct("32s32sI"), struct.Struct("32s32sIIQ"), 256
_USED = 1
"""The kernel's character device: linux/gpio.h, version 2."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a GPIO chip; ``consumer`` is who holds it, "" if nobody does or they have no name."""

    offset: int
    name: str
    consumer: str
    used: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A GPIO chip: its driver's label and its lines."""

    label: str
    lines: tuple[Line, ...]


def read_chip(path: str) -> Chip:
    """Return a GPIO chip as the kernel describes it. Raises OSError."""
    opened = os.open(path, os.O_RDWR | os.O_CLOEXEC)  # as lgpio opens it, so that we may what it may
    try:
        _, label, count = _CHIP.unpack(ioctl(opened, _GET_CHIPINFO, bytes(_CHIP.size)))
        return Chip(_text(label), tuple(_read_line(opened, offset) for offset in range(count)))
    finally:
        os.close(opened)


def chips() -> list[str]:
    """Return the paths of all GPIO chips of this machine, by number."""
    return sorted((str(path) for path in DEVICES.glob("gpiochip[0-9]*")), key=_number)


def find(paths: Iterable[str], read: Callable[[str], Chip] = read_chip) -> tuple[str, Chip]:
    """Return the path and the chip of the header.

    Raises WrongChip if there is none, PinsForbidden if it may be one that this user may not open.
    """
    others, denied = [], []
    for path in paths:
        try:
            chip = read(path)
        except PermissionError as error:
            denied.append(f"{path} cannot be opened: {error.strerror}")
        except OSError as error:
            others.append(f"{path}: {error.strerror or error}")
        else:
            if chip.label in LABELS and len(chip.lines) >= HEADER_LINES:
                return path, chip
            others.append(f"{path} is {chip.label}")
    if denied:
        raise PinsForbidden(f"{denied[0]}. This user must be in the group gpio")
    found = ", ".join(others) or "there is no GPIO chip"
    raise WrongChip(
        f"this machine has no header of a Raspberry Pi: {found}. A Pi's kernel must have the driver for its pins"
    )


def lgpio_factory() -> Any:
    """Return gpiozero's pin factory for lgpio, on the chip of the header. Raises BoxNotFound, or a leaf of it."""
    try:
        lgpio = import_module("lgpio")
        pins = import_module("gpiozero.pins.lgpio")
    except ImportError as error:
        raise BoxNotFound(f"lgpio is not installed: {LGPIO_REMEDY}") from error
    except OSError as error:
        # Importing lgpio makes a FIFO in the directory LG_WD, or else in the working directory.
        raise BoxNotFound(f"lgpio does not work: {error}. Set LG_WD to a writable directory") from error
    path, _ = find(chips())
    try:
        return pins.LGPIOFactory(chip=_number(path))
    except (OSError, lgpio.error) as error:
        raise BoxNotFound(f"lgpio cannot open {path}: {error}") from error


def _number(path: str) -> int:
    return int(Path(path).name.removeprefix("gpiochip"))


def _read_line(chip: int, offset: int) -> Line:
    asked = _LINE.pack(b"", b"", offset, 0, 0).ljust(_LINE_SIZE, b"\0")
    name, consumer, offset, _, flags = _LINE.unpack_from(ioctl(chip, _GET_LINEINFO, asked))
    return Line(offset, _text(name), _text(consumer), bool(flags & _USED))


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")
