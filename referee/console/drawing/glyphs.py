"""Glyphs: fonts of X11 in their portable compiled format (PCF), and signs that they lack, drawn as shapes.

The format is that of libXfont's `pcfread.c`: a directory of tables, each with a word that tells its byte order and
padding. Only four-byte scan lines with the leftmost pixel in the highest bit are read, as `bdftopcf` writes them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.console.drawing.raster import Raster

_METRICS, _BITMAPS, _ENCODINGS = 1 << 2, 1 << 3, 1 << 5
_PADDED, _BIG_ENDIAN, _LEFT_HIGH, _SHORT_METRICS = 2, 1 << 2, 1 << 3, 1 << 8
_GZIP = 31  # zlib's word for a gzip header
_NO_GLYPH = 0xFFFF


class Bitmap(NamedTuple):
    """A glyph: rows of `columns` bits, the leftmost highest, their place from pen and baseline, and the pen's way."""

    rows: list[int]
    columns: int
    dx: int
    dy: int
    advance: int

    def enlarged(self, times: int) -> Bitmap:
        """Return it with each pixel so many times as wide and high."""
        rows = [int("".join(bit * times for bit in f"{row:0{self.columns}b}"), 2) for row in self.rows]
        return Bitmap([row for row in rows for _ in range(times)], *(times * each for each in self[1:]))


class Pcf:
    """One font. Raises ValueError if it is not a PCF font of this kind."""

    def __init__(self, packed: bytes) -> None:
        self._data = zlib.decompress(packed, _GZIP)
        if self._data[:4] != b"\x01fcp":
            raise ValueError("expected a PCF font")
        self._metrics, self._order = self._table(_METRICS)
        self._bitmaps, _ = self._table(_BITMAPS)
        self._encodings, _ = self._table(_ENCODINGS)
        kind = struct.unpack_from("<I", self._data, self._bitmaps - 4)[0]
        short = struct.unpack_from("<I", self._data, self._metrics - 4)[0] & _SHORT_METRICS
        if kind & 3 != _PADDED or not kind & _LEFT_HIGH or not short:
            raise ValueError("expected a PCF font with four-byte scan lines and short metrics")
        self._pages = struct.unpack_from(self._order + "5h", self._data, self._encodings)
        self._count = struct.unpack_from(self._order + "I", self._data, self._bitmaps)[0]

    def __contains__(self, char: str) -> bool:
        return self._index(char) != _NO_GLYPH

    def __getitem__(self, char: str) -> Bitmap:
        index = self._index(char)
        left, right, advance, above, below = (
            byte - 0x80 for byte in struct.unpack_from("5B", self._data, self._metrics + 2 + 5 * index)
        )
        start = struct.unpack_from(self._order + "I", self._data, self._bitmaps + 4 + 4 * index)[0]
        start += self._bitmaps + 4 + 4 * self._count + 16  # behind the offsets and the sizes of all four paddings
        columns = right - left
        stride = -(-columns // 32) * 4
        lines = (self._data[at : at + stride] for at in range(start, start + stride * (above + below), stride))
        rows = [int.from_bytes(line, "big") >> 8 * stride - columns for line in lines]
        return Bitmap(rows, columns, left, -above, advance)

    def _index(self, char: str) -> int:
        low, high, first, last, _ = self._pages
        page, cell = divmod(ord(char), 256)
        if not (first <= page <= last and low <= cell <= high):
            return _NO_GLYPH
        at = self._encodings + 10 + 2 * ((page - first) * (high - low + 1) + cell - low)
        return int(struct.unpack_from(self._order + "H", self._data, at)[0])

    def _table(self, wanted: int) -> tuple[int, str]:
        """Return where a table begins, behind the word for its kind, and its byte order."""
        for number in range(struct.unpack_from("<I", self._data, 4)[0]):
            name, kind, _, offset = struct.unpack_from("<4I", self._data, 8 + 16 * number)
            if name == wanted:
                return offset + 4, ">" if kind & _BIG_ENDIAN else "<"
        raise ValueError(f"expected a PCF font with table {wanted}")


Span = tuple[int, int]
"""Where the ink of a column or row begins, and where it has ended."""
_POINTS = {"←": "left", "→": "right", "↑": "up", "↓": "down", "◀": "left", "▶": "right", "▲": "up", "▼": "down"}


def _arrow(cap: int) -> list[Span]:
    head = max(3, cap * 3 // 8)
    thick = 2 if cap < 19 else 3
    top = cap // 2 - thick // 2
    reaches = (step if step < head else 0 for step in range(max(7, cap - 1)))
    return [(top - reach, top + thick + reach) for reach in reaches]


def _triangle(cap: int) -> list[Span]:
    half = max(3, cap // 2)
    reaches = (min(half - 1, step) for step in range(half + (half > 3)))
    return [(half - 1 - reach, half + reach) for reach in reaches]


def _pointed(spans: Sequence[Span], breadth: int, way: str) -> Raster:
    """Draw a shape of spans, given from its tip on, that points some way."""
    length = len(spans)
    upright = way in ("up", "down")
    shape = Raster(breadth, length) if upright else Raster(length, breadth)
    for step, (first, end) in enumerate(spans):
        at = step if way in ("left", "up") else length - 1 - step
        shape.fill((first, at, end, at + 1) if upright else (at, first, at + 1, end))
    return shape


def _raised(shape: Raster, cap: int) -> Raster:
    """Centre a sign on the height of a capital: symbols are set on the baseline."""
    raised = Raster(shape.width, shape.height + max(0, (cap - shape.height) // 2))
    raised.stamp(shape, 0, 0)
    return raised


def _tick(cap: int) -> Raster:
    size = max(6, cap * 3 // 4)
    tick = Raster(size + 2, size)
    foot = size * 2 // 5
    for x in range(size + 1):
        y = size - 1 - abs(x - foot)
        tick.fill((x, y, x + 2, y + 1))
    return tick


@lru_cache(maxsize=64)
def symbol(char: str, cap: int) -> Raster | None:
    """Return the shape for `char` beside capitals `cap` pixels high, set on the baseline, or None."""
    if char == "✓":
        return _tick(cap)
    if char in "←→↑↓":
        return _pointed(_arrow(cap), cap, _POINTS[char])
    if char in _POINTS:
        return _raised(_pointed(_triangle(cap), 2 * max(3, cap // 2) - 1, _POINTS[char]), cap)
    return None
