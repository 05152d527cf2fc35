"""Dice, number boxes and warning signs, cached as masks."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PIL import Image, ImageChops, ImageDraw

from referee.console.drawing.draw import Canvas
from referee.console.drawing.type import BARRED_SMALL, HEADLINES, TIGHT

DieStyle = Literal["thrown", "standing", "doubtful", "next", "empty"]

_PIP = {29: 5, 25: 5, 19: 3, 17: 3, 14: 2, 12: 2, 10: 2}
"""Side of a pip for each size of die: die and pip are both odd or both even, so the middle is a middle."""

_SPOTS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}


@lru_cache(maxsize=128)
def die(size: int, face: int | None, style: DieStyle) -> Image.Image:
    """Return a die of one of the sizes 29, 25, 19, 17, 14, 12, 10 pixels as a 1-bit picture.

    Thrown: white with dark pips. Standing (thrown before, or in doubt): an outline with white pips. Doubtful: an
    outline with a question mark. Empty: dots. Next, the die waited for: the same dots with a caret, so that little
    changes on the glass when the caret moves on.
    """
    image = Image.new("1", (size, size))
    draw = ImageDraw.Draw(image)
    last = size - 1
    if style == "doubtful":
        draw.rounded_rectangle((0, 0, last, last), 3 if size > 20 else 1, outline=1)
        mark = (HEADLINES[2] if size > 20 else TIGHT).mask("?")
        assert mark is not None
        image.paste(1, ((size - mark.width + 1) // 2, (size - mark.height + 1) // 2), mark)
        return image
    if face is None:
        _outline_of_dots(draw, last, 2 if size % 4 != 1 else 4)
        if style == "next":
            _caret(draw, size)
        return image
    radius = 3 if size > 20 else 1
    thrown = style == "thrown"
    draw.rounded_rectangle((0, 0, last, last), radius, fill=int(thrown), outline=1)
    pip = _PIP[size]
    near = max(1, round((size - 3 * pip) / 4))
    places = (near, (size - pip) // 2, size - pip - near)
    for column, row in _SPOTS[face]:
        x, y = places[column], places[row]
        if pip < 4:
            draw.rectangle((x, y, x + pip - 1, y + pip - 1), fill=int(not thrown))
        else:
            draw.rectangle((x + 1, y, x + pip - 2, y + pip - 1), fill=int(not thrown))
            draw.rectangle((x, y + 1, x + pip - 1, y + pip - 2), fill=int(not thrown))
    return image


def _outline_of_dots(draw: ImageDraw.ImageDraw, last: int, step: int) -> None:
    for at in range(0, last + 1, step):
        draw.point([(at, 0), (at, last), (0, at), (last, at)], fill=1)


def _caret(draw: ImageDraw.ImageDraw, size: int) -> None:
    left, wide, y = size // 3, size - 2 * (size // 3), size * 2 // 3
    draw.rectangle((left, y, left + wide - 1, y + 1), fill=1)


@lru_cache(maxsize=24)
def number_box(number: int, *, hollow: bool, lit: bool) -> Image.Image:
    """Return the number of a die key, 8 by 15 pixels: dark on white, white on dark beside a lit label.

    Hollow, the mark of a barred option, is a thin digit in an outline.
    """
    dark = hollow or lit
    image = Image.new("1", (8, 15), 0 if dark else 1)
    if hollow:
        ImageDraw.Draw(image).rectangle((0, 0, 7, 14), outline=1)
    digit = (BARRED_SMALL if hollow else TIGHT).mask(str(number))
    assert digit is not None
    image.paste(int(dark), ((9 - digit.width) // 2, (15 - digit.height + 1) // 2), digit)
    return image


@lru_cache(maxsize=1)
def cross() -> Image.Image:
    """Return the mark of a barred option, 5 by 5."""
    image = Image.new("1", (5, 5))
    draw = ImageDraw.Draw(image)
    draw.line((0, 0, 4, 4), fill=1)
    draw.line((4, 0, 0, 4), fill=1)
    return image


@lru_cache(maxsize=1)
def warning() -> Image.Image:
    """Return the warning triangle, 21 by 18."""
    return _warning(10, 18, (9, 5, 11, 11), (9, 13, 11, 15))


@lru_cache(maxsize=1)
def small_warning() -> Image.Image:
    """Return the warning triangle for the band, 11 by 10."""
    return _warning(5, 10, (5, 3, 5, 6), (5, 8, 5, 8))


def _warning(middle: int, height: int, *exclamation: tuple[int, int, int, int]) -> Image.Image:
    image = Image.new("1", (2 * middle + 1, height))
    draw = ImageDraw.Draw(image)
    for row in range(height):
        half = row * middle // (height - 1)
        draw.line((middle - half, row, middle + half, row), fill=1)
    for box in exclamation:
        draw.rectangle(box, fill=0)
    return image


@lru_cache(maxsize=64)
def hollow(text: str, strike_file: str) -> Image.Image:
    """Return the outline of `text` in one of the large strikes, two pixels larger than its ink."""
    strike = next(s for s in HEADLINES if s.file == strike_file)
    ink = strike.mask(text)
    assert ink is not None
    solid = Image.new("1", (ink.width + 2, ink.height + 2))
    solid.paste(ink, (1, 1))
    grown = solid
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        grown = ImageChops.logical_or(grown, ImageChops.offset(solid, dx, dy))
    return ImageChops.logical_xor(grown, solid)


def place(canvas: Canvas, picture: Image.Image, x: int, y: int) -> None:
    """Draw a picture with its own ground, black pixels included."""
    canvas.image.paste(picture, (x, y))
