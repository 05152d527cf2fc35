"""The screens of words: idle, lines, refusals, notices, odds, an address, and what takes a hold."""

from __future__ import annotations

import re

from referee.console.drawing.draw import BODY, HEIGHT, RULE, WIDTH, Canvas, fills
from referee.console.drawing.raster import Raster, stack
from referee.console.drawing.shapes import warning
from referee.console.drawing.type import HEADLINES, OPTIONS, STATUS, TIGHT, TOTALS, Strike
from referee.console.views import Band, Code, Confirm, Idle, Notice, Odds, Refusal, Why

_TITLES = (TOTALS, OPTIONS, TIGHT, STATUS)
_TEXT = (TIGHT, STATUS)


def idle(canvas: Canvas, view: Idle) -> None:
    """Draw whose turn it is as large as it goes."""
    right = view.clock or view.foot_right
    foot = bool(view.foot_left or right)
    shift = 0 if foot else 6
    if view.subtitle:
        canvas.answer(canvas.into((1, 1 + shift, WIDTH - 1, 28 + shift), view.title, HEADLINES))
        canvas.answer(canvas.into((1, 29 + shift, WIDTH - 1, 49 + shift), view.subtitle, _TITLES))
    else:
        canvas.answer(canvas.into((1, 4 + shift, WIDTH - 1, 48 + shift), view.title, HEADLINES))
    canvas.foot(view.foot_left, right)


def why(canvas: Canvas, view: Why) -> None:
    """Draw a page of lines under the ids of the rules."""
    title = f"{view.title} {view.page + 1}/{view.pages}" if view.pages > 1 else view.title
    canvas.heading(Band(title, view.rules, seat=view.seat))
    canvas.lines(view.lines)


def refusal(canvas: Canvas, view: Refusal) -> None:
    """Draw a refusal: a large title over two lines, or a band over what is longer."""
    large = (2, 22, WIDTH - 2, RULE - 1 if view.rule or view.hint else HEIGHT)
    if any(fills(large, view.text, strike) for strike in _TEXT):
        canvas.stamp(warning(), 3, 2)
        canvas.answer(canvas.into((29, 0, WIDTH - 1, 18), view.title, _TITLES, align="left"))
        canvas.answer(canvas.paragraph(large, view.text, _TEXT))
        canvas.foot(view.rule, view.hint)
        return
    canvas.heading(Band(view.title, view.rule))
    canvas.answer(canvas.paragraph((2, BODY, WIDTH - 2, RULE - 1 if view.hint else HEIGHT), view.text, _TEXT))
    canvas.foot("", view.hint)


def notice(canvas: Canvas, view: Notice) -> None:
    """Draw a text in the largest type in which it fits."""
    canvas.heading(Band(view.title, seat=view.seat))
    bottom = RULE - 1 if view.foot else HEIGHT
    canvas.answer(canvas.paragraph((2, BODY + 1, WIDTH - 2, bottom), view.text, (OPTIONS, TIGHT, STATUS)))
    canvas.foot(view.foot)


def confirm(canvas: Canvas, view: Confirm) -> None:
    """Draw what a hold will do, and the bar that fills while it lasts."""
    canvas.answer(canvas.into((2, 0, WIDTH - 2, 18), view.title, _TITLES))
    canvas.paragraph((2, 22, WIDTH - 2, 49), view.text, (TIGHT, STATUS), align="centre")
    box = (1, 50, WIDTH - 1, HEIGHT)
    canvas.frame(box)
    canvas.into((4, 51, WIDTH - 4, HEIGHT - 1), view.hint, (STATUS,))
    if view.bar is not None:
        canvas.invert((3, 52, 3 + round((WIDTH - 6) * view.bar), HEIGHT - 2))
    canvas.answer(box)


_BAR, _SHORT_BAR = 34, 24
"""Columns of a bar of odds with the gaps beside it, and where labels are long."""


def odds(canvas: Canvas, view: Odds) -> None:
    """Draw outcomes as bars, the share beside each."""
    canvas.heading(view.band)
    if not view.rows:
        return
    strike = TIGHT if len(view.rows) < 4 else STATUS
    labels, shares = _columns(view, strike)
    if labels + shares > WIDTH - _BAR:
        strike = STATUS
        labels, shares = _columns(view, strike)
    shares = min(shares, 48)
    labels = min(labels, WIDTH - _SHORT_BAR - shares)
    tall = (HEIGHT - BODY) / max(3, len(view.rows))
    for index, (label, share, text) in enumerate(view.rows):
        middle = BODY + round(tall * (index + 0.5))
        baseline = middle + strike.cap // 2
        canvas.text(1, baseline, label, strike, room=labels)
        canvas.text(WIDTH - 2, baseline, text, strike, room=shares, align="right")
        left, right = labels + 6, WIDTH - shares - 7
        bar = (left, baseline - strike.cap, right, baseline)
        canvas.frame(bar)
        filled = round((right - left - 4) * share)
        if share > 0:
            canvas.fill((left + 2, bar[1] + 2, left + 2 + max(1, filled), bar[3] - 2))
        if index == 0:
            canvas.answer((0, BODY, WIDTH, BODY + round(tall)))


def _columns(view: Odds, strike: Strike) -> tuple[int, int]:
    labels = max(strike.width(label) for label, _, _ in view.rows)
    return labels, max(strike.width(text) for _, _, text in view.rows)


QUIET = 2
"""Light modules round the code at least: half of what ISO/IEC 18004 wants, and enough for the readers of phones."""


def code(canvas: Canvas, view: Code) -> None:
    """Draw the code on the left, as many pixels a module as leave it its quiet zone; title and address beside it."""
    canvas.fill((0, 0, HEIGHT, HEIGHT))
    if view.rows:
        modules = len(view.rows)
        side = max(1, HEIGHT // (modules + 2 * QUIET))
        rows = (int("".join("01"[dark > 0] * side for dark in row), 2) for row in view.rows for _ in range(side))
        size = modules * side
        canvas.stamp(Raster(size, size, stack(rows)), (HEIGHT - size) // 2, (HEIGHT - size) // 2, 0)
    room = WIDTH - HEIGHT - 4
    canvas.answer(canvas.into((HEIGHT + 3, 0, WIDTH, 18), view.title, (OPTIONS, TIGHT, STATUS), align="left"))
    for index, line in enumerate(_parted(view.address, room)):
        canvas.text(HEIGHT + 3, 30 + 12 * index, line, STATUS, room=room)


LINES = 3


def _parted(address: str, room: int) -> list[str]:
    """Return an address in lines that fit, parted after a dot or before a port; what is too long goes last."""
    lines = [""]
    for part in re.findall(r":?[^.:]*\.?", address):
        if len(lines) < LINES and lines[-1] and STATUS.width(lines[-1] + part) > room:
            lines.append("")
        lines[-1] += part
    return lines
