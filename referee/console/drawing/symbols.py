"""Signs the fonts lack, drawn as shapes that scale with the height of a capital."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageDraw

Draw = ImageDraw.ImageDraw


def _arrow_right(cap: int) -> Image.Image:
    head = max(3, cap * 3 // 8)
    thick = 2 if cap < 19 else 3
    image = Image.new("1", (max(7, cap - 1), cap))
    draw = ImageDraw.Draw(image)
    middle = cap // 2
    tip = image.width - 1
    top = middle - thick // 2
    draw.rectangle((0, top, tip - 1, top + thick - 1), fill=1)
    for step in range(head):
        x = tip - step
        draw.line((x, top - step, x, top + thick - 1 + step), fill=1)
    return image


def _up(cap: int) -> Image.Image:
    return _arrow_right(cap).transpose(Image.Transpose.ROTATE_90)


def _triangle(cap: int) -> Image.Image:
    half = max(3, cap // 2)
    image = Image.new("1", (2 * half - 1, half + (half > 3)))
    draw = ImageDraw.Draw(image)
    for row in range(image.height):
        reach = min(half - 1, row)
        draw.line((half - 1 - reach, row, half - 1 + reach, row), fill=1)
    return image


def _raise(image: Image.Image, cap: int) -> Image.Image:
    """Centre a sign on the height of a capital: symbols are set on the baseline."""
    lift = max(0, (cap - image.height) // 2)
    out = Image.new("1", (image.width, image.height + lift))
    out.paste(image, (0, 0))
    return out


def _point_right(cap: int) -> Image.Image:
    return _raise(_triangle(cap).transpose(Image.Transpose.ROTATE_270), cap)


def _tick(cap: int) -> Image.Image:
    size = max(6, cap * 3 // 4)
    image = Image.new("1", (size + 2, size))
    draw = ImageDraw.Draw(image)
    foot = size * 2 // 5
    for thick in range(2):
        draw.line((thick, size - 1 - foot, foot + thick, size - 1), fill=1)
        draw.line((foot + thick, size - 1, size + thick, size - 1 - (size - foot)), fill=1)
    return image


_FLIP = Image.Transpose.FLIP_LEFT_RIGHT
_TURN = Image.Transpose.FLIP_TOP_BOTTOM

_SIGNS: dict[str, Callable[[int], Image.Image]] = {
    "→": _arrow_right,
    "←": lambda cap: _arrow_right(cap).transpose(_FLIP),
    "↑": _up,
    "↓": lambda cap: _up(cap).transpose(_TURN),
    "▲": lambda cap: _raise(_triangle(cap), cap),
    "▼": lambda cap: _raise(_triangle(cap).transpose(_TURN), cap),
    "▶": _point_right,
    "◀": lambda cap: _point_right(cap).transpose(_FLIP),
    "✓": _tick,
}


@lru_cache(maxsize=64)
def symbol(char: str, cap: int) -> Image.Image | None:
    """Return the shape for `char` beside capitals `cap` pixels high, set on the baseline, or None."""
    draw = _SIGNS.get(char)
    return draw(cap) if draw else None
