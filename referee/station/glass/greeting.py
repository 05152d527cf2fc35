"""What stands on the glass from the first moment of a start on: drawn beforehand, for the type is not read in yet."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image

PICTURE: Final = Path(__file__).with_name("greeting.pbm")
"""Made by ``python -m tests.station.glass.greeting``."""

SIZE: Final = (128, 64)


def greeting(size: tuple[int, int]) -> Image.Image:
    """Return the greeting on a glass of that size, in its middle."""
    _, _, rows = PICTURE.read_bytes().split(b"\n", 2)
    image = Image.new("1", size)
    image.paste(Image.frombytes("1", SIZE, rows, "raw", "1;I"), ((size[0] - SIZE[0]) // 2, 0))
    return image
