"""A box opens as a whole or says what is missing, and closes whatever happened."""

import errno
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from gpiozero import OutputDevice
from gpiozero.exc import PinUnknownPi
from PIL import Image

from hardware.box import Box, leave_picture, open_real
from hardware.errors import BoxNotFound, HardwareError, PinsBusy, UnknownBoard, WrongChip
from hardware.events import InputEvent
from hardware.glass.buses import I2cWire, Wire
from hardware.pins import DisplayWiring, I2cWiring, SpiWiring, load
from hardware.simulated.box import SimulatedBox
from hardware.simulated.bus import SimulatedBus, SimulatedI2c, simulated_display
from hardware.simulated.controllers import Ssd1309
from hardware.simulated.pins import factory


class Machine:
    """A Raspberry Pi at the two places where one is touched: the pin factory and the I2C bus."""

    def __init__(self) -> None:
        self.chip = SimulatedI2c(Ssd1309(), address=0x3C)
        self.factory = factory()

    def bus(self, number: int, address: int) -> Wire:
        assert number == 1
        return I2cWire(self.chip, address=address)

    def open(self) -> Box:
        return open_real(load(), gpio=lambda: self.factory, bus=self.bus)


def failing(error: Exception) -> Callable[..., Any]:
    def call(*_args: object) -> Any:
        raise error

    return call


def test_a_greeting_is_on_the_glass_before_the_pins_are_opened() -> None:
    machine = Machine()
    seen: list[bytes] = []

    def gpio() -> Any:
        seen.append(machine.chip.glass().tobytes())
        return machine.factory

    white = Image.new("1", (128, 64), 1)
    for greeting, picture in ((None, Image.new("1", (128, 64))), (lambda size: Image.new("1", size, 1), white)):
        open_real(load(), greeting=greeting, gpio=gpio, bus=machine.bus).close()
        machine = Machine()
        assert seen.pop() == picture.tobytes()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "/dev/i2c-1"),
            "there is no /dev/i2c-1: on a Raspberry Pi put dtparam=i2c_arm=on,i2c_arm_baudrate=400000 into /boot",
        ),
        (PermissionError(errno.EACCES, "Permission denied", "/dev/i2c-1"), "add this user to the group i2c$"),
        (OSError(errno.ENODEV, "No such device"), "/dev/i2c-1 cannot be opened: No such device$"),
    ],
)
def test_a_missing_bus_is_named(error: Exception, message: str) -> None:
    with pytest.raises(BoxNotFound, match=message) as missing:
        open_real(load(), gpio=factory, bus=failing(error))
    assert isinstance(missing.value, OSError)
    assert isinstance(missing.value, HardwareError)


def test_a_silent_display_is_named_with_its_address() -> None:
    machine = Machine()
    machine.chip.address = 0x3D
    remedy = "check its wiring, and the address with `i2cdetect -y 1`"
    with pytest.raises(BoxNotFound, match=f"no display answers at address 0x3C on I2C bus 1: {remedy}"):
        machine.open()
    assert machine.chip.closed


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (PinUnknownPi("unable to locate Pi revision"), UnknownBoard, "does not say which Raspberry Pi it is"),
        (PermissionError("gpiochip0"), BoxNotFound, "the GPIO pins cannot be used"),
    ],
)
def test_missing_pins_are_named_and_the_glass_is_left_dark(
    error: Exception, kind: type[Exception], message: str
) -> None:
    machine = Machine()
    with pytest.raises(kind, match=message):
        open_real(load(), gpio=failing(error), bus=machine.bus)
    assert machine.chip.closed
    assert machine.chip.glass().getbbox() is None


def test_missing_lgpio_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine()
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(BoxNotFound, match="lgpio is not installed: install the package python3-lgpio"):
        open_real(load(), bus=machine.bus)
    assert machine.chip.closed


class LgpioError(Exception):
    """Stands for lgpio's own, which is no OSError."""


