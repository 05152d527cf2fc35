"""The page with the clock of every seat."""

from __future__ import annotations

from collections.abc import Sequence

from referee.console.drawing.draw import BODY, HEIGHT, RULE, WIDTH, Canvas, fit
from referee.console.drawing.symbols import symbol
from referee.console.drawing.type import OPTIONS, STATUS, TIGHT, TOTALS, Strike, steady
from referee.console.views import Clock, Clocks

_MARK = 10
_GAP = 4
"""Columns for the mark of the clock that runs, and between name and time."""


def clocks(canvas: Canvas, view: Clocks) -> None:
    """Draw up to three clocks: names on the left, times on the right, the one that runs with a mark before it."""
    canvas.heading(view.band, (view.page, view.pages))
    foot = bool(view.foot_left or view.foot_right)
    tall = ((RULE if foot else HEIGHT) - BODY) // len(view.clocks)
    strike = _largest(view.clocks, tall)
    for index, clock in enumerate(view.clocks):
        upper = BODY + index * tall
        left = WIDTH - 3 - steady(clock.time, strike)
        baseline = upper + (tall + strike.cap + 1) // 2
        time = canvas.text(left, baseline, clock.time, strike, room=WIDTH - 2 - left)
        names = (OPTIONS, TIGHT, STATUS) if tall > 16 else (TIGHT, STATUS)
        name = fit((clock.name, clock.short or clock.name), names, left - _GAP - _MARK).text
        canvas.into((_MARK, upper, left - _GAP, upper + tall), name, names, align="left")
        if clock.runs:
            mark = symbol("▶", TIGHT.cap)
            assert mark is not None
            canvas.stamp(mark, 1, baseline - (strike.cap + mark.height + 1) // 2)
        if clock.fallen:
            canvas.invert((left - 2, max(BODY, baseline - strike.cap - 1), WIDTH, baseline + 1))
        if index == 0:
            canvas.answer(time)
    canvas.foot(view.foot_left, view.foot_right)


def _largest(clocks: Sequence[Clock], tall: int) -> Strike:
    """Return the largest strike in which the times leave room for the names."""
    names = max(STATUS.width(clock.short or clock.name) for clock in clocks)
    room = WIDTH - 3 - _MARK - _GAP - names
    fitting = (s for s in (TOTALS, OPTIONS, TIGHT) if s.cap + 3 <= tall)
    return next((s for s in fitting if max(steady(clock.time, s) for clock in clocks) <= room), STATUS)
