"""The simulated controllers do what their datasheets say, and mind what they do not know."""

from types import SimpleNamespace
from typing import Any

import pytest
from luma.oled.device import sh1106, ssd1306, ssd1322
from PIL import Image, ImageDraw

from hardware.errors import ControllerFault
from hardware.glass.buses import Transfer, Wire
from hardware.pins import DisplayWiring, I2cWiring, SpiWiring
from hardware.simulated.bus import simulated_display
from hardware.simulated.controllers import Sh1106
from hardware.simulated.pins import factory

ON_I2C, ON_SPI = I2cWiring(1, 0x3C), SpiWiring(0, 0, 3, 2)


def interface(wire: Wire) -> Any:
    """Return a bus as luma's devices want it."""
    return SimpleNamespace(
        command=lambda *command: wire.send([Transfer(False, bytes(command))]),
        data=lambda data: wire.send([Transfer(True, bytes(data))]),
        cleanup=wire.cleanup,
    )


@pytest.mark.parametrize(("luma", "wires"), [(ssd1306, ON_I2C), (ssd1306, ON_SPI), (ssd1322, ON_SPI)])
def test_luma_by_itself_shows_its_picture(luma: Any, wires: I2cWiring | SpiWiring) -> None:
    """The models agree with another driver than the one they were made for."""
    bus, wire = simulated_display(DisplayWiring(luma.__name__, wires), factory(), seed=1)
    device = luma(interface(wire), mode="1")
    device.persist = True
    image = Image.new("1", device.size)
    draw = ImageDraw.Draw(image)
    draw.rectangle((3, 2, 40, 12), fill=1)
    draw.text((20, 30), "Gondor out", fill=1)
    draw.line((device.width - 9, 0, device.width - 1, 63), fill=1)
    device.display(image)
    assert bus.glass().tobytes() == image.tobytes()


def test_luma_says_things_to_an_sh1106_that_are_not_its_own() -> None:
    _, wire = simulated_display(DisplayWiring("sh1106", ON_I2C), None, seed=1)
    with pytest.raises(ControllerFault, match="unknown command 0x20"):
        sh1106(interface(wire))


def test_the_glass_of_an_sh1106_shows_the_middle_columns() -> None:
    chip = Sh1106()

    def say(*commands: int) -> None:
        for byte in commands:
            chip.take(byte)

    for page in range(8):
        say(0xB0 + page, 0x00, 0x10)
        chip.write([0xFF, 0xFF, *[0] * 128, 0xFF, 0xFF])
    say(0xA1, 0xC8, 0xAF)
    assert chip.glass().getbbox() is None
    say(0xB3, 0x02, 0x10)
    chip.write([0x01])
    assert chip.glass().getbbox() == (0, 24, 1, 25)
    say(0xB3, 0x01, 0x18)
    chip.write([0x80])
    assert chip.glass().getpixel((127, 31))
