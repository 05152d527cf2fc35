"""The production display driver on a simulated bus, with a simulated controller at its far end."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from hardware.glass.buses import I2cWire, Wire
from hardware.glass.spi import SpiWire
from hardware.pins import DisplayWiring, I2cWiring
from hardware.simulated.bus import SimulatedBus, SimulatedI2c, SimulatedSpi
from hardware.simulated.chip import Chip
from hardware.simulated.grey import Ssd1322
from hardware.simulated.paged import PAGED_CHIPS, Sh1106

CHIPS: MappingProxyType[str, type[Chip]] = MappingProxyType({**PAGED_CHIPS, "ssd1322": Ssd1322})
"""The simulated controllers by name: all that can be driven."""


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
