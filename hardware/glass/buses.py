"""The wires a display hangs on, and how long bytes take on them.

luma.core talks I2C and SPI. Its SPI wants somebody to switch the D/C and reset lines; here gpiozero's pins do,
so that the display needs no second GPIO library beside the keys', and can be simulated with them.
"""

import time
from collections.abc import Sequence
from typing import Any, Protocol

from gpiozero import OutputDevice
from luma.core.interface.serial import i2c, spi

I2C_HZ = 400_000
"""Fast mode, the most the SSD1306, SSD1309 and SH1106 take (SSD1306 datasheet, table 13-6: 2.5 us a cycle)."""

SPI_HZ = 8_000_000
"""The step below the 10 MHz that SSD1306, SSD1309 and SSD1322 take at most (100 ns a cycle)."""

_BITS = {"i2c": 9, "spi": 8}
_RESET = 0.001
"""Seconds the reset line is held, and waited for after: the datasheets ask for 3 us, the SSD1322's for 0.1 ms."""


def bus_time(count: int, bus: str) -> float:
    """Return the seconds that `count` bytes take: nine clocks each on I2C, where one acknowledges, eight on SPI."""
    return count * _BITS[bus] / (I2C_HZ if bus == "i2c" else SPI_HZ)


class Wire(Protocol):
    """What luma's `i2c` and `spi` offer."""

    def command(self, *cmd: int) -> None:
        """Send command bytes in one transfer."""

    def data(self, data: Sequence[int]) -> None:
        """Send display memory, or the parameters of a command where the controller takes them as data."""

    def cleanup(self) -> None:
        """Close the bus."""


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
    """luma's 4-wire SPI on a pin factory. A panel on it acknowledges nothing: one that is gone is not noticed."""

    def __init__(self, factory: Any, *, port: int, device: int, dc: int, reset: int, device_file: Any = None) -> None:
        """Open the bus and reset the panel. `device_file` is what spidev's `SpiDev` is, that by default.

        Raises ImportError without spidev, luma's DeviceNotFoundError or OSError without the bus.
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
        except BaseException:
            self._claimed.cleanup()
            raise

    def reset(self) -> None:
        """Pull the reset line: every register of the panel is as after power-on."""
        self._claimed.output(self._reset_line, Lines.LOW)
        time.sleep(_RESET)
        self._claimed.output(self._reset_line, Lines.HIGH)
        time.sleep(_RESET)

    def cleanup(self) -> None:
        """Close the bus and give its lines back."""
        super().cleanup()
        self._claimed.cleanup()


def i2c_wire(bus: int, address: int) -> Wire:
    """Open an I2C bus. Raises luma's DeviceNotFoundError or DevicePermissionError, or OSError."""
    wire: Wire = i2c(port=bus, address=address)
    return wire
