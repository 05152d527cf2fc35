"""From a view to the picture on the glass.

>>> from referee.console.views import Idle
>>> draw(Idle("Sauron", "Attack"))[0].size
(128, 64)
>>> problems(Idle("Sauron of the Dark Tower, Lord of Mordor"))
["'Sauron of the Dark Tower, Lord of Mordor': 246 px wide, room for 126"]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from referee.console import views
from referee.console.drawing import cells, dice, large, pages
from referee.console.drawing.draw import PAGE_LINES, Canvas, flow
from referee.console.drawing.raster import Box
from referee.console.drawing.type import STATUS, TIGHT
from referee.console.views import Notice, View, Why
from referee.rulebook import Short, whole

if TYPE_CHECKING:
    from PIL import Image

V = TypeVar("V", bound=View)

SMALL = (128, 64)
LARGE = (256, 64)
SIZES = (SMALL, LARGE)
"""The glasses, columns by rows. The larger one shows the picture of the smaller one in its middle."""

_DRAWN: dict[type, Callable[[Canvas, Any], None]] = {
    views.Grid: cells.grid,
    views.Rows: cells.rows,
    views.Question: cells.question,
    views.Dice: dice.dice,
    views.Count: dice.count,
    views.Ruling: dice.ruling,
    views.Why: pages.why,
    views.Refusal: pages.refusal,
    views.Idle: pages.idle,
    views.Notice: pages.notice,
    views.Odds: pages.odds,
    views.Confirm: pages.confirm,
    views.Code: pages.code,
}

_ENLARGED: dict[type, Callable[[Canvas, Any], None]] = {
    views.Grid: large.cells,
    views.Rows: large.cells,
    views.Question: large.question,
    views.Dice: large.dice,
    views.Count: large.count,
    views.Ruling: large.ruling,
}


def fitting_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the drawing, in pixels, for a display of this size."""
    return size if size in SIZES else SMALL


def draw(view: View, size: tuple[int, int] = SMALL) -> tuple[Image.Image, tuple[Box, ...]]:
    """Return a view as a 1-bit image of Pillow, and the parts of it that may answer the press; see `compose`."""
    canvas = compose(view, size)
    return canvas.image(), tuple(canvas.answers)


def problems(view: View, size: tuple[int, int] = SMALL, *, enlarged: bool = False) -> list[str]:
    """Say what of the view's text the reader will not see: cut, without a glyph, or lost for want of lines."""
    return compose(view, size, enlarged=enlarged).problems


def fitting(*views: V) -> V:
    """Return the first view that loses nothing on the small glass, the last one if all do."""
    for view in views[:-1]:
        if not problems(view):
            return view
    return views[-1]


def legible(text: str) -> str:
    """Return a text from outside, of a damaged file say, with "?" for what has no glyph.

    >>> legible("Éomer ☠")
    'Éomer ?'
    """
    for char in {*STATUS.missing(text), *TIGHT.missing(text)}:
        text = text.replace(char, "?")
    return text


def note_pages(rule: str, text: str, seat: str = "") -> list[View]:
    """Return a rule or reminder as pages to read: one in large type if it fits, else several.

    ``seat``: who is asked meanwhile.
    """
    one = Notice(rule, text, seat=seat)
    if not problems(one):
        return [one]
    sheets = paginate((text,))
    return [Why(number, len(sheets), "", lines, title=rule, seat=seat) for number, lines in enumerate(sheets)]


def paginate(lines: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Share lines out to pages of `Why`, as much on each as can be wrapped there; at least one page.

    What stands on one page of a line is one text, so that it is read out without a stop wherever it is wrapped. Its
    whole words are those of the line; on a page that has others they are left out where the line only goes on.
    """
    split = [(number, part) for number, line in enumerate(lines) for part in flow((line,)).lines]
    sheets = [split[at : at + PAGE_LINES] for at in range(0, max(1, len(split)), PAGE_LINES)]
    pages, begun = [], -1
    for sheet in sheets:
        texts = {number: " ".join(part for _, part in parts) for number, parts in groupby(sheet, itemgetter(0))}
        goes_on = len(texts) > 1 and begun in texts
        pages.append(
            tuple(Short(text, "" if goes_on and n == begun else whole(lines[n])) for n, text in texts.items())
        )
        begun = max(texts, default=begun)
    return tuple(pages)


# Whether a view fits is asked just before it is drawn, and that is the same work.
@lru_cache(maxsize=8)
def compose(view: View, size: tuple[int, int], *, enlarged: bool = False) -> Canvas:
    """Return a view as a picture, and with it the parts of it that may answer the press.

    ``enlarged``: to be read from 1.5 m, one thing at a time.

    A part is (left, upper, right, lower), the last two exclusive. The first that changed answers, and is sent first.
    The title comes first, for it tells a new question from the one before; where it stays, the lit cell, the die
    keyed last, the number or the text. Of a headline they are the first letters, as many as a bus carries at once.
    There are none when nothing is shown. Raises ValueError for another size.
    """
    if tuple(size) not in SIZES:
        raise ValueError(f"size is {size}: expected one of {SIZES}")
    canvas = Canvas(*size)
    if isinstance(view, views.Blank):
        return canvas
    if size == LARGE:
        inner, left = compose(view, SMALL, enlarged=enlarged), (LARGE[0] - SMALL[0]) // 2
        canvas.stamp(inner, left, 0)
        canvas.problems += inner.problems
        canvas.answers += [(box[0] + left, box[1], box[2] + left, box[3]) for box in inner.answers]
    else:
        (_ENLARGED if enlarged and type(view) in _ENLARGED else _DRAWN)[type(view)](canvas, view)
    return canvas
