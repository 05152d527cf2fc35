"""1-bit pictures as numbers: drawing a part of one is a shift and an OR, which costs less than any call of Pillow.

Boxes are (left, upper, right, lower), the last two exclusive. What lies outside a picture is lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from PIL import Image

Box: TypeAlias = tuple[int, int, int, int]

ROW = 256
"""Bits from one row to the next in every picture, whatever its width, so that one is laid into another by a shift: as
many as the widest glass has columns."""
_ROWS = 64
_EDGE = reduce(lambda above, _: above << ROW | 1, range(_ROWS), 0)
"""The last column, of as many rows as the highest glass has."""


class Raster:
    """A picture of at most 256 by 64 pixels, black at first; ink 1 is lit.

    ``bits`` are its pixels row by row, the one in the lower right corner the lowest bit.
    """

    __slots__ = ("bits", "height", "width")

    def __init__(self, width: int, height: int, bits: int = 0) -> None:
        self.width = width
        self.height = height
        self.bits = bits

    def area(self, box: Box) -> int:
        """Return the bits of a box."""
        left, upper, right, lower = box
        if left < 0 or upper < 0 or right > self.width or lower > self.height:
            left, upper, right, lower = max(left, 0), max(upper, 0), min(right, self.width), min(lower, self.height)
        if left >= right or upper >= lower:
            return 0
        edge = _EDGE >> (_ROWS - lower + upper) * ROW
        return (edge << right - left) - edge << (self.height - lower) * ROW + self.width - right

    def fill(self, box: Box, ink: int = 1) -> None:
        """Fill a box."""
        area = self.area(box)
        self.bits = self.bits | area if ink else (self.bits | area) ^ area

    def frame(self, box: Box) -> None:
        """Draw the outline of a box, one pixel wide."""
        left, upper, right, lower = box
        self.bits |= self.area(box) ^ self.area((left + 1, upper + 1, right - 1, lower - 1))

    def invert(self, box: Box) -> None:
        """Swap ink and ground in a box."""
        self.bits ^= self.area(box)

    def stamp(self, shape: Raster, x: int, y: int, ink: int = 1) -> None:
        """Draw a shape with its upper left corner at (x, y)."""
        right, below = self.width - x - shape.width, self.height - y - shape.height
        bits, shift = shape.bits, below * ROW + right
        if x < 0 or y < 0 or right < 0 or below < 0:
            bits &= shape.area((-x, -y, self.width - x, self.height - y))
        bits = bits << shift if shift > 0 else bits >> -shift
        self.bits = self.bits | bits if ink else (self.bits | bits) ^ bits

    def rows(self) -> list[int]:
        """Return the bits of each row, the uppermost first."""
        return [self.bits >> ROW * below & (1 << ROW) - 1 for below in reversed(range(self.height))]

    def image(self) -> Image.Image:
        """Return the picture in Pillow's mode "1"."""
        from PIL import Image  # a browser draws without it

        return Image.frombytes("1", (self.width, self.height), self.packed())

    @staticmethod
    def of(image: Image.Image) -> Raster:
        """Return an image of Pillow in mode "1"."""
        wide = -(-image.width // 8)
        data = image.tobytes()
        rows = (int.from_bytes(data[at : at + wide], "big") >> -image.width % 8 for at in range(0, len(data), wide))
        return Raster(*image.size, stack(rows))

    def packed(self) -> bytes:
        """Return the rows from the top, each in whole bytes; the leftmost pixel is the highest bit."""
        wide = -(-self.width // 8)
        spare = 8 * wide - self.width
        return b"".join((row << spare).to_bytes(wide, "big") for row in self.rows())

    def moved(self, right: int, down: int) -> Raster:
        """Return the picture so many pixels further right and down, cropped to its size."""
        moved = Raster(self.width, self.height)
        moved.stamp(self, right, down)
        return moved


def stack(rows: Iterable[int]) -> int:
    """Return the bits of a picture with these rows, the uppermost first."""
    return reduce(lambda above, row: above << ROW | row, rows, 0)
