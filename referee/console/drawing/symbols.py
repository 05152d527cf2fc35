"""Signs the fonts lack, drawn as shapes that scale with the height of a capital."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.console.drawing.raster import Raster

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
