"""Line charts of counters as SVG. Each line has a colour and its own dash; its name stands below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Final

WIDTH, HEIGHT = 760, 240
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 12, 26
COLOURS: Final = ("c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7")
"""Classes of report.css."""
DASHES: Final = ("", "7 3", "2 3", "10 3 2 3", "5 5", "1 4", "12 4", "4 2 1 2")
NO_MARKS: Final[Mapping[int, str]] = MappingProxyType({})
MARKS_APART = 90
"""Pixels between the names of two marks on the axis of time, the first kept."""


def lines(title: str, series: Mapping[str, Sequence[int]], marks: Mapping[int, str] = NO_MARKS) -> str:
    """Return a chart of some counters: a value of each after every stroke; the same number of values each.

    ``marks``: what began with a stroke, by its number, in order: "Round 2".
    """
    highest = max(1, *(max(values) for values in series.values()))
    steps = max(1, len(next(iter(series.values()))) - 1)

    def x(at: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * at / steps, 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / highest, 1)

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)} over time">']
    for value in sorted({0, highest // 2, highest}):
        parts.append(f'<path class="grid" d="M{LEFT} {y(value)}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4}" text-anchor="end">{value}</text>')
    named = float(LEFT - MARKS_APART)
    for at, name in marks.items():
        place = x(max(0, at - 1))
        parts.append(f'<path class="grid" d="M{place} {TOP}V{HEIGHT - BOTTOM + 4}"/>')
        if named + MARKS_APART <= place <= WIDTH - RIGHT - MARKS_APART:
            parts.append(f'<text x="{place}" y="{HEIGHT - 6}">{escape(name)}</text>')
            named = place
    legend = []
    for number, (name, values) in enumerate(series.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        path = f"M{x(0)} {y(values[0])}" + "".join(f"H{x(at)}V{y(value)}" for at, value in enumerate(values) if at)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<path class="line {colour}" d="{path}"{dashed}/>')
        stroke = f'<svg viewBox="0 0 36 8" aria-hidden="true"><path class="line" d="M0 4H36"{dashed}/></svg>'
        legend.append(f'<li class="{colour}">{stroke}{escape(name)} {values[0]} → {values[-1]}</li>')
    return "".join(['<div class="chart">', *parts, '</svg><ul class="legend">', *legend, "</ul></div>"])
