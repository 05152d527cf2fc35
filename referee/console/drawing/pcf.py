"""Fonts of X11 in their portable compiled format (PCF), read glyph by glyph.

The format is that of libXfont's `pcfread.c`: a directory of tables, each with a word that tells its byte order and
padding. Only four-byte scan lines with the leftmost pixel in the highest bit are read, as `bdftopcf` writes them.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

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


class Pcf:
    """One font. Raises ValueError if it is not a PCF font of this kind."""

    def __init__(self, packed: bytes) -> None:
        """`packed` is the gzipped file."""
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
        """Return the glyph of a character that the font contains."""
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
