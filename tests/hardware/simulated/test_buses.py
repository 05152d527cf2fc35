"""Buses without a Raspberry Pi: recorded and replayed, pulled, and displays compared with pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import smbus2
from luma.core.interface.serial import i2c, spi
from luma.core.render import canvas
from luma.oled.device import sh1106, ssd1331
from serial import Serial, SerialException
from smbus2 import i2c_msg

from hardware.simulated.buses import Unlike
from hardware.simulated.mock_pins import MockPins


def read(bus: smbus2.SMBus) -> list[object]:
    """Read a part in every way smbus2 has."""
    message = i2c_msg.read(0x48, 2)
    bus.i2c_rdwr(i2c_msg.write(0x48, [1, 2]), message)
    return [
        bus.read_byte(0x48),
        bus.read_byte_data(0x48, 1),
        bus.read_word_data(0x48, 2),
        bus.read_i2c_block_data(0x48, 3, 3),
        [message.buf[at] for at in range(2)],
    ]


def test_what_is_recorded_can_be_replayed(pins: MockPins, tmp_path: Path) -> None:
    pins.buses.answers("i2c-1 0x48", b"\x05\x06", b"\x01", b"\x02", b"\x03\x04", b"abcdef")
    with smbus2.SMBus(1) as bus:
        first = read(bus)
    assert first == [1, 2, 0x0403, [*b"abc"], [b"\x05", b"\x06"]]
    pins.buses.save(tmp_path / "bus.jsonl")
    pins.buses.replay(tmp_path / "bus.jsonl")
    with smbus2.SMBus(1) as bus:
        assert read(bus) == first
        with pytest.raises(OSError, match="expected an answer"):
            bus.read_byte(0x48)
    sent = [(each.where, each.sent) for each in pins.buses.transfers]
    assert sent[:6] == [("i2c-1 0x48", each) for each in (b"\x01\x02", b"", b"", b"\x01", b"\x02", b"\x03")]


def test_a_part_on_spi_answers(pins: MockPins) -> None:
    pins.buses.answers("spi-0.1", b"\x07\x08")
    import spidev  # type: ignore[import-not-found,unused-ignore]

    device = spidev.SpiDev()
    device.open(0, 1)
    assert device.xfer2([1, 2]) == [7, 8]
    pins.buses.unplug("spi-0.1")
    with pytest.raises(OSError, match="nothing answers"):
        device.writebytes([1])
    pins.buses.plug("spi-0.1")
    device.writebytes([3])
    assert pins.buses.transfers[-1].sent == b"\x03"


def test_any_display_of_luma_is_compared_with_a_picture(pins: MockPins, tmp_path: Path) -> None:
    assert pins.buses.screens == []
    for number, device in enumerate((sh1106(i2c(port=1, address=0x3C)), ssd1331(spi(device=0, port=0)))):
        screen, file = pins.buses.screens[number], tmp_path / f"{number}.png"
        with canvas(device) as draw:
            draw.point((2, 1), fill="white")
        with pytest.raises(Unlike, match="was not there"):
            screen.like(file)
        screen.like(file)
        with canvas(device) as draw:
            draw.point((3, 1), fill="white")
        with pytest.raises(Unlike, match="does not show") as unlike:
            screen.like(file)
        assert str(unlike.value).splitlines()[2].startswith("··-+··")


def test_a_serial_line_is_written_read_and_pulled(pins: MockPins) -> None:
    pins.buses.answers("/dev/ttyUSB0", b"21.5\n22", b".5\n23")
    with Serial("/dev/ttyUSB0", 115200, timeout=2) as line:
        line.write(b"T?\n")
        assert [line.readline(), line.in_waiting, line.readline()] == [b"21.5\n", 7, b"22.5\n"]
        assert (line.read(9), pins.now) == (b"23", 2)
        pins.after(1, lambda: pins.buses.answers("/dev/ttyUSB0", b"late"))
        assert (line.read(4), pins.now) == (b"late", 3)
        pins.buses.answers("/dev/ttyUSB0", b"unread")
        line.reset_input_buffer()
        assert line.in_waiting == 0
        assert b"".join(each.sent for each in pins.buses.transfers if each.where == line.port) == b"T?\n"
        pins.after(1, lambda: pins.buses.unplug("/dev/ttyUSB0"))
        with pytest.raises(SerialException, match="nothing answers at /dev/ttyUSB0"):
            line.read()
        with pytest.raises(SerialException):
            line.write(b"?")
    assert pins.now == 4
    with pytest.raises(SerialException):
        Serial("/dev/ttyUSB0")
    pins.buses.plug("/dev/ttyUSB0")
    Serial("/dev/ttyUSB0").close()


def test_what_came_on_a_serial_line_is_replayed(pins: MockPins, tmp_path: Path) -> None:
    pins.buses.answers("/dev/serial0", b"abc")
    with Serial("/dev/serial0") as line:
        assert line.read(3) == b"abc"
        pins.buses.save(tmp_path / "line.jsonl")
        pins.buses.replay(tmp_path / "line.jsonl")
        assert line.read_until(b"c") == b"abc"


def test_all_is_taken_away_at_the_end() -> None:
    real = dict(vars(smbus2.SMBus)), dict(vars(Serial))
    before = sys.modules.get("spidev")
    with MockPins() as pins:
        assert pins.buses.screens == []
        assert vars(smbus2.SMBus)["read_byte"] is not real[0]["read_byte"]
    assert (dict(vars(smbus2.SMBus)), dict(vars(Serial))) == real
    assert sys.modules.get("spidev") is before


def test_an_address_has_one_name_and_no_other_name_is_taken(pins: MockPins) -> None:
    pins.buses.unplug("i2c-1 0x3C")
    with pytest.raises(OSError, match="nothing answers at i2c-1 0x3c"), smbus2.SMBus(1) as bus:
        bus.write_byte(0x3C, 0)
    for act in (pins.buses.unplug, pins.buses.plug, pins.buses.answers):
        with pytest.raises(ValueError, match="expected a part"):
            act("display")


def test_a_bus_is_never_the_real_one_though_the_test_says_nothing_to_it(pins: MockPins) -> None:
    with smbus2.SMBus(1) as bus:
        bus.write_byte(0x48, 1)
    assert [each.sent for each in pins.buses.transfers] == [b"\x01"]
