"""The production display driver on a simulated bus, with a simulated controller at its far end."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from hardware.glass.buses import I2cWire
from hardware.glass.spi import SpiWire
from hardware.simulated.bus import SimulatedBus, SimulatedI2c, SimulatedSpi
from hardware.simulated.chip import Chip
from hardware.simulated.grey import Ssd1322
from hardware.simulated.paged import PAGED_CHIPS

CHIPS: MappingProxyType[str, type[Chip]] = MappingProxyType({**PAGED_CHIPS, "ssd1322": Ssd1322})
"""The simulated controllers by name: all that can be driven."""


def simulated_i2c(
    controller: str, *, address: int = 0x3C, seed: int = 0, on_change: Callable[[], None] | None = None
) -> tuple[SimulatedBus, I2cWire]:
    """Return a controller on I2C, and the production wire to it."""
    bus = SimulatedI2c(CHIPS[controller](seed), address=address, on_change=on_change)
    return bus, I2cWire(bus, address)


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
    """Return a controller on SPI, and the production wire to it, with the D/C and reset lines on simulated pins."""
    chip = CHIPS[controller](seed)
    dc_pin, reset_pin = factory.pin(f"GPIO{dc}"), factory.pin(f"GPIO{reset}")
    reset_pin.on_change = lambda level: None if level else chip.reset()
    bus = SimulatedSpi(chip, is_data=lambda: bool(dc_pin.state), on_change=on_change)
    return bus, SpiWire(factory, port=port, device=device, dc=dc, reset=reset, device_file=bus)
