"""The production display driver on a simulated bus, with a simulated controller at its far end."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import smbus2
from luma.core.interface.serial import i2c

from hardware.glass.buses import SpiWire, Wire
from hardware.simulated.bus import SimulatedBus, SimulatedI2c, SimulatedSpi
from hardware.simulated.chip import Chip
from hardware.simulated.grey import Ssd1322
from hardware.simulated.paged import PAGED_CHIPS

CHIPS: MappingProxyType[str, type[Chip]] = MappingProxyType({**PAGED_CHIPS, "ssd1322": Ssd1322})
"""The simulated controllers by name: all that can be driven."""


class SimulatedI2cWire(i2c):  # type: ignore[misc]  # luma has no types
    """luma's I2C interface on a simulated bus, on the code path it takes with a bus of its own.

    Given a bus, luma falls back to blocks of 32 bytes; marked as managed, it sends what it sends on a Pi.
    """

    def __init__(self, bus: SimulatedI2c, *, address: int) -> None:
        super().__init__(bus=bus, address=address)
        self._managed = True
        self._i2c_msg_write = smbus2.i2c_msg.write


def simulated_i2c(
    controller: str, *, address: int = 0x3C, seed: int = 0, on_change: Callable[[], None] | None = None
) -> tuple[SimulatedBus, Wire]:
    """Return a controller on I2C, and luma's wire to it."""
    bus = SimulatedI2c(CHIPS[controller](seed), address=address, on_change=on_change)
    return bus, SimulatedI2cWire(bus, address=address)


def simulated_spi(
    controller: str,
    factory: Any,
    *,
    port: int = 0,
    device: int = 0,
    dc: int = 3,
    reset: int = 2,
    seed: int = 0,
    on_change: Callable[[], None] | None = None,
) -> tuple[SimulatedBus, SpiWire]:
    """Return a controller on SPI, and luma's wire to it, with the D/C and reset lines on simulated pins."""
    chip = CHIPS[controller](seed)
    dc_pin, reset_pin = factory.pin(f"GPIO{dc}"), factory.pin(f"GPIO{reset}")
    reset_pin.on_change = lambda level: None if level else chip.reset()
    bus = SimulatedSpi(chip, is_data=lambda: bool(dc_pin.state), on_change=on_change)
    return bus, SpiWire(factory, port=port, device=device, dc=dc, reset=reset, device_file=bus)
