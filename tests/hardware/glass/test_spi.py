"""The lines beside the SPI bus: taken together, pulsed as the datasheets ask, given back."""

import time
from typing import Any

import pytest
from gpiozero import OutputDevice

from hardware.glass.buses import Transfer
from hardware.glass.spi import SpiWire
from hardware.simulated.bus import SimulatedSpi
from hardware.simulated.controllers import Ssd1309
from hardware.simulated.pins import factory

DC, RESET = 3, 2


class Spidev(SimulatedSpi):
    """A bus that notes how it was opened."""

    numbers: tuple[int, int]
    max_speed_hz: int

    def open(self, port: int, device: int) -> None:
        self.numbers = (port, device)


def spidev() -> Spidev:
    return Spidev(Ssd1309(), is_data=lambda: False)


def wire_on(lines: Any, device: Any) -> SpiWire:
    return SpiWire(lines, port=1, device=2, dc=DC, reset=RESET, device_file=device)


def test_the_reset_line_is_low_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = factory()
    wire = wire_on(lines, spidev())
    pulse: list[bool | float] = []
    lines.pin(f"GPIO{RESET}").on_change = pulse.append
    monkeypatch.setattr(time, "sleep", pulse.append)
    wire.reset()
    assert pulse == [False, 0.001, True, 0.001]


def test_the_dc_line_is_high_for_data_and_low_for_commands() -> None:
    lines = factory()
    levels: list[bool] = []

    def is_data() -> bool:
        levels.append(bool(lines.pin(f"GPIO{DC}").state))
        return levels[-1]

    device = SimulatedSpi(Ssd1309(), is_data=is_data)
    wire = wire_on(lines, device)
    wire.send([Transfer(False, b"\x20\x00\x21\x00\x7f"), Transfer(True, b"\x01"), Transfer(False, b"\xaf")])
    assert levels == [False, True, False]
    assert device.chip.lit


@pytest.mark.parametrize("taken", [DC, RESET])
def test_a_taken_line_is_an_error_of_the_bus(taken: int) -> None:
    lines = factory()
    with OutputDevice(taken, pin_factory=lines), pytest.raises(OSError, match=f"GPIO{taken}"):
        wire_on(lines, spidev())
    wire_on(lines, spidev()).cleanup()
    wire_on(lines, spidev()).cleanup()


def test_a_bus_that_is_not_there_keeps_no_line() -> None:
    class Missing(SimulatedSpi):
        def open(self, port: int, device: int) -> None:
            raise FileNotFoundError(2, "No such file or directory")

    lines = factory()
    for _ in range(2):
        with pytest.raises(OSError, match="No such file or directory"):
            wire_on(lines, Missing(Ssd1309(), is_data=lambda: False))
    wire_on(lines, spidev())
