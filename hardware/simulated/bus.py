"""A simulated display bus, for smbus2 and spidev when there is no display, and the production driver on it.

`transfers` and `bytes_sent` count what crossed the bus, on I2C the address byte of every transfer included.
`on_change` is called after each transfer.
"""

import errno
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from PIL import Image

from hardware.errors import ControllerFault
from hardware.glass.buses import I2cWire, Wire, bus_time
from hardware.glass.spi import SpiWire
from hardware.pins import DisplayWiring, I2cWiring
from hardware.simulated.controllers import CHIPS, Chip, Sh1106


class WriteMessage(Protocol):
    """What smbus2 makes of one write transfer: an address and the bytes after it."""

    addr: int

    def __iter__(self) -> Iterator[int]:
        """Yield the bytes."""


class SimulatedBus(ABC):
    """A controller behind a bus that counts, and fails on request. While `absent`, nothing is at its end."""

    name: str
    address = 0
    """Where the controller answers; SPI has no addresses."""
    addressed = 0
    """Bytes in front of each transfer."""

    def __init__(self, chip: Chip, *, on_change: Callable[[], None] | None = None) -> None:
        self.chip = chip
        self.on_change = on_change
        self.absent = False
        self.transfers = 0
        self.bytes_sent = 0
        self.closed = False
        self._stalled = 0.0
        self._stalls: list[float] = []
        self._failures: dict[int, tuple[int, int]] = {}

    def fail_next(self, error: int, *, after: int = 0, sent: int = 0) -> None:
        """Let one transfer fail with an errno: the one after the next `after`, cut off after `sent` bytes."""
        self._failures[self.transfers + after] = error, sent

    def stall_next(self, *seconds: float) -> None:
        """Let the next transfers take so much longer, by `seconds` of the bus; no real time passes."""
        self._stalls = [*seconds]

    def close(self) -> None:
        """Close the bus; the controller stays as it is."""
        self.closed = True

    def glass(self) -> Image.Image:
        """The visible picture, as an image of mode "1"; empty if there is no panel."""
        return Image.new("1", self.chip.size) if self.absent else self.chip.glass()

    def power_cycle(self) -> None:
        """Take the panel's supply away and give it back."""
        self.chip.power_cycle()

    @property
    def seconds(self) -> float:
        """How long the bytes counted take on this bus, stalls included."""
        return bus_time(self.bytes_sent, self.name) + self._stalled

    def _transfer(self, payload: Sequence[int], *, acknowledged: bool = True) -> None:
        if self.closed:
            raise OSError(errno.EBADF, "the bus is closed")
        failure = self._failures.pop(self.transfers, None)
        self.transfers += 1
        if self._stalls:
            self._stalled += self._stalls.pop(0)
        if not acknowledged:
            self.bytes_sent += self.addressed
            raise OSError(errno.EREMOTEIO, "no device acknowledged its address")
        if failure is not None:
            error, sent = failure
            payload = payload[:sent]
        self.bytes_sent += self.addressed + len(payload)
        if not self.absent:
            self._decode(payload)
        if self.on_change is not None:
            self.on_change()
        if failure is not None:
            self.chip.cut()
            raise OSError(error, "the bus failed")

    @abstractmethod
    def _decode(self, payload: Sequence[int]) -> None:
        """Tell the chip what these bytes mean on this bus."""


class SimulatedI2c(SimulatedBus):
    """An I2C bus: `i2c_rdwr` as smbus2 has it."""

    name = "i2c"
    addressed = 1

    def __init__(self, chip: Chip, *, address: int, on_change: Callable[[], None] | None = None) -> None:
        super().__init__(chip, on_change=on_change)
        self.address = address

    def i2c_rdwr(self, *messages: WriteMessage) -> None:
        """Take write messages, one transfer each."""
        for message in messages:
            self._transfer(list(message), acknowledged=not self.absent and message.addr == self.address)

    def _decode(self, payload: Sequence[int]) -> None:
        control, rest = payload[:1], payload[1:]
        if control == [0x40]:
            self.chip.write(rest)
        elif control in ([0x00], []):  # nothing at all, if the transfer was cut off
            for byte in rest:
                self.chip.take(byte)
        else:
            raise ControllerFault(f"control byte 0x{control[0]:02X}: expected 0x00 or 0x40")


class SimulatedSpi(SimulatedBus):
    """A 4-wire SPI bus: what luma calls of spidev's `SpiDev`. Nobody acknowledges anything on it.

    `is_data` reads the D/C line at the moment a transfer begins.
    """

    name = "spi"
    MOST = 4096
    """Bytes spidev accepts at once, unless its module is loaded with another size."""

    def __init__(
        self, chip: Chip, *, is_data: Callable[[], bool], on_change: Callable[[], None] | None = None
    ) -> None:
        super().__init__(chip, on_change=on_change)
        self._is_data = is_data

    def open(self, port: int, device: int) -> None:
        """Open /dev/spidev with these numbers: whatever they are, this is the one."""

    def writebytes(self, data: Sequence[int]) -> None:
        """Take one transfer."""
        if len(data) > self.MOST:
            raise OSError(errno.EMSGSIZE, f"{len(data)} bytes: spidev takes at most {self.MOST}")
        self._transfer(list(data))

    def _decode(self, payload: Sequence[int]) -> None:
        if self._is_data():
            self.chip.write(payload)
        else:
            for byte in payload:
                self.chip.take(byte)


def simulated_display(
    wiring: DisplayWiring, factory: Any, *, seed: int, on_change: Callable[[], None] | None = None
) -> tuple[SimulatedBus, Wire]:
    """Return the bus of a display that is wired so, and the production wire to it.

    On SPI its D/C and reset lines are simulated pins of `factory`.
    """
    chip = CHIPS[wiring.controller](seed)
    if isinstance(chip, Sh1106):
        chip.left = wiring.column_offset
    wires = wiring.wires
    if isinstance(wires, I2cWiring):
        i2c = SimulatedI2c(chip, address=wires.address, on_change=on_change)
        return i2c, I2cWire(i2c, wires.address)
    dc, reset = (factory.pin(f"GPIO{number}") for number in (wires.dc, wires.reset))
    reset.on_change = lambda _level: chip.reset()
    spi = SimulatedSpi(chip, is_data=lambda: bool(dc.state), on_change=on_change)
    return spi, SpiWire(factory, port=wires.bus, device=wires.select, dc=wires.dc, reset=wires.reset, device_file=spi)
