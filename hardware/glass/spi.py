"""The SPI bus of a display.

luma.core talks SPI and wants somebody to switch the D/C and reset lines; here gpiozero's pins do, so that the display
needs no second GPIO library beside the keys', and can be simulated with them.
"""

import time
from collections.abc import Sequence
from typing import Any

from gpiozero import OutputDevice
from gpiozero.exc import GPIOZeroError
from luma.core.error import DeviceNotFoundError
from luma.core.error import Error as LumaError
from luma.core.interface.serial import spi

from hardware.glass.buses import SPI_HZ, Transfer

_RESET = 0.001
"""Seconds the reset line is held, and waited for after: the datasheets ask for 3 us, the SSD1322's for 0.1 ms."""


class Lines:
    """Output lines of a pin factory, as luma wants them: the part of RPi.GPIO it calls."""

    OUT = "out"
    LOW, HIGH = False, True

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._lines: dict[int, Any] = {}

    def setup(self, pin: int, direction: str) -> None:
        """Claim a pin as an output, low."""
        assert direction == self.OUT
        self._lines[pin] = OutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: bool) -> None:  # noqa: FBT001 - luma calls it so
        """Drive a pin."""
        self._lines[pin].value = level

    def cleanup(self) -> None:
        """Give the pins back."""
        lines, self._lines = self._lines, {}
        for line in lines.values():
            line.close()


class SpiWire(spi):  # type: ignore[misc]  # luma has no types
    """luma's 4-wire SPI on a pin factory. A panel on it acknowledges nothing, so an unplugged one is not noticed."""

    def __init__(self, factory: Any, *, port: int, device: int, dc: int, reset: int, device_file: Any = None) -> None:
        """Open the bus and reset the panel. `device_file` is what spidev's `SpiDev` is, that by default.

        Raises ImportError without spidev, OSError without the bus or where its lines are taken.
        """
        self._reset_line = reset
        self._claimed = Lines(factory)
        try:
            super().__init__(
                spi=device_file,
                gpio=self._claimed,
                port=port,
                device=device,
                bus_speed_hz=SPI_HZ,
                gpio_DC=dc,
                gpio_RST=reset,
                reset_hold_time=_RESET,
                reset_release_time=_RESET,
            )
        except DeviceNotFoundError as error:
            self._claimed.cleanup()
            raise FileNotFoundError(str(error)) from error
        except (LumaError, GPIOZeroError) as error:
            self._claimed.cleanup()
            raise OSError(str(error)) from error
        except BaseException:
            self._claimed.cleanup()
            raise

    def send(self, transfers: Sequence[Transfer]) -> None:
        """Send one transfer after another, the D/C line set for each. Raises OSError."""
        for data, payload in transfers:
            if data:
                self.data(list(payload))
            else:
                self.command(*payload)

    def reset(self) -> None:
        """Pull the reset line."""
        self._claimed.output(self._reset_line, Lines.LOW)
        time.sleep(_RESET)
        self._claimed.output(self._reset_line, Lines.HIGH)
        time.sleep(_RESET)

    def cleanup(self) -> None:
        """Close the bus and give its lines back."""
        super().cleanup()
        self._claimed.cleanup()
