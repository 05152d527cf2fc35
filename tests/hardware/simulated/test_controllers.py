"""The simulated SSD1309, SH1106 and SSD1322 do what their datasheets say, and mind what they do not."""

import errno
from collections.abc import Callable, Sequence

import pytest
from luma.oled.device import sh1106, ssd1322
from PIL import Image, ImageDraw

from hardware.errors import ControllerFault
from hardware.simulated.bus import SimulatedBus, SimulatedI2c, SimulatedSpi
from hardware.simulated.chip import Chip
from hardware.simulated.display import CHIPS, simulated_spi
from hardware.simulated.grey import Ssd1322
from hardware.simulated.paged import Sh1106, Ssd1309
from hardware.simulated.pins import factory
from tests.hardware.simulated.lumas import LumaWire

LIT_1309 = (0xA1, 0xC8, 0x20, 0, 0xAF)
LIT_1106 = (0xA1, 0xC8, 0xAF)


def say(chip: Chip, *commands: int) -> None:
    for byte in commands:
        chip.take(byte)


def grey(chip: Chip, command: int, *values: int) -> None:
    """One SSD1322 command with its parameters, as its D/C line tells them apart."""
    chip.take(command)
    if values:
        chip.write(values)


def lit(chip: Chip | SimulatedBus) -> bool:
    """Asked anew each time, for a checker of types believes that nothing has changed."""
    return chip.lit


def picture(size: tuple[int, int]) -> Image.Image:
    image = Image.new("1", size)
    draw = ImageDraw.Draw(image)
    draw.rectangle((3, 2, 40, 12), fill=1)
    draw.text((20, 30), "Gondor out", fill=1)
    draw.line((size[0] - 9, 0, size[0] - 1, size[1] - 1), fill=1)
    return image


def test_luma_by_itself_shows_its_picture_on_the_ssd1322() -> None:
    """The model agrees with another driver than the one it was made for."""
    bus, wire = simulated_spi("ssd1322", factory())
    device = ssd1322(wire, mode="1")
    device.persist = True
    image = picture((256, 64))
    device.display(image)
    assert bus.glass().tobytes() == image.tobytes()


def test_luma_says_things_to_an_sh1106_that_are_not_its_own() -> None:
    with pytest.raises(ControllerFault, match="unknown command 0x20"):
        sh1106(LumaWire(SimulatedI2c(Sh1106())))


@pytest.mark.parametrize("name", CHIPS)
def test_a_chip_without_power_or_commands_is_dark_and_full_of_noise(name: str) -> None:
    chip = CHIPS[name](3)
    assert chip.glass().getbbox() is None
    assert not lit(chip)
    assert len(set(chip.memory)) > 100
    before = chip.memory
    chip.reset()
    assert chip.memory == before
    chip.power_cycle()
    assert chip.memory != before


@pytest.mark.parametrize(
    ("chip", "commands", "message"),
    [
        (Ssd1309, (0x8D,), "unknown command 0x8D"),
        (Ssd1309, (0xDB, 0x40), "0xDB does not take 0x40"),
        (Ssd1309, (0xFD, 0x13), "0xFD does not take 0x13"),
        (Ssd1309, (0x2F,), "unknown command 0x2F"),
        (Sh1106, (0x20,), "unknown command 0x20"),
        (Sh1106, (0x21,), "unknown command 0x21"),
        (Sh1106, (0x8D,), "unknown command 0x8D"),
        (Sh1106, (0xAD, 0x14), "0xAD does not take 0x14"),
        (Sh1106, (0xB8,), "unknown command 0xB8"),
        (Sh1106, (0x2E,), "unknown command 0x2E"),
    ],
)
def test_what_a_paged_datasheet_does_not_define_is_an_error(
    chip: type[Chip], commands: Sequence[int], message: str
) -> None:
    with pytest.raises(ControllerFault, match=message):
        say(chip(), *commands)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: grey(c, 0x21), "unknown command 0x21"),
        (lambda c: grey(c, 0x5D), "unknown command 0x5D"),
        (lambda c: grey(c, 0x15, 0, 120), "0x15 does not take 0x78 as parameter 2"),
        (lambda c: grey(c, 0x75, 9, 8), "ends before it begins"),
        (lambda c: grey(c, 0xA0, 0x15, 0x11), "0xA0 does not take 0x15"),
        (lambda c: grey(c, 0xC1, 1, 2), "0x02 sent as data without a command"),
        (lambda c: say(c, 0x15, 0x5C), "command 0x5C in the middle of command 0x15"),
        (lambda c: c.write([1]), "0x01 sent as data without a command"),
    ],
)
def test_what_the_grey_datasheet_does_not_define_is_an_error(call: Callable[[Chip], None], message: str) -> None:
    with pytest.raises(ControllerFault, match=message):
        call(Ssd1322())


