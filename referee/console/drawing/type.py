"""Type on the glass: the strikes by role, measuring, glyph coverage, wrapping.

The fonts are Helvetica bitmaps of X11 (``fonts/NOTICE``), carried here so that no picture depends on what a
machine has installed. They are laid out glyph by glyph, without a shaping engine, and cached as numbers.
Sizes are pixels; a baseline is the first row *below* a capital letter.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import or_
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from referee.console.drawing.pcf import Pcf
from referee.console.drawing.symbols import symbol

FONTS = Path(__file__).with_name("fonts")


_ROW = 512
"""Bits of a row of ink while it is being set: more than any glass has columns."""


class Extent(NamedTuple):
    """The extent of a text's ink, in pixels.

    ``dx``, ``dy`` are the offsets of its upper left corner from pen and baseline; ``width`` is where the ink ends,
    counted from the pen, ``height`` its rows, ``advance`` where the pen ends.
    """

    dx: int
    dy: int
    width: int
    height: int
    advance: int


class _Glyph(NamedTuple):
    """One character: the extent of its ink, as in `Extent`, and the ink as one number of rows of `_ROW` bits.

    The uppermost row is the highest part of it, and the ink ends with the lowest bit of each.
    """

    dx: int
    dy: int
    width: int
    height: int
    advance: int
    ink: int = 0


class _Glyphs(dict[str, _Glyph]):
    """The characters of a strike, each drawn when it is first used."""

    def __init__(self, strike: Strike) -> None:
        super().__init__()
        self._strike = strike

    def __missing__(self, char: str) -> _Glyph:
        glyph = self[char] = self._strike.draw(char)
        return glyph


@dataclass(frozen=True, eq=False)  # each is one of its kind, and looked up by what it is for every letter
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
    def font(self) -> Pcf:
        """The font, read when it is first needed."""
        return _read(self.file)

    @cached_property
    def glyphs(self) -> _Glyphs:
        """The characters, by themselves."""
        return _Glyphs(self)

    def missing(self, text: str) -> str:
        """Return the characters of `text` that can be neither set nor drawn, in order, each once."""
        return _missing(self, text)

    def width(self, text: str) -> int:
        """Pixels from the pen to the last column of ink."""
        return self.extent(text).width

    def extent(self, text: str) -> Extent:
        """Measure `text` without drawing it."""
        return _measured(self, text)

    def way(self, text: str) -> int:
        """Pixels to advance the pen for the following text."""
        return self.extent(text).advance + self.tracking

    def mask(self, text: str) -> Image.Image | None:
        """Set `text` as a 1-bit picture of its ink, None if blank.

        A character without a glyph becomes a hollow box as tall as a capital. Raises ValueError for a text wider than
        any glass.
        """
        return _line(self, text)

    def draw(self, char: str) -> _Glyph:
        """Set one character."""
        if char in self.font:
            return _glyph(*self.font[char])
        drawn = symbol(char, self.cap) or _box(self.cap)
        stride = -(-drawn.width // 8)
        data = drawn.tobytes()
        lines = (data[at : at + stride] for at in range(0, len(data), stride))
        rows = [int.from_bytes(line, "big") >> 8 * stride - drawn.width for line in lines]
        return _glyph(rows, drawn.width, 1, -drawn.height, drawn.width + 2)


@lru_cache(maxsize=32)
def _read(file: str) -> Pcf:
    """Read a font, which several strikes may set."""
    return Pcf((FONTS / file).read_bytes())


def _glyph(rows: list[int], columns: int, dx: int, dy: int, advance: int) -> _Glyph:
    """Make a glyph of rows of so many bits, without the blank ones round its ink."""
    inked = [number for number, row in enumerate(rows) if row]
    if not inked:
        return _Glyph(0, 0, 0, 0, advance)
    whole = reduce(or_, rows)
    blank = (whole & -whole).bit_length() - 1  # at the right
    first, end = inked[0], inked[-1] + 1
    ink = reduce(lambda above, row: above << _ROW | row >> blank, rows[first:end], 0)
    left = dx + columns - whole.bit_length()
    return _Glyph(left, dy + first, dx + columns - blank, end - first, advance, ink)


def tidy(text: str) -> str:
    """Compose accents, so that a letter followed by a combining mark becomes one glyph."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _box(cap: int) -> Image.Image:
    image = Image.new("1", (max(4, cap * 2 // 3), cap), 1)
    image.paste(0, (1, 1, image.width - 1, cap - 1))
    return image


@lru_cache(maxsize=2048)
def _missing(strike: Strike, text: str) -> str:
    if text.isascii() and text.isprintable():  # every font has these
        return ""
    lost = (char for char in tidy(text) if char not in strike.font and symbol(char, strike.cap) is None)
    return "".join(dict.fromkeys(lost))


@lru_cache(maxsize=4096)
def _measured(strike: Strike, text: str) -> Extent:
    glyphs, tracking = strike.glyphs, strike.tracking
    boxes: list[tuple[int, int, int, int]] = []
    pen = 0
    for char in tidy(text):
        dx, dy, width, height, advance, _ = glyphs[char]
        if height:
            boxes.append((pen + dx, dy, pen + width, dy + height))
        pen += advance + tracking
    advance = max(0, pen - tracking)
    if not boxes:
        return Extent(0, 0, 0, 0, advance)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Extent(min(lefts), min(tops), max(rights), max(bottoms) - min(tops), advance)


@lru_cache(maxsize=1024)
def _line(strike: Strike, text: str) -> Image.Image | None:
    """Lay the glyphs beside each other as one number, which is a tenth of the work of pasting pictures."""
    whole = _measured(strike, text)
    if not whole.height:
        return None
    columns = whole.width - whole.dx
    if columns > _ROW:
        raise ValueError(f"{text!r} is {columns} pixels wide: expected at most {_ROW}")
    glyphs, tracking, bottom = strike.glyphs, strike.tracking, whole.dy + whole.height
    ink, pen = 0, _ROW + whole.dx
    for char in tidy(text):
        _, dy, width, height, advance, glyph = glyphs[char]
        if glyph:
            ink |= glyph << (bottom - dy - height) * _ROW + pen - width
        pen -= advance + tracking
    rows = Image.frombytes("1", (_ROW, whole.height), ink.to_bytes(_ROW // 8 * whole.height, "big"))
    return rows.crop((0, 0, columns, whole.height))


def steady(text: str, strike: Strike) -> int:
    """Return the columns that a time takes whatever its digits are, so that it does not move when they change."""
    return strike.width(re.sub(r"\d", "4", text))


SHOUT = Strike("helvB24-100dpi.pcf.gz", 34, cap=25)
HEADLINE = Strike("helvB24.pcf.gz", 24, cap=19)
TOTALS = Strike("helvB18.pcf.gz", 18, cap=14)
OPTIONS = Strike("helvB14.pcf.gz", 14, cap=11)
TIGHT = Strike("helvB12.pcf.gz", 12, cap=9, tracking=1)
STATUS = Strike("helvB10.pcf.gz", 10, cap=8, tracking=1)
CLOSE = Strike("helvB10.pcf.gz", 10, cap=8)
BARRED = Strike("helvR12.pcf.gz", 12, cap=9, tracking=1)
BARRED_SMALL = Strike("helvR10.pcf.gz", 10, cap=8, tracking=1)

HEADLINES = (SHOUT, HEADLINE, TOTALS, OPTIONS, TIGHT, STATUS)
CELLS = (OPTIONS, TIGHT, STATUS)
BARRED_CELLS = (BARRED, BARRED_SMALL)


_HYPHEN = re.compile(r"(?<=[^\W\d_]-)(?=[^\W\d_])")


class Wrapped(NamedTuple):
    """Text in lines no wider than asked, and the words that had to be broken because none is that narrow."""

    lines: tuple[str, ...]
    broken: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def wrap(text: str, strike: Strike, width: int) -> Wrapped:
    """Break `text` between words to lines of at most `width` pixels.

    A word wider than a line is broken after a hyphen between letters ("Barad-dûr", never "9-12" or "BR-X10");
    failing that between letters, and then it is named in ``broken``. Every letter of the text is in the lines.
    """
    lines: list[str] = []
    broken: list[str] = []
    space = strike.way(" ")
    pen = 0  # behind the last letter of the last line
    for word in text.split():
        needs = strike.width(word)
        if lines and pen + space + needs <= width:
            lines[-1] += f" {word}"
            pen += space + strike.way(word)
            continue
        pieces = [word] if needs <= width else _HYPHEN.split(word)
        for piece in pieces:
            if lines and piece is not pieces[0] and pen + strike.width(piece) <= width:
                lines[-1] += piece
                pen += strike.way(piece)
                continue
            if strike.width(piece) <= width:
                lines.append(piece)
            else:
                broken.append(word)
                lines.extend(_letters(piece, strike, width))
            pen = strike.way(lines[-1])
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
    short = text
    while short and strike.width(short.rstrip() + "…") > width:
        short = short[:-1]
    return short.rstrip() + "…" if short else ""
