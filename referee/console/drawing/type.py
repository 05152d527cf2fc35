"""Type on the glass: the strikes by role, measuring, glyph coverage, wrapping.

The fonts are Helvetica bitmaps of X11 (``fonts/NOTICE``), carried here so that no picture depends on what a
machine has installed. They are laid out glyph by glyph, without a shaping engine, and cached as columns of bits.
Sizes are pixels; a baseline is the first row *below* a capital letter.
"""

from __future__ import annotations

import gzip
import re
import struct
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageFont

from referee.console.drawing.symbols import symbol

_ENCODINGS = 1 << 5  # the PCF table that maps code points to glyphs
_BIG_ENDIAN = 1 << 2
_NO_GLYPH = 0xFFFF

_ROWS, _BASELINE = 64, 48
"""Rows of a column of ink while it is being set, and how many of them are above the baseline."""


class Extent(NamedTuple):
    """Where the ink of a text stands, in pixels.

    ``dx``, ``dy`` are the offsets of its upper left corner from pen and baseline; ``width`` is where the ink ends,
    counted from the pen, ``height`` its rows, ``advance`` where the pen ends.
    """

    dx: int
    dy: int
    width: int
    height: int
    advance: int


class _Glyph(NamedTuple):
    """One character: `bits` holds `columns` of ink, the leftmost highest, each a number of `_ROWS` bits."""

    extent: Extent
    bits: int = 0
    columns: int = 0


@dataclass(frozen=True)
class Strike:
    """One bitmap font at its one size.

    ``cap`` is the height of a capital, ``tracking`` the pixels added between letters: the two small sizes
    run "rn" into "m" without it.
    """

    file: str
    size: int
    cap: int
    tracking: int = 0

    @cached_property
    def _bytes(self) -> bytes:
        return files("referee.console.drawing").joinpath("fonts", self.file).read_bytes()

    @cached_property
    def _font(self) -> ImageFont.FreeTypeFont:
        return ImageFont.truetype(BytesIO(self._bytes), self.size, layout_engine=ImageFont.Layout.BASIC)

    @cached_property
    def covered(self) -> frozenset[str]:
        """The characters for which the font has a glyph, read from its own table."""
        return _covered(gzip.decompress(self._bytes))

    def missing(self, text: str) -> str:
        """Return the characters of `text` that can be neither set nor drawn, in order, each once."""
        lost = (c for c in tidy(text) if c not in self.covered and symbol(c, self.cap) is None)
        return "".join(dict.fromkeys(lost))

    def width(self, text: str) -> int:
        """Pixels from the pen to the last column of ink."""
        return self.extent(text).width

    def extent(self, text: str) -> Extent:
        """Measure `text` without drawing it."""
        return _measured(self, tidy(text))

    def mask(self, text: str) -> Image.Image | None:
        """Set `text` as a 1-bit picture of its ink, None if blank.

        A character without a glyph becomes a hollow box as tall as a capital.
        """
        return _line(self, tidy(text))

    def _draw(self, char: str) -> _Glyph:
        if char not in self.covered:
            drawn = symbol(char, self.cap) or _box(self.cap)
            return _glyph_of(drawn, 1, -drawn.height, drawn.width + 2)
        core, (dx, dy) = self._font.getmask2(char, mode="1", anchor="ls")
        advance = int(self._font.getlength(char, mode="1"))
        width, height = core.size
        if not width or not height:
            return _Glyph(Extent(0, 0, 0, 0, advance))
        rows = Image.frombytes("L", (width, height), bytes(core)).convert("1", dither=Image.Dither.NONE)
        ink = rows.getbbox()
        if ink is None:
            return _Glyph(Extent(0, 0, 0, 0, advance))
        return _glyph_of(rows.crop(ink), dx + ink[0], dy + ink[1], advance)


def _glyph_of(ink: Image.Image, dx: int, dy: int, advance: int) -> _Glyph:
    column = Image.new("1", (ink.width, _ROWS))
    column.paste(ink, (0, _BASELINE + dy))
    bits = int.from_bytes(column.transpose(Image.Transpose.TRANSPOSE).tobytes(), "big")
    return _Glyph(Extent(dx, dy, dx + ink.width, ink.height, advance), bits, ink.width)


