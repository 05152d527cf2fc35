"""The display memory is what luma itself would send."""

import random

import pytest
from luma.oled.device import ssd1306
from PIL import Image

from hardware.glass.packing import pack, pack_grey, unpack, unpack_grey


class Listener:
    """A wire that keeps the last data luma sent."""

    sent = b""

    def command(self, *cmd: int) -> None:
        assert all(0 <= byte <= 255 for byte in cmd)

    def data(self, data: list[int]) -> None:
        self.sent = bytes(data)

    def cleanup(self) -> None:
        self.sent = b""


@pytest.mark.parametrize("size", [(128, 64), (128, 32), (96, 16)])
def test_packing_yields_the_bytes_luma_sends(size: tuple[int, int]) -> None:
    wire = Listener()
    device = ssd1306(wire, width=size[0], height=size[1])
    device.persist = True
    chance = random.Random(3)
    for _ in range(5):
        image = Image.frombytes("1", size, chance.randbytes(size[0] * size[1] // 8))
        device.display(image)
        assert pack(image) == wire.sent
        assert unpack(wire.sent, size).tobytes() == image.tobytes()


def test_a_grey_memory_has_four_bits_a_pixel() -> None:
    image = Image.new("1", (8, 3))
    image.paste(1, (0, 2, 8, 3))
    for x, y in ((0, 0), (3, 0), (6, 0), (7, 0), (1, 1)):
        image.putpixel((x, y), 1)
    assert pack_grey(image) == bytes.fromhex("f00f00ff 0f000000 ffffffff")
    assert unpack_grey(pack_grey(image), (8, 3)).tobytes() == image.tobytes()
