"""The real box as the doctor opens it: without its display, if that is what is missing."""

from __future__ import annotations

import errno
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hardware.box import Box, open_real
from hardware.errors import BoxNotFound
from hardware.events import Edge, InputEvent
from hardware.pins import DisplayWiring, I2cWiring, Pins, SpiWiring, load
from hardware.simulated.pins import factory
from referee.config import Config
from referee.doctor.examination import examine, open_box
from tests.doctor.conftest import Machine

PINS = load()
BUSES = {"i2c": PINS, "spi": replace(PINS, display=DisplayWiring("ssd1322", SpiWiring(0, 0, 3, 2)))}


def nothing_there(*_place: object) -> Any:
    raise OSError(errno.ENOENT, "No such file or directory")


@pytest.mark.parametrize("interface", BUSES)
def test_without_a_display_keys_can_still_be_tried(interface: str) -> None:
    lines = factory()

    def opener(pins: Pins, **wires: Any) -> Box:
        return open_real(pins, gpio=lambda: lines, **{"bus": nothing_there, "spi": nothing_there} | wires)

    with ExitStack() as parts:
        box, (finding,) = open_box(BUSES[interface], parts, opener=opener)
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
        box, findings = open_box(PINS, parts, opener=no_pins)
    assert box is None
    assert [finding.text for finding in findings] == ["no pins"]


def test_what_is_missing_is_told_once_with_one_cure(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F7: lgpio and the I2C bus were told twice, with two cures; a group in three ways."""
    pins = replace(PINS, display=DisplayWiring("ssd1309", I2cWiring(9, 0x3C)))
    machine.packages["lgpio"] = None
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setattr("referee.doctor.examination.Host", lambda: machine)
    examined = partial(examine, pins, tmp_path / "j.db", Config(), asking=False)
    bad = [f for f in examined() if f.level != "ok"]
    for word, part in (("lgpio", "pin-factory"), ("i2c", "i2c")):
        assert [f.part for f in bad if word in (f.text + f.todo).lower()] == [part]
    machine.packages["lgpio"] = "0.2.2.0"
    told = [f for f in examined() if f.level != "ok"]
    assert [f.part for f in told] == ["i2c", "box"], "it was seen when the box was opened only"
