"""What crosses a display bus, how long bytes take on it, and the I2C bus itself."""

import errno
import fcntl
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

I2C_HZ = 400_000
"""Fast mode, the most the SSD1306, SSD1309 and SH1106 take (SSD1306 datasheet, table 13-6: 2.5 us a cycle)."""

SPI_HZ = 8_000_000
"""The step below the 10 MHz that SSD1306, SSD1309 and SSD1322 take at most (100 ns a cycle)."""

_BITS = {"i2c": 9, "spi": 8}

_COMMANDS, _MEMORY = b"\x00", b"\x40"
"""Control bytes: only commands follow, only display memory follows (SSD1306 datasheet, 8.1.5.2)."""

_AT_ONCE = 42
"""Messages that the kernel takes in one call (I2C_RDWR_IOCTL_MAX_MSGS in linux/i2c-dev.h)."""


def bus_time(count: int, bus: str) -> float:
    """Return the seconds that `count` bytes take: nine clocks each on I2C, where one acknowledges, eight on SPI."""
    return count * _BITS[bus] / (I2C_HZ if bus == "i2c" else SPI_HZ)


class Transfer(NamedTuple):
    """Bytes that cross the bus in one go: commands, or data (on SPI, with the D/C line high)."""

    data: bool
    payload: bytes


class Wire(Protocol):
    """What a display needs of its bus."""

    def send(self, transfers: Sequence[Transfer]) -> None:
        """Send one transfer after another. Raises OSError where the bus fails."""

    def reset(self) -> None:
        """Pulse the reset line, if there is one: the registers are then as after power-on."""

    def cleanup(self) -> None:
        """Close the bus."""


class I2cWire:
    """A display on an I2C bus.

    All that belongs together goes to the kernel in one call: it keeps the bus busy while the interpreter does other
    things.
    """

    def __init__(self, bus: Any, address: int) -> None:
        """`bus` offers `i2c_rdwr` and `close` as smbus2's `SMBus` does."""
        from smbus2 import i2c_msg

        self._bus = bus
        self._address = address
        self._message = i2c_msg.write

    def send(self, transfers: Sequence[Transfer]) -> None:
        """Send one transfer after another. Raises OSError."""
        messages = [
            self._message(self._address, (_MEMORY if data else _COMMANDS) + payload) for data, payload in transfers
        ]
        for at in range(0, len(messages), _AT_ONCE):
            self._bus.i2c_rdwr(*messages[at : at + _AT_ONCE])

    def reset(self) -> None:
        """There is no such line beside an I2C bus."""

    def cleanup(self) -> None:
        """Close the bus."""
        self._bus.close()


def i2c_wire(bus: int, address: int) -> I2cWire:
    """Open an I2C bus, exclusively among referees, because two would draw over each other. Raises OSError."""
    from smbus2 import SMBus

    opened = SMBus(bus)
    assert opened.fd is not None
    try:
        fcntl.flock(opened.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        opened.close()
        raise OSError(errno.EBUSY, "another referee uses the display", f"/dev/i2c-{bus}") from error
    return I2cWire(opened, address)
