"""The SPI bus of a display: spidev for the bytes, gpiozero's pins for the D/C and reset lines.

So the display needs no second GPIO library beside the keys', and can be simulated with them.
"""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from gpiozero import OutputDevice
from gpiozero.exc import GPIOZeroError

from hardware.glass.buses import SPI_HZ, Transfer

_RESET = 0.001
"""Seconds the reset line is held, and waited for after: the datasheets ask for 3 us, the SSD1322's for 0.1 ms."""

_AT_ONCE = 4096
"""Bytes that spidev takes in one call, unless its module is loaded with another size."""


class SpiWire:
    """A 4-wire SPI bus on a pin factory. A panel on it acknowledges nothing, so an unplugged one is not noticed."""

    def __init__(self, factory: Any, *, port: int, device: int, dc: int, reset: int, device_file: Any = None) -> None:
        """Open the bus and reset the panel. `device_file` is what spidev's `SpiDev` is, that by default.

        Raises ImportError without spidev, OSError without the bus or where its lines are taken.
        """
        with ExitStack() as undo:
            try:
                self._dc, self._reset = (
                    undo.enter_context(OutputDevice(pin, pin_factory=factory)) for pin in (dc, reset)
                )
            except GPIOZeroError as error:
                raise OSError(str(error)) from error
            self.reset()
            self._bus = device_file or import_module("spidev").SpiDev()
            self._bus.open(port, device)
            self._bus.max_speed_hz = SPI_HZ
            self._lines = undo.pop_all()

    def send(self, transfers: Sequence[Transfer]) -> None:
        """Send one transfer after another, the D/C line set for each. Raises OSError."""
        for data, payload in transfers:
            self._dc.value = data
            for at in range(0, len(payload), _AT_ONCE):
                self._bus.writebytes(list(payload[at : at + _AT_ONCE]))

    def reset(self) -> None:
        """Pull the reset line."""
        for level in (False, True):
            self._reset.value = level
            time.sleep(_RESET)

    def cleanup(self) -> None:
        """Close the bus and give its lines back."""
        self._bus.close()
        self._lines.close()
