"""A simulated bus counts, fails where it is told to, and tells commands from data as a real one does."""

import errno
from typing import Any

import pytest
from smbus2 import i2c_msg

from hardware.glass.buses import Transfer
from hardware.pins import DisplayWiring, SpiWiring
from hardware.simulated.bus import SimulatedI2c, SimulatedSpi
from hardware.simulated.display import simulated_display
from hardware.simulated.paged import Ssd1309
from hardware.simulated.pins import factory

ADDRESS = 0x3C
LIT = (0xA1, 0xC8, 0x20, 0, 0xAF)


def message(address: int, *payload: int) -> Any:
    return i2c_msg.write(address, payload)


class Bench:
    """A controller that is switched on, and short ways to talk to it."""

    def __init__(self) -> None:
        self.bus = SimulatedI2c(Ssd1309(), address=ADDRESS)
        self.send(0x00, *LIT)
        self.sent = self.bus.bytes_sent

    def send(self, *payload: int, address: int = ADDRESS) -> None:
        self.bus.i2c_rdwr(message(address, *payload))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_failing_transfer_is_cut_off_where_told(bench: Bench) -> None:
    bench.send(0x00, 0x21, 0, 127, 0x22, 0, 7)
    bench.send(0x40, *[0] * 8)
    bench.send(0x00, 0x21, 0, 127, 0x22, 0, 7)
    sent = bench.bus.bytes_sent
    bench.bus.fail_next(errno.EIO, after=1, sent=3)
    bench.send(0x40, 7, 7)
    with pytest.raises(OSError, match="the bus failed") as error:
        bench.send(0x40, 1, 2, 3, 4)
    assert error.value.errno == errno.EIO
    assert bench.bus.memory[:5] == bytes([7, 7, 1, 2, 0])
    assert bench.bus.bytes_sent - sent == 4 + 4
    sent = bench.bus.bytes_sent
    bench.bus.fail_next(errno.ETIMEDOUT)
    with pytest.raises(OSError, match="the bus failed") as error:
        bench.send(0x40, 9)
    assert error.value.errno == errno.ETIMEDOUT
    assert bench.bus.bytes_sent - sent == 1, "its address alone"
    bench.send(0x40, 8)
    assert bench.bus.memory[:5] == bytes([7, 7, 1, 2, 8])


def test_the_reset_line_resets_and_spidev_gets_4096_bytes() -> None:
    bus, wire = simulated_display(DisplayWiring("ssd1309", SpiWiring(0, 0, 3, 2)), factory(), seed=1)
    wire.send([Transfer(False, bytes([*LIT, 0x81, 9]))])
    assert (bus.lit, bus.contrast) == (True, 9)
    wire.reset()
    assert (bus.lit, bus.contrast) == (False, 0x7F)
    assert isinstance(bus, SimulatedSpi)
    wire.send([Transfer(False, bytes([0xE3] * 9000))])
    with pytest.raises(OSError, match="at most 4096") as error:
        bus.writebytes([0xE3] * 4097)
    assert error.value.errno == errno.EMSGSIZE
