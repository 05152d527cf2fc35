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
from hardware.simulated.display import CHIPS, simulated_display
from hardware.simulated.paged import PAGED_CHIPS, Paged, Sh1106, Ssd1306, Ssd1309
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


@pytest.mark.parametrize("name", CHIPS)
def test_a_chip_without_power_or_commands_is_dark_and_full_of_noise(name: str) -> None:
    chip = CHIPS[name](3)
    assert chip.glass().getbbox() is None
    assert not chip.lit
    assert len(set(chip.memory)) > 100
    before = chip.memory
    chip.reset()
    assert chip.memory == before
    chip.power_cycle()
    assert chip.memory != before
    assert CHIPS[name](3).memory == before, "the same noise from the same seed"


@pytest.mark.parametrize("kind", PAGED_CHIPS.values())
def test_the_glass_is_upright_once_it_is_begun_as_its_module_wants(kind: type[Paged]) -> None:
    chip, image = kind(), picture(128)
    mirrored, upset = Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM
    say(chip, *((0x8D, 0x14) if kind is Ssd1306 else ()), 0xAF)
    fill(chip, image)
    assert chip.glass().tobytes() == image.transpose(mirrored).transpose(upset).tobytes()
    say(chip, 0xC8)
    assert chip.glass().tobytes() == image.transpose(mirrored).tobytes()
    say(chip, 0xA1)
    fill(chip, image)
    assert chip.glass().tobytes() == image.tobytes()
    say(chip, 0xE3, 0xA4, 0xA6, 0x40)
    assert chip.glass().tobytes() == image.tobytes()
    say(chip, 0xAE)
    assert chip.glass().getbbox() is None
    say(chip, 0xAF)
    assert chip.glass().tobytes() == image.tobytes()
    for register in (0x81, 0xD5, 0xD9):
        say(chip, register, 0x12)
    assert chip.contrast == 0x12
    voltage = {Ssd1306: 0x40, Ssd1309: 0x34, Sh1106: 0x20}[kind]
    for register, value in ((0xA8, 63), (0xD3, 0), (0xDA, 0x12), (0xDB, voltage)):
        say(chip, register, value)
    assert chip.glass().tobytes() == image.tobytes()
    chip.reset()
    assert (chip.lit, chip.contrast) == (False, 0x7F)
    say(chip, *((0x8D, 0x14) if kind is Ssd1306 else ()), 0xAF)
    assert chip.glass().tobytes() != image.tobytes(), "it is begun anew"


def test_an_ssd1306_without_its_pump_is_dark() -> None:
    chip = Ssd1306()
    say(chip, 0xAF)
    assert not chip.lit
    say(chip, 0x8D, 0x14)
    assert chip.lit


def test_the_pointer_runs_through_the_window_and_wraps() -> None:
    chip = Ssd1309()
    say(chip, 0xA1, 0x20, 0, 0x21, 10, 11, 0x22, 2, 3)
    for value, (column, page) in enumerate([(10, 2), (11, 2), (10, 3), (11, 3), (10, 2)], start=1):
        chip.write([value])
        assert chip.memory[page * 128 + column] == value


def test_without_windows_there_is_no_data() -> None:
    with pytest.raises(ControllerFault, match="data in the page addressing mode"):
        Ssd1309().write([1])


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


def test_a_command_cut_off_by_a_fault_swallows_what_follows() -> None:
    chip = Ssd1309()
    say(chip, *WHOLE, 0x81, 9, 0x21, 0)
    chip.cut()
    chip.write([1])
    say(chip, 0x7F)
    assert chip.contrast == 9
    say(chip, 0x81, 1)
    assert chip.contrast == 1
    say(chip, 0x21, 0)
    chip.cut()
    say(chip, 0xAF)  # no column: it takes the place of one, and is lost
    assert not chip.lit
    say(chip, 0xAF)
    chip.cut()
    with pytest.raises(ControllerFault):
        say(chip, 0x22, 9)
    assert chip.lit


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


def test_the_pointer_of_an_sh1106_does_not_leave_its_page() -> None:
    chip = Sh1106()
    say(chip, 0xB0, 0x02, 0x18)
    chip.write([1, 2])
    with pytest.raises(ControllerFault, match="data for column 132 of 132"):
        chip.write([3])
