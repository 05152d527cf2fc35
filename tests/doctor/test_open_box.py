"""The real box as the doctor opens it: without its display, if that is what is missing."""

from __future__ import annotations

import errno
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from hardware.box import Box, open_real
from hardware.errors import BoxNotFound
from hardware.events import Edge, InputEvent
from hardware.pins import DisplayWiring, Pins, SpiWiring, load
from hardware.simulated.pins import factory
from referee.doctor.examination import open_box

PINS = load()
BUSES = {
    "i2c": PINS,
    "spi": replace(PINS, display=DisplayWiring("ssd1322", SpiWiring(0, 0, 3, 2))),
}


def nothing_there(*_place: object) -> Any:
    raise OSError(errno.ENOENT, "No such file or directory")


@pytest.mark.parametrize("interface", BUSES)
def test_without_a_display_keys_can_still_be_tried(interface: str) -> None:
    lines = factory()

    def opener(pins: Pins, **wires: Any) -> Box:
        return open_real(pins, gpio=lambda: lines, **{"bus": nothing_there, "spi": nothing_there} | wires)

    with ExitStack() as parts:
        box, (finding,) = open_box(BUSES[interface], parts, opener)
        assert box is not None
        assert (finding.part, finding.level) == ("box", "fail")
        assert finding.text.startswith(f"there is no {BUSES[interface].display.wires.device}")
        box.display.show(Image.new("1", box.display.size, 1))
        events: list[InputEvent] = []
        box.inputs.open(events.append)
        lines.pin("GPIO5").drive_low()
        assert [event.line for event in events if isinstance(event, Edge)] == ["die-1"]


def test_where_nothing_can_be_opened_each_reason_is_said_once() -> None:
    def no_pins(_pins: object, **_wires: object) -> Any:
        raise BoxNotFound("no pins")

    with ExitStack() as parts:
        box, findings = open_box(PINS, parts, no_pins)
    assert box is None
    assert [finding.text for finding in findings] == ["no pins"]
