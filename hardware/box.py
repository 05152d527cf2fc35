"""A box: its inputs, display, lamps and buzzer, opened and closed together.

The display comes first, and what only the pins need (gpiozero is most of it) is imported once something is on the
glass: on a Raspberry Pi that takes a second.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from PIL import Image

from hardware.errors import (
    BoxNotFound,
    DisplayLost,
    DisplayMissing,
    HardwareError,
    PinsForbidden,
    UnknownBoard,
    WrongChip,
)
from hardware.glass.buses import Wire, i2c_wire
from hardware.glass.oled import OledDisplay
from hardware.glass.panels import panel
from hardware.pins import DisplayWiring, I2cWiring, Pins, SpiWiring
from hardware.ports import Buzzer, Display, Inputs, Lamps

if TYPE_CHECKING:
    from hardware.gpio import GpioOutputs

DEVICES = Path("/dev")

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


I2cOpener: TypeAlias = Callable[[int, int], Wire]
"""Makes a wire of a bus number and an address."""

SpiOpener: TypeAlias = Callable[[Any, SpiWiring], Wire]
"""Makes a wire of a pin factory and the display's wiring."""


def open_real(
    pins: Pins,
    *,
    greeting: Callable[[tuple[int, int]], Image.Image] | None = None,
    gpio: Callable[[], Any] | None = None,
    bus: I2cOpener = i2c_wire,
    spi: SpiOpener | None = None,
) -> Box:
    """Open the box this Raspberry Pi is wired to. Raises BoxNotFound, which says what is missing.

    `greeting` draws for a size what stands on the glass from the first moment on, nothing by default. `gpio` makes
    the pin factory, lgpio's by default; `bus` and `spi` make the display's wire. The inputs are not listening yet:
    `box.inputs.open` begins that.
    """
    with ExitStack() as undo:
        display, factory = _open_display(pins.display, undo, gpio, bus, spi)
        undo.callback(display.close)
        _look_for(display, pins.display, greeting)
        factory = factory or _factory(gpio, undo)
        inputs, outputs = _lines(pins, factory, stamped=gpio is None)
        undo.pop_all()
    return Box(inputs, display, outputs, outputs, afterwards=factory.close)


def leave_picture(
    pins: Pins,
    picture: Callable[[tuple[int, int]], Image.Image],
    *,
    gpio: Callable[[], Any] | None = None,
    bus: I2cOpener = i2c_wire,
    spi: SpiOpener | None = None,
) -> None:
    """Leave a picture on the glass when this program ends, whatever else of the box works; see `open_real`.

    Raises BoxNotFound where the display does not answer, or is on SPI and its pins cannot be used.
    """
    with ExitStack() as undo:
        display, _ = _open_display(pins.display, undo, gpio, bus, spi)
        undo.callback(display.leave)
        _look_for(display, pins.display, picture)


def _open_display(
    wiring: DisplayWiring, undo: ExitStack, gpio: Callable[[], Any] | None, bus: I2cOpener, spi: SpiOpener | None
) -> tuple[OledDisplay, Any]:
    """Return the display, and the pin factory if that was needed for it."""
    if not isinstance(wiring.wires, SpiWiring):
        return display_on(_open_i2c(wiring.wires, bus), wiring), None
    factory = _factory(gpio, undo)  # its D/C line is one of the pins
    return display_on(_open_spi(factory, wiring.wires, spi or _spi_wire), wiring), factory


def display_on(wire: Wire, wiring: DisplayWiring) -> OledDisplay:
    """Return the display of a pin map on an open wire."""
    return OledDisplay(wire, panel(wiring.controller, wiring.interface), upside_down=wiring.upside_down)


def _look_for(
    display: OledDisplay, wiring: DisplayWiring, greeting: Callable[[tuple[int, int]], Image.Image] | None
) -> None:
    try:
        display.show(greeting(display.size) if greeting else Image.new("1", display.size))
    except DisplayLost as error:
        wires = wiring.wires
        if isinstance(wires, I2cWiring):
            where = f"address 0x{wires.address:02X} on I2C bus {wires.bus}"
            remedy = f"check its wiring, and the address with `i2cdetect -y {wires.bus}`"
        else:
            where, remedy = f"SPI bus {wires.bus}, chip select {wires.select}", "check its wiring"
        raise DisplayMissing(f"no display answers at {where}: {remedy}") from error


def _said(error: OSError) -> str:
    """Return what the system says, and of which file, without its number."""
    said = error.strerror or str(error)
    return f"{said}: {error.filename}" if error.filename else said


def _open_i2c(wires: I2cWiring, bus: I2cOpener) -> Wire:
    try:
        return bus(wires.bus, wires.address)
    except OSError as error:
        raise DisplayMissing(
            f"I2C bus {wires.bus} cannot be opened: {_said(error)}. On a Raspberry Pi switch I2C on "
            "(dtparam=i2c_arm=on,i2c_arm_baudrate=400000) and add this user to the group i2c"
        ) from error


def _open_spi(factory: Any, wires: SpiWiring, spi: SpiOpener) -> Wire:
    try:
        return spi(factory, wires)
    except ImportError as error:
        raise BoxNotFound(
            "spidev is not installed: install the package python3-spidev, or this project with its extra `pi`"
        ) from error
    except OSError as error:
        raise DisplayMissing(
            f"SPI bus {wires.bus} cannot be opened: {_said(error)}. On a Raspberry Pi switch SPI on "
            "(dtparam=spi=on and dtoverlay=spi0-1cs,no_miso) and add this user to the group spi"
        ) from error


def _spi_wire(factory: Any, wires: SpiWiring) -> Wire:
    from hardware.glass.spi import SpiWire

    return SpiWire(factory, port=wires.bus, device=wires.select, dc=wires.dc, reset=wires.reset)


def _lines(pins: Pins, factory: Any, *, stamped: bool) -> tuple[Inputs, GpioOutputs]:
    from hardware.gpio import GpioInputs, GpioOutputs

    return GpioInputs(pins, factory, stamped=stamped), GpioOutputs(pins, factory)


def _factory(gpio: Callable[[], Any] | None, undo: ExitStack) -> Any:
    from gpiozero.exc import GPIOZeroError, PinUnknownPi

    try:
        factory = (gpio or _lgpio_factory)()
    except BoxNotFound:
        raise
    except PinUnknownPi as error:
        raise UnknownBoard(
            f"this computer does not say which Raspberry Pi it is: {error}. Its pins are known by the board's "
            "revision, in /proc/device-tree/system/linux,revision or in /proc/cpuinfo"
        ) from error
    except (GPIOZeroError, OSError) as error:
        raise BoxNotFound(f"the GPIO pins cannot be used: {error}") from error
    undo.callback(factory.close)
    return factory


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
        raise BoxNotFound(f"lgpio does not work: {error}. Set LG_WD to a writable directory") from error
    try:
        return LGPIOFactory()
    except (OSError, lgpio.error) as error:
        if not any(DEVICES.glob("gpiochip*")):
            raise WrongChip(
                f"there is no GPIO chip in {DEVICES}: {error}. This must be a Raspberry Pi, and its kernel must have "
                "the driver for its pins (on a Pi 5, that for RP1)"
            ) from error
        raise PinsForbidden(
            f"the GPIO chip cannot be opened: {error}. This user must be in the group gpio"
        ) from error


def _attempt(close: Callable[[], None]) -> None:
    from gpiozero.exc import GPIOZeroError

    try:
        close()
    except (HardwareError, GPIOZeroError, OSError):
        _logger.exception("a part of the box did not close")
