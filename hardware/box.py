"""A box: its inputs, display, lamps and buzzer, opened and closed together.

The display comes first, and what only the pins need (gpiozero is most of it) is imported once something is on the
glass: on a Raspberry Pi that takes a second.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, TypeAlias

from PIL import Image

from hardware.errors import BoxNotFound, DisplayLost, DisplayMissing, HardwareError, UnknownBoard
from hardware.glass.buses import Wire, i2c_wire
from hardware.glass.oled import OledDisplay
from hardware.glass.panels import panel
from hardware.pins import DisplayWiring, I2cWiring, Pins, SpiWiring
from hardware.ports import Buzzer, Display, Inputs, Lamps

BOOT = "/boot/firmware/config.txt"

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
        from hardware.gpio import GpioInputs, GpioOutputs

        inputs, outputs = GpioInputs(pins, factory, stamped=gpio is None), GpioOutputs(pins, factory)
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
    wires, factory = wiring.wires, None
    try:
        if isinstance(wires, I2cWiring):
            wire = bus(wires.bus, wires.address)
        else:
            factory = _factory(gpio, undo)  # its D/C line is one of the pins
            wire = (spi or _spi_wire)(factory, wires)
    except ImportError as error:
        raise BoxNotFound(
            "spidev is not installed: install the package python3-spidev, or this project with its extra `pi`"
        ) from error
    except BoxNotFound:
        raise
    except OSError as error:
        raise _closed(wires, error) from error
    return display_on(wire, wiring), factory


def display_on(wire: Wire, wiring: DisplayWiring) -> OledDisplay:
    """Return the display of a pin map on an open wire."""
    kind = panel(wiring.controller, wiring.interface, wiring.column_offset)
    return OledDisplay(wire, kind, upside_down=wiring.upside_down)


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


def _closed(wires: I2cWiring | SpiWiring, error: OSError) -> DisplayMissing:
    """Return why a bus cannot be opened, and what to do where that is known."""
    group = wires.device.removeprefix("/dev/")[:3]
    if isinstance(error, PermissionError):
        return DisplayMissing(f"{wires.device} may not be used: add this user to the group {group}")
    if isinstance(error, FileNotFoundError):
        return DisplayMissing(f"there is no {wires.device}: on a Raspberry Pi put {wires.setting} into {BOOT}")
    return DisplayMissing(f"{wires.device} cannot be opened: {error.strerror or error}")


def _spi_wire(factory: Any, wires: SpiWiring) -> Wire:
    from hardware.glass.spi import SpiWire

    return SpiWire(factory, port=wires.bus, device=wires.select, dc=wires.dc, reset=wires.reset)


def _factory(gpio: Callable[[], Any] | None, undo: ExitStack) -> Any:
    from gpiozero.exc import GPIOZeroError, PinUnknownPi

    from hardware.header import lgpio_factory

    try:
        factory = (gpio or lgpio_factory)()
        undo.callback(factory.close)
        _ = factory.board_info  # now, and not when the first pin is claimed
    except BoxNotFound:
        raise
    except PinUnknownPi as error:
        raise UnknownBoard(
            f"this computer does not say which Raspberry Pi it is: {error}. Its pins are known by the board's "
            "revision, in /proc/device-tree/system/linux,revision or in /proc/cpuinfo"
        ) from error
    except (GPIOZeroError, OSError) as error:
        raise BoxNotFound(f"the GPIO pins cannot be used: {error}") from error
    return factory


def _attempt(close: Callable[[], None]) -> None:
    from gpiozero.exc import GPIOZeroError

    try:
        close()
    except (HardwareError, GPIOZeroError, OSError):
        _logger.exception("a part of the box did not close")
