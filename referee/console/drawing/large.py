"""The large glass: one option, number or headline at a time, to be read from 1.5 m; the knob leads to the others."""

from __future__ import annotations

from referee.console.drawing.draw import HEIGHT, RULE, WIDTH, Canvas, fills
from referee.console.drawing.raster import Box
from referee.console.drawing.shapes import cross
from referee.console.drawing.type import HEADLINE, HEADLINES, OPTIONS, SHOUT, STATUS, TIGHT, TOTALS
from referee.console.views import Cell, Count, Dice, Grid, Question, Rows, Ruling

_TYPES = (SHOUT, HEADLINE, TOTALS, OPTIONS, TIGHT, STATUS)
_BODY = 14
"""First row under the band."""
_NUMBER = 22
"""Columns of the number of an option."""


def _large(canvas: Canvas, box: Box, text: str, *, ink: int = 1) -> Box | None:
    """Draw a text in the largest type in which it fits, in lines, in the middle of a box."""
    return canvas.paragraph(box, text, _TYPES, align="centre", ink=ink)


def cells(canvas: Canvas, view: Grid | Rows) -> None:
    """Draw the lit option with its number; the question while none is lit."""
    rest = canvas.heading(view.band, (view.page, view.pages))
    if view.lit is None:
        canvas.answer(_large(canvas, (1, _BODY, WIDTH - 1, HEIGHT), view.question or view.band.right))
    else:
        _option(canvas, view.cells[view.lit], view.lit + 1)
    canvas.answer(rest)


def question(canvas: Canvas, view: Question) -> None:
    """Draw the sentence while nothing is lit, else what Select sends."""
    rest = canvas.heading(view.band)
    if view.lit is None:
        canvas.answer(_large(canvas, (1, _BODY, WIDTH - 1, HEIGHT), view.text))
    else:
        _option(canvas, view.cells[view.lit], view.lit + 1)
    canvas.answer(rest)


def _option(canvas: Canvas, cell: Cell, number: int) -> None:
    box = (0, _BODY, _NUMBER, HEIGHT)
    if cell.barred:
        canvas.frame(box)
    else:
        canvas.fill(box)
    canvas.into(box, str(number), HEADLINES, ink=int(cell.barred))
    room = (_NUMBER + 3, _BODY, WIDTH - 1 - 10 * (cell.barred or cell.chosen), HEIGHT)
    long = cell.short and not any(fills(room, cell.text, each) for each in _TYPES[:4])
    canvas.answer(_large(canvas, room, cell.short if long else cell.text))
    if cell.barred:
        canvas.stamp(cross(), WIDTH - 8, _BODY + 20)
    elif cell.chosen:
        canvas.into((WIDTH - 10, _BODY, WIDTH, HEIGHT), "✓", (OPTIONS,))


def count(canvas: Canvas, view: Count) -> None:
    """Draw the number, and in the foot what it counts."""
    canvas.answer(canvas.heading(view.band))
    value = "?" if view.value is None else str(view.value)
    canvas.answer(canvas.into((0, _BODY, WIDTH, RULE - 1), value, (SHOUT,)))
    if view.barred:
        canvas.stamp(cross(), WIDTH - 16, 28)
    canvas.foot(view.foot_left, f"{view.low}\N{EN DASH}{view.high}")


def dice(canvas: Canvas, view: Dice) -> None:
    """Draw the faces keyed so far as digits, a dot for each to come; before the first what is needed."""
    rest = canvas.heading(view.band)
    body = (1, _BODY, WIDTH - 1, RULE - 1)
    if any(view.faces) or not view.need:
        faces = " ".join("?" if i in view.doubts else str(face or "·") for i, face in enumerate(view.faces))
        canvas.answer(canvas.into(body, faces, HEADLINES))
    else:
        canvas.answer(_large(canvas, body, f"{view.need} {view.need_note}".strip()))
    canvas.answer(rest)
    canvas.foot(view.foot_left, view.foot_right, view.bar)


def ruling(canvas: Canvas, view: Ruling) -> None:
    """Draw the headline alone, inverse if something changed; what the players do now comes in its place."""
    if view.changed:
        canvas.fill((0, 0, WIDTH, HEIGHT))
    text = ". ".join((view.headline, *view.to_do))
    canvas.answer(_large(canvas, (2, 1, WIDTH - 2, HEIGHT - 1), text, ink=int(not view.changed)))
