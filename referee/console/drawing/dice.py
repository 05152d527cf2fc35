"""The screens of dice and numbers: input, and rulings."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from referee.console.drawing.draw import BODY, RULE, WIDTH, Canvas, holds
from referee.console.drawing.glyphs import symbol
from referee.console.drawing.raster import Box
from referee.console.drawing.shapes import DieStyle, cross, die
from referee.console.drawing.type import BARRED, HEADLINES, OPTIONS, SHOUT, STATUS, TIGHT, TOTALS, Strike
from referee.console.views import Count, Dice, Ruling


class _Lay(NamedTuple):
    """Dice in rows: side of a die, gap, how many in a row."""

    size: int
    gap: int
    row: int

    def width(self, dice: int) -> int:
        return min(dice, self.row) * (self.size + self.gap) - self.gap

    def corner(self, index: int) -> tuple[int, int]:
        step = self.size + self.gap
        return index % self.row * step, index // self.row * step


_THROW = {1: _Lay(29, 3, 1), 2: _Lay(29, 3, 2), 3: _Lay(25, 2, 3), 4: _Lay(17, 2, 2), 5: _Lay(17, 2, 3)}
_RULED = (_Lay(19, 2, 3), _Lay(14, 2, 5), _Lay(12, 1, 5), _Lay(10, 1, 5))


def dice(canvas: Canvas, view: Dice) -> None:
    """Draw the dice keyed so far and what is needed."""
    rest = canvas.heading(view.band)
    lay = _THROW[len(view.faces)]
    high = lay.corner(len(view.faces) - 1)[1] + lay.size
    needs = bool(view.need or view.need_note)
    x = 3 if needs else (WIDTH - lay.width(len(view.faces))) // 2
    y = BODY + (RULE - 1 - BODY - high + 1) // 2
    waiting = next((i for i, face in enumerate(view.faces) if face is None and i not in view.doubts), None)
    for index, face in enumerate(view.faces):
        style: DieStyle = "standing" if view.standing or index in view.doubts else "thrown"
        if face is None and index in view.doubts:
            style = "doubtful"
        elif face is None:
            style = "next" if index == waiting else "empty"
        dx, dy = lay.corner(index)
        canvas.stamp(die(lay.size, face, style, view.sides), x + dx, y + dy)
        if index == view.keyed:
            canvas.answer((x + dx, y + dy, x + dx + lay.size, y + dy + lay.size))
    canvas.answer(rest)
    if needs:
        _need(canvas, view, x + lay.width(len(view.faces)) + 3)
    canvas.foot(view.foot_left, view.foot_right, view.bar)


def _need(canvas: Canvas, view: Dice, left: int) -> None:
    if not view.need_note:
        canvas.into((left, BODY + 1, WIDTH - 1, RULE - 2), view.need, HEADLINES)
        return
    canvas.into((left, 15, WIDTH - 1, 36), view.need, HEADLINES[1:])
    canvas.into((left, 37, WIDTH - 1, 50), view.need_note, (TIGHT, STATUS))


def count(canvas: Canvas, view: Count) -> None:
    """Draw a number between its limits, or that there is none yet, with arrows where the knob goes."""
    canvas.answer(canvas.heading(view.band))
    low = canvas.text(2, 34, str(view.low), OPTIONS, room=34)
    high = canvas.text(WIDTH - 2, 34, str(view.high), OPTIONS, room=34, align="right")
    value = "?" if view.value is None else str(view.value)
    middle = WIDTH // 2
    baseline, strike = (34, BARRED) if view.barred else (40, SHOUT)
    box = canvas.text(middle, baseline, value, strike, room=60, align="centre")
    canvas.answer(box)
    assert box is not None
    if view.barred:
        canvas.stamp(cross(), box[2] + 2, 25)
    assert low is not None
    assert high is not None
    for sign, shown, x in (
        ("◀", view.value is not None and view.value > view.low, (low[2] + box[0]) // 2),
        ("▶", view.value is None or view.value < view.high, (high[0] + box[2]) // 2 + 2 * view.barred),
    ):
        arrow = symbol(sign, TOTALS.cap)
        assert arrow is not None
        if shown:
            canvas.stamp(arrow, x - arrow.width // 2, 21)
    canvas.foot(view.foot_left, view.foot_right)


def ruling(canvas: Canvas, view: Ruling) -> None:
    """Draw the headline, inverse if something changed, above the instructions, or the dice and the need."""
    if view.changed:
        canvas.fill((0, 0, WIDTH, 27))
        canvas.answer(_headline(canvas, view.headline, (2, 0, WIDTH - 2, 27), ink=0))
    else:
        canvas.rule(25, 2)
        canvas.answer(_headline(canvas, view.headline, (2, 0, WIDTH - 2, 24), ink=1))
    if view.to_do:
        _to_do(canvas, view.to_do)
    else:
        _numbers(canvas, view)
    canvas.foot(view.foot_left, view.foot_right)


def _headline(canvas: Canvas, text: str, box: Box, *, ink: int) -> Box | None:
    """One line as large as it goes, or two lines when one would be smaller than the options."""
    if any(holds(box, text, strike) for strike in HEADLINES[:4]):
        return canvas.into(box, text, HEADLINES[:4], ink=ink)
    return canvas.paragraph(box, text, (TIGHT, STATUS), align="centre", ink=ink)


def _to_do(canvas: Canvas, lines: tuple[str, ...]) -> None:
    tall = (RULE - 28) // len(lines)
    for index, line in enumerate(lines):
        upper = 28 + index * tall
        canvas.answer(canvas.into((2, upper, WIDTH - 2, upper + tall), line, (TIGHT, STATUS), align="left"))


class _Line(NamedTuple):
    """How dice, total and need share the line under a headline: where the dice end, and columns to spare."""

    lay: _Lay
    edge: int
    total: Strike
    need: Strike
    spare: int = 0


def _numbers(canvas: Canvas, view: Ruling) -> None:
    line = _share_out(view)
    high = line.lay.corner(len(view.faces) - 1)[1] + line.lay.size
    for index, face in enumerate(view.faces):
        dx, dy = line.lay.corner(index)
        canvas.stamp(die(line.lay.size, face, "thrown", view.sides), 3 + dx, 39 - (high + 1) // 2 + dy)
    edge = line.edge
    if _is_sum(view):
        canvas.fill((edge, 36, edge + _EQUALS, 38))
        canvas.fill((edge, 41, edge + _EQUALS, 43))
        edge += _EQUALS + 3 + min(3, line.spare)
    box = canvas.text(edge, 45, view.total, line.total, room=_RIGHT - edge)
    canvas.answer(box)
    if box:
        edge = box[2] + _GAP
    canvas.text(_RIGHT, 45, view.need, line.need, room=_RIGHT - edge, align="right")


_RIGHT = WIDTH - 2
_EQUALS = 8
_GAP = 5


def _is_sum(view: Ruling) -> bool:
    return bool(view.faces) and view.total.isdigit()


def _share_out(view: Ruling) -> _Line:
    """Give up size where it hurts least: first the need's, then the total's, then the dice's."""
    dice = len(view.faces)
    sign = _EQUALS + 3 if _is_sum(view) else 0
    gap = _GAP if view.total and view.need else 0
    for lay in _RULED if view.sides == 6 else _RULED[:2]:
        if lay.size > 10 and dice > lay.row:
            continue
        edge = 3 + lay.width(dice) + 4 if dice else 2
        for total, need in product((TOTALS, OPTIONS), (OPTIONS, TIGHT, STATUS)):
            spare = _RIGHT - edge - sign - total.width(view.total) - gap - need.width(view.need)
            if spare >= 0:
                return _Line(lay, edge, total, need, spare)
    return _Line(lay, edge, TIGHT, STATUS)
