"""Type on the glass: the strikes by role, measuring, glyph coverage, wrapping.

The fonts are bitmaps of X11 (``fonts/NOTICE``): Helvetica, and Fixed for Greek and Cyrillic; carried here so that no
picture depends on what a machine has installed. They are laid out glyph by glyph, without a shaping engine, and
cached as numbers. Sizes are pixels; a baseline is the first row *below* a capital letter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial, reduce
from operator import or_
from pathlib import Path
from typing import NamedTuple

from referee.console.drawing.glyphs import Bitmap, Pcf, symbol
from referee.console.drawing.raster import ROW, Raster, stack

FONTS = Path(__file__).with_name("fonts")


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
    """One character: the box of its ink from pen and baseline, the way to the next pen, and the bits of a `Raster`.

    The box of a blank one is such that it widens no other.
    """

    left: int
    upper: int
    right: int
    lower: int
    way: int
    ink: int = 0
    lost: bool = False
    """Whether a box stands for it, because nothing else does."""


_FAR = 1 << 16
"""Pixels; no text is so wide."""


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
    def descent(self) -> int:
        """Rows under the baseline that a line of a paragraph has."""
        return 2 if self.cap < 9 else 3

    @cached_property
    def pitch(self) -> int:
        """Rows from one line of a paragraph to the next."""
        return self.cap + 4

    @cached_property
    def font(self) -> Pcf:
        """The font, read when it is first needed."""
        return _read(self.file)

    def missing(self, text: str) -> str:
        """Return the characters of `text` that can be neither set nor drawn, in order, each once."""
        if text.isascii() and text.isprintable():  # every font has these
            return ""
        return "".join(dict.fromkeys(char for char in tidy(text) if _drawn(self, char).lost))

    def width(self, text: str) -> int:
        """Pixels from the pen to the last column of ink."""
        return _measured(self, text).width

    def extent(self, text: str) -> Extent:
        """Measure `text` without drawing it."""
        return _measured(self, text)

    def way(self, text: str) -> int:
        """Pixels to advance the pen for the following text."""
        return _measured(self, text).advance + self.tracking

    def mask(self, text: str) -> Raster | None:
        """Set `text` as a picture of its ink, None if blank.

        A character without a glyph becomes a hollow box as tall as a capital. Raises ValueError for a text wider than
        any glass.
        """
        return _line(self, text)


@lru_cache(maxsize=4096)
def _drawn(strike: Strike, char: str) -> _Glyph:
    """Set one character."""
    bitmap = strike.font[char] if char in strike.font else _foreign(char, strike.cap)
    if bitmap is not None:
        rows, columns, dx, dy, advance = bitmap
        return _glyph(rows, columns, dx, dy, advance + strike.tracking)
    sign = symbol(char, strike.cap)
    drawn = sign or _box(strike.cap)
    glyph = _glyph(drawn.rows(), drawn.width, 1, -drawn.height, drawn.width + 2 + strike.tracking)
    return glyph._replace(lost=sign is None)


def _foreign(char: str, cap: int) -> Bitmap | None:
    """Return a Greek or Cyrillic letter of a plainer font, enlarged if need be; None for anything else."""
    font = _read("6x13B.pcf.gz" if cap < 10 else "9x15B.pcf.gz")
    if not char.isalpha() or char not in font:
        return None
    return font[char].enlarged(max(1, round(cap / 11)))


@lru_cache(maxsize=32)
def _read(file: str) -> Pcf:
    """Read a font, which several strikes may set."""
    return Pcf((FONTS / file).read_bytes())


def _glyph(rows: list[int], columns: int, dx: int, dy: int, way: int) -> _Glyph:
    """Make a glyph of rows of so many bits, without the blank ones round its ink."""
    inked = [number for number, row in enumerate(rows) if row]
    if not inked:
        return _Glyph(_FAR, _FAR, -_FAR, -_FAR, way)
    whole = reduce(or_, rows)
    blank = (whole & -whole).bit_length() - 1  # at the right
    first, end = inked[0], inked[-1] + 1
    right = dx + columns
    return _Glyph(
        right - whole.bit_length(), dy + first, right - blank, dy + end, way, stack(rows[first:end]) >> blank
    )


def tidy(text: str) -> str:
    """Compose accents, so that a letter followed by a combining mark becomes one glyph."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _box(cap: int) -> Raster:
    box = Raster(max(4, cap * 2 // 3), cap)
    box.frame((0, 0, box.width, cap))
    return box


@lru_cache(maxsize=4096)
def _measured(strike: Strike, text: str) -> Extent:
    left = upper = _FAR
    right = lower = -_FAR
    pen = 0
    for first, top, end, bottom, way, _, _ in map(partial(_drawn, strike), tidy(text)):
        # A comparison takes a third of the time of min() or max(), and this runs for each letter.
        if pen + first < left:  # noqa: PLR1730
            left = pen + first
        if pen + end > right:  # noqa: PLR1730
            right = pen + end
        if top < upper:  # noqa: PLR1730
            upper = top
        if bottom > lower:  # noqa: PLR1730
            lower = bottom
        pen += way
    advance = max(0, pen - strike.tracking)
    return Extent(left, upper, right, lower - upper, advance) if lower > upper else Extent(0, 0, 0, 0, advance)


@lru_cache(maxsize=1024)
def _line(strike: Strike, text: str) -> Raster | None:
    whole = _measured(strike, text)
    if not whole.height:
        return None
    columns = whole.width - whole.dx
    if columns > ROW:
        raise ValueError(f"{text!r} is {columns} pixels wide: expected at most {ROW}")
    ink, place = 0, (whole.dy + whole.height) * ROW + whole.width  # how far the pen's baseline is from the lowest bit
    for _, _, end, bottom, way, bits, _ in map(partial(_drawn, strike), tidy(text)):
        if bits:
            ink |= bits << place - bottom * ROW - end
        place -= way
    return Raster(columns, whole.height, ink)


def steady(text: str, strike: Strike) -> int:
    """Return the columns that a time takes whatever its digits are, so that it does not move when they change."""
    return strike.width(re.sub(r"\d", "4", text))


def rehearse() -> Iterator[None]:
    """Set the usual letters in every strike, and read their fonts, before somebody waits; pause after each step."""
    for strike in (*HEADLINES, *BARRED_CELLS):
        for first in range(ord(" "), ord("~") + 1, _LETTERS):
            for code in range(first, first + _LETTERS):
                strike.width(chr(code))
            yield


_LETTERS = 19
"""Letters per step: a fifth of a keyboard."""

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
        extent = strike.extent(word)
        if lines and pen + space + extent.width <= width:
            lines[-1] += f" {word}"
            pen += space + extent.advance + strike.tracking
            continue
        pieces = [word] if extent.width <= width else _HYPHEN.split(word)
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
