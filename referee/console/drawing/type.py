"""Type on the glass: the strikes by role, measuring, glyph coverage, wrapping.

The fonts are Helvetica bitmaps of X11 (``fonts/NOTICE``), carried here so that no picture depends on what a
machine has installed. They are laid out glyph by glyph, without a shaping engine, and cached as rows of bits.
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
    """One character: its ink in rows of `columns` bits, the leftmost highest."""

    extent: Extent
    rows: tuple[int, ...] = ()
    columns: int = 0


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
        return Pcf((FONTS / self.file).read_bytes())

    def missing(self, text: str) -> str:
        """Return the characters of `text` that can be neither set nor drawn, in order, each once."""
        if text.isascii() and text.isprintable():  # every font has these
            return ""
        lost = (c for c in tidy(text) if c not in self.font and symbol(c, self.cap) is None)
        return "".join(dict.fromkeys(lost))

    def width(self, text: str) -> int:
        """Pixels from the pen to the last column of ink."""
        return self.extent(text).width

    def extent(self, text: str) -> Extent:
        """Measure `text` without drawing it."""
        return _measured(self, tidy(text))

    def way(self, text: str) -> int:
        """Pixels from the pen to where the pen of a following text stands."""
        return self.extent(text).advance + self.tracking

    def mask(self, text: str) -> Image.Image | None:
        """Set `text` as a 1-bit picture of its ink, None if blank.

        A character without a glyph becomes a hollow box as tall as a capital.
        """
        return _line(self, tidy(text))

    def glyph(self, char: str) -> _Glyph:
        """Draw one character."""
        if char in self.font:
            return _trimmed(*self.font[char])
        drawn = symbol(char, self.cap) or _box(self.cap)
        stride = -(-drawn.width // 8)
        data = drawn.tobytes()
        lines = (data[at : at + stride] for at in range(0, len(data), stride))
        rows = [int.from_bytes(line, "big") >> 8 * stride - drawn.width for line in lines]
        return _trimmed(rows, drawn.width, 1, -drawn.height, drawn.width + 2)


def _trimmed(rows: list[int], columns: int, dx: int, dy: int, advance: int) -> _Glyph:
    """Return a glyph without the blank rows and columns round its ink."""
    inked = [number for number, row in enumerate(rows) if row]
    if not inked:
        return _Glyph(Extent(0, 0, 0, 0, advance))
    ink = reduce(or_, rows)
    right = (ink & -ink).bit_length() - 1
    dx += columns - ink.bit_length()
    columns = ink.bit_length() - right
    kept = tuple(row >> right for row in rows[inked[0] : inked[-1] + 1])
    return _Glyph(Extent(dx, dy + inked[0], dx + columns, len(kept), advance), kept, columns)


def tidy(text: str) -> str:
    """Compose accents, so that a letter followed by a combining mark is the one glyph it stands for."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _box(cap: int) -> Image.Image:
    image = Image.new("1", (max(4, cap * 2 // 3), cap), 1)
    image.paste(0, (1, 1, image.width - 1, cap - 1))
    return image


@lru_cache(maxsize=4096)
def _glyph(strike: Strike, char: str) -> _Glyph:
    return strike.glyph(char)


@lru_cache(maxsize=4096)
def _measured(strike: Strike, text: str) -> Extent:
    boxes: list[tuple[int, int, int, int]] = []
    pen = 0
    for char in text:
        (dx, dy, width, height, advance), _, columns = _glyph(strike, char)
        if columns:
            boxes.append((pen + dx, dy, pen + width, dy + height))
        pen += advance + strike.tracking
    advance = max(0, pen - strike.tracking)
    if not boxes:
        return Extent(0, 0, 0, 0, advance)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Extent(min(lefts), min(tops), max(rights), max(bottoms) - min(tops), advance)


@lru_cache(maxsize=1024)
def _line(strike: Strike, text: str) -> Image.Image | None:
    """Lay the glyphs beside each other as numbers, which is a tenth of the work of pasting pictures."""
    whole = _measured(strike, text)
    if not whole.height:
        return None
    columns = whole.width - whole.dx
    stride = -(-columns // 8)
    rows = [0] * whole.height
    pen = 8 * stride + whole.dx
    for char in text:
        (_, dy, width, _, advance), inked, _ = _glyph(strike, char)
        for number, row in enumerate(inked, dy - whole.dy):
            rows[number] |= row << pen - width
        pen -= advance + strike.tracking
    return Image.frombytes("1", (columns, whole.height), b"".join(row.to_bytes(stride, "big") for row in rows))


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
        whole = strike.width(word) <= width
        if lines and pen + space + strike.width(word) <= width:
            lines[-1] += f" {word}"
            pen += space + strike.way(word)
            continue
        pieces = [word] if whole else _HYPHEN.split(word)
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
    kept = text
    while kept and strike.width(kept.rstrip() + "…") > width:
        kept = kept[:-1]
    return kept.rstrip() + "…" if kept else ""
