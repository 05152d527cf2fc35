"""luma's own I2C interface on a simulated bus: another driver than the one the controllers were made for."""

import smbus2
from luma.core.interface.serial import i2c

from hardware.simulated.bus import SimulatedI2c


class LumaWire(i2c):  # type: ignore[misc]  # luma has no types
    """Given a bus, luma falls back to blocks of 32 bytes; marked as managed, it sends what it sends on a Pi."""

    def __init__(self, bus: SimulatedI2c, *, address: int = 0x3C) -> None:
        super().__init__(bus=bus, address=address)
        self._managed = True
        self._i2c_msg_write = smbus2.i2c_msg.write