def test_a_pin_that_is_taken_is_named_and_everything_closed() -> None:
    machine = Machine()
    taken = OutputDevice(load().buzzer, pin_factory=machine.factory)
    with pytest.raises(PinsBusy, match=r"GPIO 9 \(buzzer\) is used by another program.*GPIO9 is already in use"):
        machine.open()
    assert machine.chip.closed
    taken.close()


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        ("GPIO busy", PinsBusy, r"GPIO 5 \(die-1\) is used by another program"),
        ("bad GPIO number", WrongChip, r"the GPIO chip has no GPIO 5 \(die-1\)"),
        ("GPIO operation not permitted", BoxNotFound, r"GPIO 5 \(die-1\) cannot be used"),
    ],
)
def test_a_key_whose_pin_lgpio_refuses_is_named(words: str, kind: type[Exception], message: str) -> None:
    """lgpio's own error has no base but Exception."""
    machine = Machine()
    box = machine.open()
    given = machine.factory.pin

    def pin(name: Any) -> Any:
        if name == 5:
            raise LgpioError(words)
        return given(name)

    machine.factory.pin = pin
    with pytest.raises(kind, match=message):
        box.inputs.open(lambda event: None)
    machine.factory.pin = given
    box.inputs.open(lambda event: None)  # no other line stayed claimed
    box.close()


def test_a_picture_that_is_left_outlasts_the_program() -> None:
    machine = Machine()
    leave_picture(load(), lambda size: Image.new("1", size, 1), gpio=failing(OSError()), bus=machine.bus)
    assert machine.chip.closed
    assert machine.chip.glass().tobytes() == Image.new("1", (128, 64), 1).tobytes()


def test_without_a_raspberry_pi_the_default_drivers_say_so() -> None:
    """Nothing replaced: there is no bus 9 anywhere, so this ends at the first part that is missing."""
    with pytest.raises(BoxNotFound, match=r"there is no /dev/i2c-9: .* dtoverlay=i2c-gpio,bus=9"):
        open_real(replace(load(), display=DisplayWiring("ssd1309", I2cWiring(9, 0x3C))))


WIDE = DisplayWiring("ssd1322", SpiWiring(0, 0, 3, 2))


def test_a_real_box_with_a_display_on_spi_is_opened_and_closed() -> None:
    pins = replace(load(), display=WIDE)
    lines = factory()
    chips: list[SimulatedBus] = []

    def spi(pin_factory: Any, wires: SpiWiring) -> Wire:
        chip, wire = simulated_display(replace(WIDE, wires=wires), pin_factory, seed=1)
        chips.append(chip)
        return wire

    box = open_real(pins, gpio=lambda: lines, spi=spi)
    image = Image.new("1", (256, 64), 1)
    box.display.show(image)
    assert chips[0].glass().tobytes() == image.tobytes()
    box.close()
    assert chips[0].glass().getbbox() is None
    assert chips[0].closed


def test_closing_darkens_everything_even_when_a_part_fails(caplog: pytest.LogCaptureFixture) -> None:
    simulated = SimulatedBox()
    box = simulated.box
    events: list[InputEvent] = []
    box.inputs.open(events.append)
    box.display.show(Image.new("1", box.display.size, 1))
    order: list[str] = []
    closing = {name: getattr(box, name).close for name in ("inputs", "display", "lamps", "buzzer")}

    class Part:
        def __init__(self, name: str) -> None:
            self._name = name

        def close(self) -> None:
            order.append(self._name)
            closing[self._name]()
            raise OSError(errno.EIO, "gone")

    parts: dict[str, Any] = {name: Part(name) for name in closing}
    with caplog.at_level(logging.ERROR):
        Box(**parts).close()
    assert order == ["buzzer", "lamps", "display", "inputs"]
    assert caplog.text.count("a part of the box did not close") == 4
    assert simulated.glass().getbbox() is None
    assert not any(simulated.lamps().values())
    simulated.tap("die-1")
    assert events == []
    simulated.close()


def test_a_box_closed_before_its_first_picture_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """P7: its controller refuses nothing that closing sends it."""
    SimulatedBox().close()
    assert caplog.records == []
