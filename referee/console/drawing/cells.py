"""Numbered cells: grids, lists and picks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.console.drawing.draw import BODY, WIDTH, Canvas, Set, fit
from referee.console.drawing.glyphs import symbol
from referee.console.drawing.shapes import cross, number_box
from referee.console.drawing.type import BARRED_CELLS, CELLS, OPTIONS, STATUS, TIGHT, Strike
from referee.console.views import ROWS, Cell, Grid, Question, Rows

TOP = 16
TALL = 16
"""Uppermost row of the cells and rows of one: both on the pages of the controllers, which are 8 rows high, so that
moving the light changes two pages a cell and not three."""
_TAB = 8
"""Columns of the number."""
_PEN = 9
"""Column of a cell where its text begins."""


def grid(canvas: Canvas, view: Grid) -> None:
    """Draw two columns of three cells."""
    rest = canvas.heading(view.band, (view.page, view.pages))
    _cells(canvas, view.cells, view.lit, _Lay(WIDTH // 2, ticks=view.ticks))
    canvas.answer(rest)


def rows(canvas: Canvas, view: Rows) -> None:
    """Draw one column of three cells, and a mark where there are more above or below."""
    rest = canvas.heading(view.band, (view.page, view.pages))
    hidden = len(view.cells) > ROWS
    lay = _Lay(WIDTH - 9 if hidden else WIDTH)
    _cells(canvas, view.cells, view.lit, lay, view.first)
    canvas.answer(rest)
    if hidden:
        mark = symbol("▲" if view.first else "▼", TIGHT.cap)
        assert mark is not None
        y = TOP + 4 if view.first else TOP + 3 * TALL - mark.height - 4
        canvas.stamp(mark, WIDTH - mark.width - 1, y)


def question(canvas: Canvas, view: Question) -> None:
    """Draw a sentence, and under it one wide cell or two."""
    rest = canvas.heading(view.band)
    top = TOP + 2 * TALL
    canvas.answer(canvas.paragraph((2, BODY, WIDTH - 2, top - 1), view.text, (TIGHT, STATUS)))
    _cells(canvas, view.cells, view.lit, _Lay(WIDTH // len(view.cells), top=top))
    canvas.answer(rest)


class _Lay(NamedTuple):
    """What the cells of one screen share.

    Columns of a cell, uppermost row, indent of the text, room for a tick.
    """

    wide: int
    top: int = TOP
    indent: int = _PEN
    ticks: bool = False

    def room(self, cell: Cell) -> int:
        """Columns for the text; the last but one stays clear inside a lit cell, the last between two cells."""
        tick = cell.chosen or (self.ticks and not cell.barred)
        marks = 7 * cell.barred + 9 * tick + 6 * cell.extra
        return self.wide - 2 - self.indent - marks


def _cells(canvas: Canvas, cells: Sequence[Cell], lit: int | None, lay: _Lay, first: int | None = None) -> None:
    """Draw the cells; `first` is the uppermost of a list, None for a grid.

    Labels of one screen share a strike, the largest in which every label fits (unless one needs the smallest), and
    stand up to two pixels further from their numbers when all of them can.
    """
    rooms = [lay.room(cell) for cell in cells]
    fitted = [_label(canvas, cell, room) for cell, room in zip(cells, rooms, strict=True)]
    caps = [label.strike.cap for label, cell in zip(fitted, cells, strict=True) if not cell.barred]
    shared = OPTIONS if all(cap == OPTIONS.cap for cap in caps) else TIGHT
    labels = [
        # The tight strike is spaced wider, so what just fits in the larger one may not fit in it.
        Set(text, shared if not cell.barred and strike.cap > shared.cap and shared.width(text) <= room else strike)
        for (text, strike), cell, room in zip(fitted, cells, rooms, strict=True)
    ]
    spare = [room - label.strike.width(label.text) for room, label in zip(rooms, labels, strict=True)]
    lay = lay._replace(indent=lay.indent + max(0, min(2, *spare, 2)))
    for index, (cell, label) in enumerate(zip(cells, labels, strict=True)):
        if not cell.text:  # a key without a meaning on this page
            continue
        if first is None:
            corner = (index % 2 * lay.wide, lay.top + index // 2 * TALL)
        elif first <= index < first + ROWS:
            corner = (0, TOP + (index - first) * TALL)
        else:
            continue
        _cell(canvas, lay, corner, index + 1, cell, label, lit=index == lit)


def _label(canvas: Canvas, cell: Cell, room: int) -> Set:
    texts = [cell.text, cell.short] if cell.short else [cell.text]
    strikes: tuple[Strike, ...] = BARRED_CELLS if cell.barred else CELLS
    label = fit(texts, strikes, room)
    for text in texts:
        canvas.check(text, label.strike)
    width = label.strike.width(label.text)
    if width > room:
        canvas.problem(f"{label.text!r}: {width} px wide, room for {room}")
    return label


def _cell(
    canvas: Canvas, lay: _Lay, corner: tuple[int, int], number: int, cell: Cell, label: Set, *, lit: bool
) -> None:
    left, upper = corner
    right, lower = left + lay.wide, upper + TALL
    ink = 0 if lit else 1
    if lit:
        canvas.fill((left + _TAB, upper, right - 1, lower))
    elif cell.chosen:
        canvas.frame((left, upper, right - 1, lower))
    canvas.stamp(number_box(number, hollow=cell.barred, lit=lit), left, upper)
    baseline = upper + 7 + (label.strike.cap + 1) // 2
    canvas.text(left + lay.indent, baseline, label.text, label.strike, room=lay.room(cell), ink=ink)
    edge = right - 3
    if cell.barred:
        canvas.stamp(cross(), edge - 5, upper + 5, ink)
        edge -= 8
    for sign in "✓" * cell.chosen + "▶" * cell.extra:
        shape = symbol(sign, TIGHT.cap)
        assert shape is not None
        canvas.stamp(shape, edge - shape.width, upper + 12 - shape.height, ink)
        edge -= shape.width + 1
    if lit:
        canvas.answer((left, upper, right, lower))