def test_a_locked_controller_hears_nothing_but_its_key() -> None:
    chip = Ssd1309()
    say(chip, *LIT_1309, 0xFD, 0x16, 0xAE)
    assert lit(chip)
    say(chip, 0xFD, 0x12, 0xAE)
    assert not lit(chip)
    wide = Ssd1322()
    grey(wide, 0xFD, 0x16)
    grey(wide, 0xAF)
    assert not lit(wide)
    grey(wide, 0xFD, 0x12)
    grey(wide, 0xAF)
    assert lit(wide)


def test_the_glass_of_an_sh1106_shows_the_middle_columns() -> None:
    chip = Sh1106()
    for page in range(8):
        say(chip, 0xB0 + page, 0x00, 0x10)
        chip.write([0xFF, 0xFF, *[0] * 128, 0xFF, 0xFF])
    say(chip, *LIT_1106)
    assert chip.glass().getbbox() is None
    say(chip, 0xB3, 0x02, 0x10)
    chip.write([0x01])
    assert chip.glass().getbbox() == (0, 24, 1, 25)
    say(chip, 0xB3, 0x01, 0x18)
    chip.write([0x80])
    assert chip.glass().getpixel((127, 31))


def test_an_sh1106_without_its_converter_is_dark() -> None:
    chip = Sh1106()
    say(chip, *LIT_1106, 0xAD, 0x8A)
    assert not lit(chip)


def test_the_pointer_of_an_sh1106_does_not_leave_its_page() -> None:
    chip = Sh1106()
    say(chip, 0xB0, 0x02, 0x18)
    chip.write([1, 2])
    with pytest.raises(ControllerFault, match="data for column 132 of 132"):
        chip.write([3])


def shown(chip: Chip) -> Image.Image:
    """Draw a picture on an SSD1322 and light it; return what was drawn."""
    image = picture((256, 64))
    grey(chip, 0xA0, 0x14, 0x11)
    grey(chip, 0xCA, 0x3F)
    grey(chip, 0x15, 28, 91)
    grey(chip, 0x75, 0, 63)
    grey(chip, 0x5C)
    chip.write(
        [
            0xF0 * bool(image.getpixel((x, y))) | 0x0F * bool(image.getpixel((x + 1, y)))
            for y in range(64)
            for x in range(0, 256, 2)
        ]
    )
    grey(chip, 0xAF)
    return image


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ((0xA7,), lambda i: Image.frombytes("1", i.size, bytes(255 - byte for byte in i.tobytes()))),
        ((0xA5,), lambda i: Image.new("1", i.size, 1)),
        ((0xA4,), lambda i: Image.new("1", i.size)),
        ((0xAE,), lambda i: Image.new("1", i.size)),
        ((0xA0, 0x04, 0x11), lambda i: i.transpose(Image.Transpose.FLIP_TOP_BOTTOM)),
        ((0xA9,), lambda i: i),
    ],
)
def test_commands_change_what_the_eye_sees_on_the_grey_glass(
    command: Sequence[int], expected: Callable[[Image.Image], Image.Image]
) -> None:
    chip = Ssd1322()
    image = shown(chip)
    assert chip.glass().tobytes() == image.tobytes()
    grey(chip, *command)
    assert chip.glass().tobytes() == expected(image).tobytes()


def test_half_a_grey_is_lit_and_less_is_dark() -> None:
    chip = Ssd1322()
    shown(chip)
    grey(chip, 0x15, 28, 28)
    grey(chip, 0x75, 0, 0)
    grey(chip, 0x5C)
    chip.write([0x78, 0x0F])
    assert [bool(chip.glass().getpixel((x, 0))) for x in range(4)] == [False, True, False, True]


def test_the_dc_line_decides_what_a_byte_is() -> None:
    level = [False]
    bus = SimulatedSpi(Ssd1309(), is_data=lambda: level[0])
    bus.writebytes([*LIT_1309, 0x21, 0, 127, 0x22, 0, 7])
    level[0] = True
    bus.writebytes([0xAE] * 5)
    assert lit(bus)
    assert bus.memory[:5] == bytes([0xAE] * 5)
    level[0] = False
    bus.writebytes([0xAE])
    assert not lit(bus)


def test_the_reset_line_resets_and_no_more_than_spidev_takes_is_sent_at_once() -> None:
    bus, wire = simulated_spi("ssd1309", factory())
    wire.command(*LIT_1309, 0x81, 9)
    assert lit(bus)
    assert bus.contrast == 9
    wire.reset()
    assert not lit(bus)
    assert bus.contrast == 0x7F
    assert isinstance(bus, SimulatedSpi)
    with pytest.raises(OSError, match="at most 4096") as error:
        bus.writebytes([0] * 4097)
    assert error.value.errno == errno.EMSGSIZE
