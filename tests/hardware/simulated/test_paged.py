"""The simulated SSD1306, SSD1309 and SH1106 do what their datasheets say, and mind what they do not know."""

from collections.abc import Sequence

import pytest
from luma.oled.device import sh1106, ssd1306

from hardware.errors import ControllerFault
from hardware.glass.buses import Transfer, Wire
from hardware.pins import DisplayWiring, I2cWiring
from hardware.simulated.bus import simulated_display
from hardware.simulated.controllers import Chip, Sh1106
from tests.hardware.simulated.picture import picture


def say(chip: Chip, *commands: int) -> None:
    for byte in commands:
        chip.take(byte)


class Interface:
    """An I2C bus as luma's devices want it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def command(self, *cmd: int) -> None:
        self._wire.send([Transfer(False, bytes(cmd))])

    def data(self, data: Sequence[int]) -> None:
        self._wire.send([Transfer(True, bytes(data))])

    def cleanup(self) -> None:
        self._wire.cleanup()


def test_luma_by_itself_shows_its_picture_on_the_ssd1306() -> None:
    """The model agrees with another driver than the one it was made for."""
    bus, wire = simulated_display(DisplayWiring("ssd1306", I2cWiring(1, 0x3C)), None, seed=1)
    device = ssd1306(Interface(wire))
    device.persist = True
    image = picture(128)
    device.display(image)
    assert bus.glass().tobytes() == image.tobytes()


def test_luma_says_things_to_an_sh1106_that_are_not_its_own() -> None:
    _, wire = simulated_display(DisplayWiring("sh1106", I2cWiring(1, 0x3C)), None, seed=1)
    with pytest.raises(ControllerFault, match="unknown command 0x20"):
        sh1106(Interface(wire))


def test_the_glass_of_an_sh1106_shows_the_middle_columns() -> None:
    chip = Sh1106()
    for page in range(8):
        say(chip, 0xB0 + page, 0x00, 0x10)
        chip.write([0xFF, 0xFF, *[0] * 128, 0xFF, 0xFF])
    say(chip, 0xA1, 0xC8, 0xAF)
    assert chip.glass().getbbox() is None
    say(chip, 0xB3, 0x02, 0x10)
    chip.write([0x01])
    assert chip.glass().getbbox() == (0, 24, 1, 25)
    say(chip, 0xB3, 0x01, 0x18)
    chip.write([0x80])
    assert chip.glass().getpixel((127, 31))