def tidy(text: str) -> str:
    """Compose accents, so that a letter followed by a combining mark is the one glyph it stands for."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _covered(pcf: bytes) -> frozenset[str]:
    tables = struct.unpack_from("<i", pcf, 4)[0]
    for number in range(tables):
        kind, _, _, offset = struct.unpack_from("<4i", pcf, 8 + 16 * number)
        if kind == _ENCODINGS:
            break
    else:
        raise ValueError("expected a PCF font with a table of encodings")
    order = ">" if struct.unpack_from("<i", pcf, offset)[0] & _BIG_ENDIAN else "<"
    low, high, first, last, _ = struct.unpack_from(order + "5h", pcf, offset + 4)
    wide = high - low + 1
    covered: set[str] = set()
    for page in range(last - first + 1):
        at = offset + 14 + page * wide * 2
        if pcf[at : at + wide * 2] == b"\xff\xff" * wide:
            continue  # most pages of 256 code points are empty, and there are 256 of them
        glyphs = struct.unpack_from(f"{order}{wide}H", pcf, at)
        start = (first + page << 8) + low
        covered.update(chr(start + i) for i, glyph in enumerate(glyphs) if glyph != _NO_GLYPH)
    return frozenset(covered)


def _box(cap: int) -> Image.Image:
    image = Image.new("1", (max(4, cap * 2 // 3), cap), 1)
    image.paste(0, (1, 1, image.width - 1, cap - 1))
    return image


@lru_cache(maxsize=4096)
def _glyph(strike: Strike, char: str) -> _Glyph:
    return strike._draw(char)


@lru_cache(maxsize=4096)
def _measured(strike: Strike, text: str) -> Extent:
    left, top, right, bottom = _ROWS * len(text), _ROWS, -_ROWS, -_ROWS
    pen = 0
    for char in text:
        (dx, dy, width, height, advance), _, columns = _glyph(strike, char)
        if columns:
            left, right = min(left, pen + dx), max(right, pen + width)
            top, bottom = min(top, dy), max(bottom, dy + height)
        pen += advance + strike.tracking
    advance = max(0, pen - strike.tracking)
    return Extent(left, top, right, bottom - top, advance) if top < bottom else Extent(0, 0, 0, 0, advance)


@lru_cache(maxsize=1024)
def _line(strike: Strike, text: str) -> Image.Image | None:
    """Lay the glyphs beside each other as one number, which is a tenth of the work of pasting pictures."""
    whole = _measured(strike, text)
    if not whole.height:
        return None
    columns = bits = 0
    pen = -whole.dx
    for char in text:
        glyph = _glyph(strike, char)
        if glyph.columns:
            grown = max(columns, pen + glyph.extent.dx + glyph.columns)
            behind = grown - (pen + glyph.extent.dx + glyph.columns)  # of a glyph that reaches over the next one
            bits = bits << (grown - columns) * _ROWS | glyph.bits << behind * _ROWS
            columns = grown
        pen += glyph.extent.advance + strike.tracking
    upright = Image.frombytes("1", (_ROWS, columns), bits.to_bytes(columns * _ROWS // 8, "big"))
    top = _BASELINE + whole.dy
    return upright.transpose(Image.Transpose.TRANSPOSE).crop((0, top, columns, top + whole.height))


SHOUT = Strike("helvB24-100dpi.pcf.gz", 34, cap=25)
HEADLINE = Strike("helvB24.pcf.gz", 24, cap=19)
TOTALS = Strike("helvB18.pcf.gz", 18, cap=14)
OPTIONS = Strike("helvB14.pcf.gz", 14, cap=11)
TIGHT = Strike("helvB12.pcf.gz", 12, cap=9, tracking=1)
STATUS = Strike("helvB10.pcf.gz", 10, cap=8, tracking=1)
BARRED = Strike("helvR12.pcf.gz", 12, cap=9, tracking=1)
BARRED_SMALL = Strike("helvR10.pcf.gz", 10, cap=8, tracking=1)

HEADLINES = (SHOUT, HEADLINE, TOTALS, OPTIONS, TIGHT, STATUS)
CELLS = (OPTIONS, TIGHT, STATUS)
BARRED_CELLS = (BARRED, BARRED_SMALL)


def preload() -> None:
    """Read every font and set the usual letters, so that no press waits for a file."""
    for strike in (*HEADLINES, *BARRED_CELLS):
        for char in map(chr, range(ord(" "), ord("~") + 1)):
            strike.extent(char)


_HYPHEN = re.compile(r"(?<=[^\W\d_]-)(?=[^\W\d_])")


class Wrapped(NamedTuple):
    """Text in lines no wider than asked, and the words that had to be broken because none is that narrow."""

    lines: tuple[str, ...]
    broken: tuple[str, ...] = ()


def wrap(text: str, strike: Strike, width: int) -> Wrapped:
    """Break `text` between words to lines of at most `width` pixels.

    A word wider than a line is broken after a hyphen between letters ("Barad-dûr", never "9-12" or "BR-X10");
    failing that between letters, and then it is named in ``broken``. Every letter of the text is in the lines.
    """
    lines: list[str] = []
    broken: list[str] = []
    for word in text.split():
        if lines and strike.width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
            continue
        pieces = [word] if strike.width(word) <= width else _HYPHEN.split(word)
        for piece in pieces:
            if lines and piece is not pieces[0] and strike.width(lines[-1] + piece) <= width:
                lines[-1] += piece
            elif strike.width(piece) <= width:
                lines.append(piece)
            else:
                broken.append(word)
                lines.extend(_letters(piece, strike, width))
    return Wrapped(tuple(lines), tuple(broken))


def _letters(word: str, strike: Strike, width: int) -> list[str]:
    parts = [""]
    for char in word:
        if parts[-1] and strike.width(parts[-1] + char) > width:
            parts.append("")
        parts[-1] += char
    return parts


def cut(text: str, strike: Strike, width: int) -> str:
    """Return as much of `text` as fits, marked with an ellipsis where it was cut."""
    if strike.width(text) <= width:
        return text
    kept = text
    while kept and strike.width(kept.rstrip() + "…") > width:
        kept = kept[:-1]
    return kept.rstrip() + "…" if kept else ""
