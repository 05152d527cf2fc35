"""The simulated SSD1306, SSD1309 and SH1106 do what their datasheets say, and mind what they do not know."""

from collections.abc import Sequence

import pytest
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from hardware.errors import ControllerFault
from hardware.glass.buses import Transfer, Wire
from hardware.glass.packing import pack
from hardware.pins import DisplayWiring, I2cWiring
from hardware.simulated.chip import Chip
from hardware.simulated.display import simulated_display
from hardware.simulated.paged import Paged, Sh1106, Ssd1306, Ssd1309
from tests.hardware.simulated.picture import picture

WHOLE = (0x20, 0, 0x21, 0, 127, 0x22, 0, 7)


def say(chip: Chip, *commands: int) -> None:
    for byte in commands:
        chip.take(byte)


def fill(chip: Paged, image: Image.Image) -> None:
    """Write a whole picture."""
    if not isinstance(chip, Sh1106):
        say(chip, *WHOLE)
        chip.write(pack(image))
        return
    for page in range(8):
        say(chip, 0xB0 | page, 0x02, 0x10)
        chip.write(pack(image)[page * 128 : page * 128 + 128])


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


def test_the_pointer_runs_through_the_window_and_wraps() -> None:
    chip = Ssd1309()
    say(chip, 0xA1, 0x20, 0, 0x21, 10, 11, 0x22, 2, 3)
    for value, (column, page) in enumerate([(10, 2), (11, 2), (10, 3), (11, 3), (10, 2)], start=1):
        chip.write([value])
        assert chip.memory[page * 128 + column] == value


@pytest.mark.parametrize(
    ("chip", "commands", "message"),
    [
        (Ssd1306, (0x8D, 0x80), "0x8D does not take 0x80 as parameter 1"),
        (Ssd1306, (0xA7,), "unknown command 0xA7"),
        (Ssd1306, (0x20, 1), "does not take 0x01"),
        (Ssd1306, (0x21, 128), "0x21 does not take 0x80 as parameter 1"),
        (Ssd1306, (0x22, 5, 4), "0x22 sets the range 5 to 4: it ends before it begins"),
        (Ssd1306, (0xA8, 0x1F), "0xA8 does not take 0x1F"),
        (Ssd1306, (0xDB, 0x34), "0xDB does not take 0x34"),
        (Ssd1309, (0x8D,), "unknown command 0x8D"),
        (Ssd1309, (0xDB, 0x40), "0xDB does not take 0x40"),
        (Sh1106, (0x20,), "unknown command 0x20"),
        (Sh1106, (0xAD, 0x14), "0xAD does not take 0x14"),
        (Sh1106, (0xB8,), "unknown command 0xB8"),
    ],
)
def test_what_a_controller_does_not_know_is_an_error(chip: type[Chip], commands: Sequence[int], message: str) -> None:
    with pytest.raises(ControllerFault, match=message):
        say(chip(), *commands)


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
