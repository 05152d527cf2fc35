"""A box: its inputs, display, lamps and buzzer, opened and closed together."""

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

from gpiozero.exc import GPIOZeroError
from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c
from PIL import Image

from hardware.errors import BoxNotFound, DisplayLost, HardwareError
from hardware.gpio import GpioInputs, GpioOutputs
from hardware.oled import OledDisplay, Wire
from hardware.pins import Pins
from hardware.ports import Buzzer, Display, Inputs, Lamps

_logger = logging.getLogger(__name__)


class Box:
    """What the referee talks to; real or simulated makes no difference."""

    def __init__(
        self,
        inputs: Inputs,
        display: Display,
        lamps: Lamps,
        buzzer: Buzzer,
        *,
        afterwards: Callable[[], None] = lambda: None,
    ) -> None:
        self.inputs = inputs
        self.display = display
        self.lamps = lamps
        self.buzzer = buzzer
        self._afterwards = afterwards

    def close(self) -> None:
        """Close everything, the last opened first; may be called twice. A part that fails is logged."""
        for part in (self.buzzer.close, self.lamps.close, self.display.close, self.inputs.close):
            _attempt(part)
        afterwards, self._afterwards = self._afterwards, lambda: None
        _attempt(afterwards)


def open_real(
    pins: Pins,
    *,
    gpio: Callable[[], Any] | None = None,
    bus: Callable[[int, int], Wire] | None = None,
) -> Box:
    """Open the box this Raspberry Pi is wired to. Raises BoxNotFound, which says what is missing.

    `gpio` makes the pin factory, lgpio's by default; `bus` makes luma's wire of bus number and address. The
    inputs are not listening yet: `box.inputs.open` begins that.
    """
    wire = _open_bus(pins, bus or (lambda number, address: i2c(port=number, address=address)))
    display = OledDisplay(wire, controller=pins.controller)
    try:
        display.show(Image.new("1", display.size))
    except DisplayLost as error:
        display.close()
        raise BoxNotFound(
            f"no display answers at address 0x{pins.address:02X} on I2C bus {pins.bus}: "
            f"check its wiring, and the address with `i2cdetect -y {pins.bus}`"
        ) from error
    factory = None
    try:
        factory = (gpio or _lgpio_factory)()
        inputs = GpioInputs(pins, factory)
        outputs = GpioOutputs(pins, factory)
    except BaseException as error:
        display.close()
        if factory is not None:
            factory.close()
        if isinstance(error, GPIOZeroError | OSError) and not isinstance(error, BoxNotFound):
            raise BoxNotFound(f"the GPIO pins cannot be used: {error}") from error
        raise
    return Box(inputs, display, outputs, outputs, afterwards=factory.close)


def _open_bus(pins: Pins, bus: Callable[[int, int], Wire]) -> Wire:
    try:
        return bus(pins.bus, pins.address)
    except (LumaError, OSError) as error:
        raise BoxNotFound(
            f"I2C bus {pins.bus} cannot be opened: {error}. On a Raspberry Pi switch I2C on "
            "(dtparam=i2c_arm=on,i2c_arm_baudrate=400000) and add this user to the group i2c; "
            "without the hardware use the simulated box"
        ) from error


def _lgpio_factory() -> Any:
    try:
        lgpio = import_module("lgpio")
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise BoxNotFound(
            "lgpio is not installed: install the package python3-lgpio, or this project with its extra `pi`"
        ) from error
    except OSError as error:
        # Importing lgpio makes a FIFO in the directory LG_WD, or else in the working directory.
        raise BoxNotFound(f"lgpio cannot work here: {error}. Set LG_WD to a writable directory") from error
    try:
        return LGPIOFactory()
    except (GPIOZeroError, OSError, lgpio.error) as error:
        raise BoxNotFound(
            f"the GPIO chip cannot be opened: {error}. This must be a Raspberry Pi, and this user in the group gpio"
        ) from error


def _attempt(close: Callable[[], None]) -> None:
    try:
        close()
    except (HardwareError, GPIOZeroError, OSError):
        _logger.exception("a part of the box did not close")
