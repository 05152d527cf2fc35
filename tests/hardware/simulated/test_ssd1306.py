"""The simulated controller does what the datasheet says, and minds what it does not."""

import errno

import pytest
from luma.oled.device import ssd1306
from PIL import Image, ImageChops, ImageDraw

from hardware.errors import ControllerFault
from hardware.simulated.bus import SimulatedI2c
from hardware.simulated.paged import Ssd1306
from tests.hardware.simulated.lumas import LumaWire

ADDRESS = 0x3C


class Bench:
    """A controller, initialised by luma, and short ways to talk to it."""

    def __init__(self) -> None:
        self.controller = SimulatedI2c(Ssd1306(), address=ADDRESS)
        self.wire = LumaWire(self.controller, address=ADDRESS)
        self.panel = ssd1306(self.wire)
        self.panel.persist = True

    def command(self, *values: int) -> None:
        self.wire.command(*values)

    def show(self) -> Image.Image:
        image = Image.new("1", (128, 64))
        draw = ImageDraw.Draw(image)
        draw.rectangle((3, 2, 40, 12), fill=1)
        draw.text((20, 30), "Gondor out", fill=1)
        self.panel.display(image)
        return image

    def glass(self) -> bytes:
        return self.controller.glass().tobytes()


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_luma_shows_its_picture_upright(bench: Bench) -> None:
    image = bench.show()
    assert bench.glass() == image.tobytes()


def test_an_uninitialised_panel_is_dark_and_full_of_noise() -> None:
    controller = SimulatedI2c(Ssd1306())
    assert controller.glass().getbbox() is None
    LumaWire(controller, address=ADDRESS).command(0x8D, 0x14, 0xAF)
    assert controller.glass().getbbox() is not None


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ((0xA7,), lambda i: i.point(lambda p: 255 - p)),
        ((0xC0,), lambda i: i.transpose(Image.Transpose.FLIP_TOP_BOTTOM)),
        ((0xA5,), lambda i: Image.new("L", i.size, 255)),
        ((0xA5, 0xA4), lambda i: i),
        ((0xAE,), lambda i: Image.new("L", i.size)),
        ((0x8D, 0x10), lambda i: Image.new("L", i.size)),
        ((0x48,), lambda i: ImageChops.offset(i, 0, -8)),
        ((0xE3, 0x2E), lambda i: i),
    ],
)
def test_commands_change_what_the_eye_sees(bench: Bench, commands: tuple[int, ...], expected: object) -> None:
    image = bench.show().convert("L")
    bench.command(*commands)
    assert callable(expected)
    assert bench.glass() == expected(image).convert("1").tobytes()


def test_segment_remap_concerns_only_what_is_written_afterwards(bench: Bench) -> None:
    image = bench.show()
    bench.command(0xA0)
    assert bench.glass() == image.tobytes()
    bench.show()
    assert bench.glass() == image.transpose(Image.Transpose.FLIP_LEFT_RIGHT).tobytes()


def test_a_smaller_multiplex_ratio_leaves_rows_dark(bench: Bench) -> None:
    bench.command(0xA5, 0xA8, 0x1F)
    assert bench.controller.glass().getbbox() == (0, 0, 128, 32)


@pytest.mark.parametrize(
    ("mode", "order"),
    [(0, [(10, 2), (11, 2), (10, 3), (11, 3), (10, 2)]), (1, [(10, 2), (10, 3), (11, 2), (11, 3), (10, 2)])],
)
def test_the_pointer_runs_through_the_window_and_wraps(bench: Bench, mode: int, order: list[tuple[int, int]]) -> None:
    bench.command(0x20, mode, 0x21, 10, 11, 0x22, 2, 3)
    for value, (column, page) in enumerate(order, start=1):
        bench.wire.data([value])
        assert bench.controller.memory[page * 128 + column] == value


def test_page_addressing_stays_on_its_page(bench: Bench) -> None:
    bench.command(0x20, 2, 0xB5, 0x0E, 0x17)
    bench.wire.data([1, 2, 3])
    page = bench.controller.memory[5 * 128 : 6 * 128]
    assert (page[126], page[127], page[0]) == (1, 2, 3)


def test_bytes_and_transfers_are_counted_with_address_and_control_byte(bench: Bench) -> None:
    sent, transfers = bench.controller.bytes_sent, bench.controller.transfers
    bench.show()
    assert bench.controller.bytes_sent - sent == 1034
    assert bench.controller.transfers - transfers == 2


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ((0x8D, 0x80), "does not take 0x80 as parameter 1"),
        ((0x9A,), "unknown command 0x9A"),
        ((0x27,), "unknown command 0x27"),
        ((0x2F,), "unknown command 0x2F"),
        ((0x20, 3), "does not take 0x03"),
        ((0x21, 5, 128), "does not take 0x80 as parameter 2"),
        ((0x22, 5, 4), "ends before it begins"),
        ((0xA8, 3), "does not take 0x03"),
        ((0x1F,), "unknown command 0x1F"),
    ],
)
def test_what_the_datasheet_does_not_define_is_an_error(
    bench: Bench, commands: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ControllerFault, match=message):
        bench.command(*commands)


def test_data_in_the_middle_of_a_command_is_an_error(bench: Bench) -> None:
    bench.command(0x21, 5)
    with pytest.raises(ControllerFault, match="data in the middle of command 0x21"):
        bench.wire.data([0])


def test_a_command_cut_off_by_a_fault_swallows_what_follows(bench: Bench) -> None:
    image = bench.show()
    bench.controller.fail_next(errno.EIO, sent=2)
    with pytest.raises(OSError, match="bus failed"):
        bench.controller.write_i2c_block_data(ADDRESS, 0, [0x21, 0, 127])
    bench.command(0xA7)
    assert bench.glass() == image.tobytes()
    bench.command(0xA7)
    assert bench.glass() != image.tobytes()


def test_control_bytes_may_mix_single_commands_and_data(bench: Bench) -> None:
    bench.command(0x21, 0, 127, 0x22, 0, 7)
    bench.controller.write_i2c_block_data(ADDRESS, 0x80, [0xA7, 0x80, 0xA6, 0xC0, 0x11, 0x40, 0x22, 0x33])
    assert bench.controller.memory[:3] == bytes([0x11, 0x22, 0x33])
    with pytest.raises(ControllerFault, match="control byte 0x01"):
        bench.controller.write_i2c_block_data(ADDRESS, 0x01, [0xA6])


def test_a_wrong_address_is_not_acknowledged(bench: Bench) -> None:
    with pytest.raises(OSError, match="acknowledged") as error:
        bench.controller.write_i2c_block_data(0x3D, 0, [0xAF])
    assert error.value.errno == errno.EREMOTEIO


def test_blocks_are_no_longer_than_smbus_allows(bench: Bench) -> None:
    with pytest.raises(ControllerFault, match="a block of 33 bytes"):
        bench.controller.write_i2c_block_data(ADDRESS, 0x40, [0] * 33)


def test_a_failing_transfer_is_cut_off_where_told(bench: Bench) -> None:
    bench.command(0x21, 0, 127, 0x22, 0, 7)
    bench.controller.fail_next(errno.EIO, after=1, sent=3)
    bench.wire.data([7, 7])
    with pytest.raises(OSError, match="bus failed"):
        bench.wire.data([1, 2, 3, 4])
    assert bench.controller.memory[:5] == bytes([7, 7, 1, 2, 0])


def test_every_transfer_calls_back(bench: Bench) -> None:
    seen: list[int] = []
    bench.controller.on_change = lambda: seen.append(bench.controller.transfers)
    bench.show()
    assert len(seen) == 2
