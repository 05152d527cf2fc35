"""The primitives a screen is made of, on a canvas that remembers what did not fit.

Drawing and checking are one: whatever loses ink, letters or lines on the way to the glass is written down in
`Canvas.problems` by the very call that lost it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from referee.console.drawing.raster import Box, Raster
from referee.console.drawing.type import CLOSE, STATUS, Strike, Wrapped, cut, steady, wrap
from referee.console.views import Band

Align: TypeAlias = Literal["left", "centre", "right"]

WIDTH = 128
"""Columns of the frame every screen is laid out in; a wider glass has more to the right of it."""
HEIGHT = 64
BODY = 13
"""First row under the band."""
RULE = 51
"""Row of the line above the foot."""
PAGE = 8
"""Rows in one byte of most controllers; a change in one of them sends all."""
PROMPT = 192
"""Bytes of such pages that a part may take which answers the press: with its addressing they are on the glass after
5 ms on the slowest bus, I2C at 400 kHz with nine clocks a byte."""


class Set(NamedTuple):
    """Text in the strike it was found to fit."""

    text: str
    strike: Strike


class Canvas(Raster):
    """A screen being drawn.

    ``answers`` are the boxes of the parts that may answer the press, the most telling first: the first of them that
    changed is sent to the glass before the rest.
    """

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.problems: list[str] = []
        self.answers: list[Box] = []
        self.lifted = False

    def problem(self, text: str) -> None:
        """Record, once, a text that does not fit."""
        if text not in self.problems:
            self.problems.append(text)

    def answer(self, box: Box | None) -> None:
        """Name a part, by the box of its ink, as the next that may answer the press; of a long one its left end."""
        if box is not None:
            left, upper, right, lower = box
            most = PROMPT // (-(-lower // PAGE) - upper // PAGE)
            self.answers.append((left, upper, min(right, left + most), lower))

    def rule(self, y: int, thick: int = 1) -> None:
        """Draw a line across the frame."""
        self.fill((0, y, WIDTH, y + thick))

    def check(self, text: str, strike: Strike) -> None:
        """Write down the characters of `text` that have no glyph."""
        for char in strike.missing(text):
            self.problem(f"{text!r}: no glyph for {char!r} (U+{ord(char):04X})")

    def text(
        self,
        x: int,
        baseline: int,
        text: str,
        strike: Strike,
        *,
        room: int,
        align: Align = "left",
        ink: int = 1,
    ) -> Box | None:
        """Draw one line at most `room` pixels wide and return the box of its ink.

        `x` is the pen for left, the column after the last for right, the middle for centre. What is wider is cut
        with an ellipsis and written down.
        """
        if not text:
            return None
        self.check(text, strike)
        dx, dy, right, height, _ = strike.extent(text)
        if right > room:
            self.problem(f"{text!r}: {right} px wide, room for {room}")
            text = cut(text, strike, room)
            dx, dy, right, height, _ = strike.extent(text)
        mask = strike.mask(text)
        if mask is None:
            return None
        wide = right - dx
        left, top = x + dx, baseline + dy
        if align == "right":
            left = x - wide
        elif align == "centre":
            left = x - wide // 2
        box = (left, top, left + wide, top + height)
        if left < 0 or top < 0 or box[2] > self.width or box[3] > self.height:
            self.problem(f"{text!r}: runs off the glass")
        self.stamp(mask, left, top, ink)
        return box

    def into(
        self,
        box: Box,
        text: str,
        strikes: Sequence[Strike],
        *,
        align: Align = "centre",
        ink: int = 1,
    ) -> Box | None:
        """Draw one line in the largest strike whose ink fits `box`, its capitals centred between top and bottom."""
        left, upper, right, lower = box
        strike = next((s for s in strikes if holds(box, text, s)), strikes[-1])
        extent = strike.extent(text)
        baseline = upper + (lower - upper + strike.cap) // 2
        baseline = min(baseline, lower - extent.height - extent.dy)
        baseline = max(baseline, upper - extent.dy)
        x = {"left": left, "centre": (left + right + 1) // 2, "right": right}[align]
        return self.text(x, baseline, text, strike, room=right - left, align=align, ink=ink)

    def paragraph(
        self, box: Box, text: str, strikes: Sequence[Strike], *, align: Align = "left", ink: int = 1
    ) -> Box | None:
        """Draw `text` in lines in the largest strike in which it fits; return the box of the first line's ink.

        Lines that are lost are written down.
        """
        left, upper, right, lower = box
        width = right - left
        for strike in strikes:
            wrapped = wrap(text, strike, width)
            if fills(box, text, strike):
                break
        for word in wrapped.broken:
            self.problem(f"{word!r} is wider than {width} px")
        shown = self._keep(text, wrapped.lines, lines_in(lower - upper, strike), strike, width)
        tall = (len(shown) - 1) * strike.pitch + strike.cap
        slack = lower - upper - tall - strike.descent
        baseline = upper + strike.cap + max(0, slack) // 2
        x = (left + right) // 2 if align == "centre" else left
        boxes: list[Box | None] = []
        for line in shown:
            boxes.append(self.text(x, baseline, line, strike, room=width, align=align, ink=ink))
            baseline += strike.pitch
        return boxes[0] if boxes else None

    def _keep(self, text: str, lines: Sequence[str], most: int, strike: Strike, width: int) -> Sequence[str]:
        if len(lines) <= most:
            return lines
        self.problem(f"{text!r}: {len(lines)} lines, room for {most}")
        return [*lines[: most - 1], cut(f"{lines[most - 1]} {lines[most]}", strike, width)]

    def heading(self, band: Band, pages: tuple[int, int] = (0, 1)) -> Box | None:
        """Draw the inverse line on top: who, what, a time, and the page of (page, pages) when there are several.

        Who is the first to answer the press: it tells one question from another. Return the box of the rest.
        """
        tab, left, right = band.tab, band.left, band.right
        lead = Lead(tab, left)
        self.lifted = any(_rises(text, 10) for text in (tab, left, right))
        baseline = 10 + self.lifted
        self.fill((0, 0, WIDTH, 12 + self.lifted))
        edge, strike = WIDTH - 2, STATUS
        marks = (STATUS.width(right) + 4 if right else 0) + page_mark(*pages)
        if band.clock:
            text, strike = _beside(lead, band.clock, edge - 2 - marks - CLOCK_GAP)
            if text:
                wide = steady(text, STATUS)
                self.text(edge - wide, baseline, text, STATUS, room=wide, ink=0)
                edge -= wide + CLOCK_GAP
        if tab and lead.width(STATUS) > edge - 1 - marks:
            strike = CLOSE
        if pages[1] > 1:
            texts = lead.width(strike) + STATUS.width(right) + 16
            # "needs 1" beside "1/2" would read as one and a half.
            room = 0 if right[-1:].isdigit() else edge - texts
            edge = self._page(edge, baseline, *pages, room=room)
        marks = edge
        if right:
            box = self.text(edge, baseline, right, STATUS, room=edge - 2, align="right", ink=0)
            edge = marks = box[0] if box else edge
            edge -= 4
        self._lead(1, baseline, lead, strike, edge)
        return (marks, 0, WIDTH, 12 + self.lifted) if marks < WIDTH - 2 else None

    def _lead(self, x: int, baseline: int, lead: Lead, strike: Strike, edge: int) -> None:
        """Draw what the band begins with, from `x` to `edge`; a dark line parts the tab from the rest."""
        if lead.tab:
            self.answer(self.text(x, baseline, lead.tab, strike, room=edge - x, ink=0))
            x += lead.tab_width(strike)
            self.fill((x - 2, 0, x - 1, 12 + self.lifted), 0)
        self.answer(self.text(x, baseline, lead.text, strike, room=edge - x, ink=0))

    def _page(self, edge: int, baseline: int, page: int, pages: int, *, room: int) -> int:
        """Name the page, or mark it by one of up to four pips where there is no room; return what is left."""
        text = f"{page + 1}/{pages}"
        if pages > 4 or STATUS.width(text) <= room:
            box = self.text(edge, baseline, text, STATUS, room=60, align="right", ink=0)
            return box[0] - 5 if box else edge
        top = (12 - 3 * pages + 1) // 2
        for number in range(pages):
            y = top + 3 * number
            self.fill((edge - 5 if number == page else edge - 2, y, edge, y + 2), 0)
        return edge - 9

    def foot(self, left: str, right: str = "", bar: float | None = None) -> None:
        """Draw the line at the bottom under a rule; `bar` fills it from the left by inverting it."""
        if not left and not right and bar is None:
            return
        self.rule(RULE - (_rises(left, 10) or _rises(right, 10)))
        edge = WIDTH - 1
        if right:
            box = self.text(edge, 62, right, STATUS, room=edge - 1, align="right")
            edge = box[0] - 4 if box else edge
        self.answer(self.text(1, 62, left, STATUS, room=edge - 1))
        if bar is not None:
            self.invert((0, RULE + 1, round(WIDTH * bar), HEIGHT))

    def lines(self, lines: Sequence[str]) -> None:
        """Draw up to four lines of status type in the body, wrapped where they must be; the first may answer."""
        split = flow(lines)
        for word in split.broken:
            self.problem(f"{word!r} is wider than {WIDTH - 2} px")
        for line in split.lines[PAGE_LINES:]:
            self.problem(f"{line!r}: below the last line")
        for index, (baseline, line) in enumerate(zip(_LINES, split.lines, strict=False)):
            box = self.text(1, baseline, line, STATUS, room=WIDTH - 2)
            if index == 0:
                self.answer(box)


class Lead(NamedTuple):
    """What a band begins with: a tab, which may be empty, and a text."""

    tab: str
    text: str

    def width(self, strike: Strike) -> int:
        """Columns that both take."""
        return self.tab_width(strike) + strike.width(self.text)

    def tab_width(self, strike: Strike) -> int:
        """Columns that the tab takes, with what parts it from the text."""
        return strike.width(self.tab) + TAB_GAP if self.tab else 0


TAB_GAP = 4
"""Columns between the letters of a tab and where the text beside it begins: two, a dark one, and one more."""


def page_mark(page: int, pages: int) -> int:
    """Return the columns that the mark of a page takes at least: those of its pips, or of its number."""
    return 0 if pages < 2 else 9 if pages <= 4 else STATUS.width(f"{page + 1}/{pages}") + 5


CLOCK_GAP = 5
"""Columns left free before the time in the band."""


def _beside(lead: Lead, clock: Sequence[str], room: int) -> Set:
    """Return the time that fits into the band beside what stands there on the left, and the strike of that.

    The seconds are kept if the letters on the left can stand closer. What is asked is never cut for a time:
    if even the shortest text of it is too long, there is none.
    """
    tries = [*((text, STATUS) for text in clock[:-1]), *((text, CLOSE) for text in clock[-2:-1])]
    tries += [(clock[-1], STATUS), (clock[-1], CLOSE)]
    fitting = (Set(text, strike) for text, strike in tries if lead.width(strike) + steady(text, STATUS) <= room)
    return next(fitting, Set("", STATUS))


_LINES = (24, 37, 49, 62)
PAGE_LINES = len(_LINES)
"""Lines of status type on a page of reasons or log."""


def flow(lines: Sequence[str]) -> Wrapped:
    """Wrap lines of status type to the glass; one that fits keeps its spacing, an empty one stays."""
    width = WIDTH - 2
    out: list[str] = []
    broken: list[str] = []
    for line in lines:
        if STATUS.width(line) <= width:
            out.append(line)
        else:
            wrapped = wrap(line, STATUS, width)
            out.extend(wrapped.lines)
            broken.extend(wrapped.broken)
    return Wrapped(tuple(out), tuple(broken))


def holds(box: Box, text: str, strike: Strike) -> bool:
    """Tell whether the ink of `text` in `strike` is no wider and no taller than `box`."""
    extent = strike.extent(text)
    return extent.width <= box[2] - box[0] and max(extent.height, strike.cap) <= box[3] - box[1]


def fills(box: Box, text: str, strike: Strike) -> bool:
    """Whether `text`, wrapped in `strike`, fits `box` with no line lost and no word broken."""
    wrapped = wrap(text, strike, box[2] - box[0])
    return not wrapped.broken and len(wrapped.lines) <= lines_in(box[3] - box[1], strike)


def fit(texts: Sequence[str], strikes: Sequence[Strike], width: int) -> Set:
    """Return the first text in the largest strike no wider than `width`; the last in the smallest if none is."""
    for text in texts:
        for strike in strikes:
            if strike.width(text) <= width:
                return Set(text, strike)
    return Set(texts[-1], strikes[-1])


def lines_in(height: int, strike: Strike) -> int:
    """Return how many lines of `strike` fit in `height` rows, at least one."""
    return max(1, (height - strike.cap - strike.descent) // strike.pitch + 1)


def _rises(text: str, ascent: int) -> bool:
    """Whether accented capitals are higher than `ascent` rows above the baseline."""
    return bool(text) and STATUS.extent(text).dy < -ascent
