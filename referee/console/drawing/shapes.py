"""Dice, number boxes and warning signs, each drawn once."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from referee.console.drawing.raster import Raster
from referee.console.drawing.type import BARRED_SMALL, HEADLINES, STATUS, TIGHT, TOTALS

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
def die(size: int, face: int | None, style: DieStyle, sides: int = 6) -> Raster:
    """Return a die of one of the sizes 29, 25, 19, 17, 14, 12, 10 pixels; only of six sides of the last two.

    Thrown: white with dark pips. Standing (thrown before, or in doubt): an outline with white pips. Doubtful: an
    outline with a question mark. Empty: dots. Next, the die waited for: the same dots with a caret, so that little
    changes on the glass when the caret moves on. Dice of other than six sides have digits in the place of pips.
    """
    if style != "doubtful" and face is None:
        return _waiting(size, caret=style == "next")
    corner = 2 if size > 20 else 1
    shape = _rounded(size, corner)
    if style != "thrown":
        shape.stamp(_rounded(size - 2, corner - 1), 1, 1, 0)
    if style == "doubtful" or face is None:
        mark = (HEADLINES[2] if size > 20 else TIGHT).mask("?")
        assert mark is not None
        shape.stamp(mark, (size - mark.width + 1) // 2, (size - mark.height + 1) // 2)
        return shape
    if sides != 6:
        digits = (TOTALS if size > 20 else TIGHT if size > 14 else STATUS).mask(str(face))
        assert digits is not None
        place = (size - digits.width + 1) // 2, (size - digits.height + 1) // 2
        shape.stamp(digits, *place, int(style != "thrown"))
        return shape
    pip = _PIP[size]
    near = max(1, round((size - 3 * pip) / 4))
    places = (near, (size - pip) // 2, size - pip - near)
    for column, row in _SPOTS[face]:
        shape.stamp(_rounded(pip, int(pip > 3)), places[column], places[row], int(style != "thrown"))
    return shape


def _rounded(size: int, corner: int) -> Raster:
    """Return a square that lacks so many pixels at the end of its edges, and less further in."""
    square = Raster(size, size)
    square.fill((corner, 0, size - corner, size))
    square.fill((0, corner, size, size - corner))
    if corner > 1:
        square.fill((1, 1, size - 1, size - 1))
    return square


def _waiting(size: int, *, caret: bool) -> Raster:
    shape = Raster(size, size)
    last, step = size - 1, 2 if size % 4 != 1 else 4
    for at in range(0, size, step):
        for x, y in ((at, 0), (at, last), (0, at), (last, at)):
            shape.fill((x, y, x + 1, y + 1))
    if caret:
        left, y = size // 3, size * 2 // 3
        shape.fill((left, y, size - left, y + 2))
    return shape


@lru_cache(maxsize=24)
def number_box(number: int, *, hollow: bool, lit: bool) -> Raster:
    """Return the number of a die key, 8 by 15 pixels: dark on white, white on dark beside a lit label.

    Hollow, the mark of a barred option, is a thin digit in an outline.
    """
    dark = hollow or lit
    box = Raster(8, 15)
    if hollow:
        box.frame((0, 0, 8, 15))
    elif not lit:
        box.fill((0, 0, 8, 15))
    digit = (BARRED_SMALL if hollow else TIGHT).mask(str(number))
    assert digit is not None
    box.stamp(digit, (9 - digit.width) // 2, (15 - digit.height + 1) // 2, int(dark))
    return box


@lru_cache(maxsize=1)
def cross() -> Raster:
    """Return the mark of a barred option, 5 by 5."""
    shape = Raster(5, 5)
    for at in range(5):
        shape.fill((at, at, at + 1, at + 1))
        shape.fill((4 - at, at, 5 - at, at + 1))
    return shape


@lru_cache(maxsize=1)
def warning() -> Raster:
    """Return the warning triangle, 21 by 18."""
    shape = Raster(21, 18)
    for row in range(18):
        half = row * 10 // 17
        shape.fill((10 - half, row, 11 + half, row + 1))
    for exclamation in ((9, 5, 12, 12), (9, 13, 12, 16)):
        shape.fill(exclamation, 0)
    return shape
