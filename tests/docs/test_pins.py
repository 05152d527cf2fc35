"""The documents tell what the pin map says, and a changed pin map is noticed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from hardware.pins import REFERENCE, Pins, from_mapping, load
from tests.docs import pins as documents
from tests.docs.wiring import GROUND, HEADER, driven, parts

FREE_GROUNDS = {6, 9, 14, 20, 25, 30, 34, 39}


def other(**tables: dict[str, object]) -> Pins:
    """The reference build with some entries changed."""
    document = tomllib.loads(REFERENCE.read_text())
    for table, entries in tables.items():
        document[table] |= entries
    return from_mapping(document)


def test_no_committed_document_is_stale() -> None:
    assert documents.stale(load()) == []


@pytest.mark.parametrize(
    "changed",
    [{"keys": {"die-1": 14}}, {"buzzer": {"pin": 15}}, {"lamps": {"seat-1": 14}}, {"encoder": {"a": 27, "b": 17}}],
)
def test_a_changed_pin_makes_every_document_stale(changed: dict[str, dict[str, object]]) -> None:
    assert documents.stale(other(**changed)) == ["docs/wiring.yml", "docs/build.md", "docs/images/wiring.svg"]


def test_every_gpio_of_the_pin_map_is_wired_once() -> None:
    pins = load()
    wanted = {*pins.keys.values(), *pins.encoder, *pins.lamps.values(), pins.buzzer, 2, 3}
    labels = [wire.label for part in parts(pins) for wire in part.wires if wire.label.startswith("GPIO")]
    assert sorted(labels) == sorted(f"GPIO {number}" for number in wanted)
    used = [wire.pin for part in parts(pins) for wire in part.wires]
    assert len(used) == len(set(used)), "no pin of the header takes two wires"


def test_the_header_is_that_of_a_raspberry_pi() -> None:
    """gpiozero's own table of the 40-pin header."""
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory(revision="a02082")
    header = factory.board_info.headers["J8"]
    theirs = {int(p.name[4:]): p.number for p in header.pins.values() if p.name.startswith("GPIO")}
    assert theirs == HEADER
    grounds = {p.number for p in header.pins.values() if p.name == "GND"}
    assert set(GROUND.values()) <= grounds == FREE_GROUNDS
    factory.close()


def test_more_lamps_than_the_driver_has_channels_are_refused() -> None:
    pins = load()
    many = dict.fromkeys((f"lamp-{i}" for i in range(7)), 0)
    with pytest.raises(ValueError, match="8 lamps and buzzers: expected at most 7"):
        list(driven(Pins(pins.keys, pins.encoder, 1, many, pins.buzzer, pins.display)))


def test_the_drawing_names_every_wire() -> None:
    drawn = Path(documents.DRAWING).read_text()
    texts = set(re.findall(r">([^<>]+)</text>", drawn))
    for part in parts(load()):
        for wire in part.wires:
            assert any(f":{wire.pin}:{wire.label}" in text for text in texts), wire
