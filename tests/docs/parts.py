"""What has to be bought for the box of a pin map, counted from it."""

from __future__ import annotations

from typing import NamedTuple

from hardware.pins import Pins
from tests.docs.wiring import DRIVER


class Bought(NamedTuple):
    """One line of the parts list; ``pieces``: how many."""

    part: str
    pieces: int
    note: str


def bought(pins: Pins) -> list[Bought]:
    """Return the parts list of a pin map."""
    plain = sum(1 for key in pins.keys if key not in pins.lamps and key != "select")
    lit = len(pins.lamps)
    return [
        Bought("Raspberry Pi Zero 2 W with header, or any 40-pin Pi from the 3 on", 1, "64-bit system"),
        Bought("microSD card, 16 GB, class A1 or A2", 1, "A1 and A2 guarantee fast small writes"),
        Bought("supply for that Pi", 1, "5 V, 2.5 A for a Zero 2 W"),
        Bought(
            f'display {pins.display.controller.upper()}, 2.42", 128x64, {pins.display.interface.upper()}',
            1,
            "set to 3.3 V; readable from a metre",
        ),
        Bought("key, 12 mm tact switch with cap", plain, "six die keys and Back"),
        Bought("rotary encoder with push and knob (EC11)", 1, f"{pins.detents_per_cycle} detent per cycle"),
        Bought("arcade button, 24 mm, lit, 5 V", lit, "one for each seat; resistor inside"),
        Bought("buzzer, active, 5 V", 1, "active: it needs only power to sound"),
        Bought(DRIVER, 1, "DIP-16, with a socket"),
        Bought("stripboard, pin headers, wire, screws", 1, ""),
        Bought("filament for the case, 220 g", 1, "firmware/case/case.scad"),
    ]
