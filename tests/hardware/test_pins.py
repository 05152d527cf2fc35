"""A pin map that cannot be wired is refused before anything is opened, and says what is wrong."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hardware.errors import BadPinMap, HardwareError
from hardware.events import KEYS, SEAT_KEYS
from hardware.pins import REFERENCE, DisplayWiring, I2cWiring, from_mapping, load

REFERENCE_MAP = tomllib.loads(REFERENCE.read_text())
PULLED_UP_AT_BOOT = range(9)
"""BCM2835 ARM Peripherals, table 6-31: GPIO 0 to 8 start with a pull-up, the others with a pull-down."""


def changed(table: str, entry: str | None, value: object) -> dict[str, Any]:
    document = copy.deepcopy(REFERENCE_MAP)
    if entry is None:
        document[table] = value
    elif value is None:
        del document[table][entry]
    else:
        document.setdefault(table, {})[entry] = value
    return document


def test_the_reference_build_is_complete() -> None:
    pins = load()
    assert tuple(pins.keys) == KEYS[:-4]
    assert tuple(pins.lamps) == SEAT_KEYS[:4]
    assert pins.display == DisplayWiring("ssd1309", I2cWiring(1, 0x3C))


def test_no_lamp_or_buzzer_is_on_while_booting() -> None:
    pins = load()
    assert not {*pins.lamps.values(), pins.buzzer} & set(PULLED_UP_AT_BOOT)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (changed("keys", "die-1", 6), 'GPIO 6 is wired twice: to [keys] "die-1" and to [keys] "die-2"'),
        (changed("lamps", "seat-1", 17), 'GPIO 17 is wired twice: to [encoder] "a" and to [lamps] "seat-1"'),
        (changed("buzzer", "pin", 3), "GPIO 3 is wired twice: to bus 1 of [display]"),
        (changed("keys", "die-7", 8), '[keys] "die-7" is unknown: expected "die-1"'),
        (changed("keys", "back", None), '[keys] lacks "back"'),
        (changed("encoder", "b", None), '[encoder] lacks "b"'),
        (changed("keys", "die-1", 28), '[keys] "die-1" is 28: expected a whole number from 0 to 27'),
        (changed("keys", "die-1", True), '[keys] "die-1" is True: expected a whole number'),
        (changed("encoder", "detents_per_cycle", 3), "is 3: expected 1, 2, 4"),
        (changed("display", "address", 0x78), "expected a whole number from 8 to 119"),
        (changed("display", "controller", "hd44780"), 'expected "ssd1306", "ssd1309"'),
        (changed("display", "controller", None), '"controller" is None'),
        (changed("display", "column_offset", 0), '"column_offset" does not belong to the controller "ssd1309"'),
        (changed("speaker", "pin", 8), "unknown table [speaker]"),
        (changed("buzzer", None, 8), "table [buzzer] is missing"),
    ],
)
def test_a_map_that_cannot_be_wired_is_refused(document: dict[str, Any], message: str) -> None:
    with pytest.raises(BadPinMap) as refusal:
        from_mapping(document)
    assert message in str(refusal.value)
    assert isinstance(refusal.value, ValueError)
    assert isinstance(refusal.value, HardwareError)


def test_seats_may_be_left_out() -> None:
    document = changed("keys", "seat-4", None)
    del document["lamps"]["seat-4"]
    assert "seat-4" not in from_mapping(document).keys


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[keys]\ndie-1 = \n", "not valid TOML"),
        (b"\xff\xfe", "cannot be read"),
        (b"[keys]\n", "table [encoder] is missing"),
        (b"a = " + b"[" * 10_000, "cannot be read"),
        (b"a = " + b"1" * 5_000, "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_errors_of_a_file_name_the_file(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "pins.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadPinMap) as refusal:
        load(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)


SPI = {"controller": "ssd1309", "interface": "spi", "bus": 0, "select": 0, "dc": 3, "reset": 2}


def on_display(**entries: object) -> dict[str, Any]:
    document = copy.deepcopy(REFERENCE_MAP)
    document["display"] = {entry: value for entry, value in entries.items() if value is not None}
    return document


def test_a_display_without_further_words_is_on_i2c_and_upright() -> None:
    document = on_display(controller="sh1106", bus=1, address=0x3D)
    assert from_mapping(document).display == DisplayWiring("sh1106", I2cWiring(1, 0x3D))
    assert from_mapping(document).display.column_offset == 2
    document["display"]["rotate"] = 180
    assert from_mapping(document).display.upside_down


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({**SPI, "controller": "ssd1322", "interface": None}, '"ssd1322" is driven on "spi" only'),
        ({**SPI, "interface": "usb"}, '"interface" is \'usb\': expected "i2c", "spi"'),
        ({**SPI, "address": 0x3C}, '"address" does not belong to the controller "ssd1309" on "spi": expected'),
        ({**SPI, "interface": "i2c"}, '"select" does not belong to the controller "ssd1309" on "i2c": expected'),
        ({**SPI, "dc": None}, '[display] lacks "dc"'),
        ({**SPI, "dc": 0}, '[display] "dc" is 0: expected a whole number from 1 to 27'),
        ({**SPI, "select": 2}, '[display] "select" is 2: expected a whole number from 0 to 1'),
        ({**SPI, "rotate": 90}, '[display] "rotate" is 90: expected 0, 180'),
        ({**SPI, "dc": 2}, 'GPIO 2 is wired twice: to [display] "dc" and to [display] "reset"'),
        ({**SPI, "dc": 11}, "GPIO 11 is wired twice: to bus 0 of [display]"),
        ({**SPI, "bus": 1, "dc": 20}, "GPIO 20 is wired twice: to bus 1 of [display]"),
        ({**SPI, "select": 1}, 'GPIO 7 is wired twice: to bus 0 of [display] and to [keys] "seat-4"'),
    ],
)
def test_a_display_that_cannot_be_wired_is_refused(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(BadPinMap) as refusal:
        from_mapping(on_display(**entries))
    assert message in str(refusal.value)
