"""Cells under the die keys: pages of six, and the ring the encoder walks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.console.views import Band, Cell, Grid, Pick, Question, Rows
from referee.rulebook import Bar

KEYS = 6


class Item(NamedTuple):
    """One thing under a die key: an option, or a bundle (``extra``)."""

    id: str
    text: str
    short: str = ""
    bar: Bar | None = None
    extra: bool = False


class Deal:
    """Items dealt out over pages of six keys, and the cursor.

    With more than six items every page holds five and the sixth key turns the page, so a number never moves.
    The cursor walks a ring: the default first, then the others in their order, the passing item last, so that
    ending a phase is one detent *before* the default and never under a stray click.
    """

    def __init__(
        self, items: Sequence[Item], default: str | None = None, passing: str | None = None, notes: int = 0
    ) -> None:
        """``notes``: so many pages to read lie on the ring just before the passing item; they answer nothing."""
        self.items = tuple(items)
        self.per_page = KEYS if len(self.items) <= KEYS else KEYS - 1
        self.pages = max(1, -(-len(self.items) // self.per_page))
        order = list(range(len(self.items)))
        first = next((i for i in order if self.items[i].id == default and self.items[i].bar is None), None)
        if first is None:
            first = next((i for i in order if self.items[i].bar is None and self.items[i].id != passing), 0)
        ring = order[first:] + order[:first]
        ends = [i for i in ring[1:] if self.items[i].id == passing]
        self._ring = [i for i in ring if i not in ends] + [-1 - n for n in range(notes)] + ends
        self._at = 0

    @property
    def note(self) -> int | None:
        """The page to read that is on the glass, None while an item is lit."""
        here = self._ring[self._at]
        return -1 - here if here < 0 else None

    @property
    def cursor(self) -> int:
        """Index of the lit item, or of the first one while a page is read."""
        return max(0, self._ring[self._at])

    @property
    def lit(self) -> Item | None:
        """The lit item: what Select sends; None while a page is read."""
        return self.items[self.cursor] if self.note is None else None

    @property
    def page(self) -> int:
        """The page of cells on the glass: the one with the lit item."""
        return self.cursor // self.per_page

    def turn(self, steps: int) -> None:
        """Walk the ring."""
        self._at = (self._at + steps) % len(self._ring)

    def press(self, number: int) -> Item | None:
        """Return the item under a die key of this page; the sixth key of many turns the page and returns None."""
        if self.pages > 1 and number == KEYS:
            start = (self.page + 1) % self.pages * self.per_page
            self.light(next((i for i in self._page_of(start) if self.items[i].bar is None), start))
            return None
        index = self.page * self.per_page + number - 1
        if number > self.per_page or index >= len(self.items):
            return None
        self.light(index)
        return self.items[index]

    def light(self, index: int) -> None:
        """Put the cursor on an item."""
        self._at = self._ring.index(index)

    def cells(self, chosen: Sequence[str] = ()) -> tuple[Cell, ...]:
        """Return the cells of the page on the glass."""
        shown = [
            Cell(item.text, item.short, item.bar is not None, item.id in chosen, item.extra)
            for item in (self.items[i] for i in self._page_of(self.page * self.per_page))
        ]
        if self.pages > 1:
            shown += [Cell("")] * (self.per_page - len(shown))
            shown.append(Cell("more", extra=True))
        return tuple(shown)

    def grid(self, band: Band, side: tuple[str, ...] = (), text: str = "") -> Grid | Rows | Question:
        """Return one or two items under the sentence they answer, three as a list, more as a grid."""
        lit = self.cursor % self.per_page
        if text and len(self.items) <= 2:
            return Question(band, text, self.cells(), lit, side)
        if len(self.items) <= 3:
            return Rows(band, self.cells(), lit, side=side)
        return Grid(band, self.cells(), lit, self.page, self.pages, side)

    def rows(self, band: Band) -> Rows:
        """Return the page as a list of full lines, three of which stand on the glass."""
        return Rows(band, self.cells(), self.cursor % self.per_page, self.page, self.pages)

    def pick(self, band: Band, chosen: Sequence[str], count: str, side: tuple[str, ...] = ()) -> Pick:
        """Return the page with the picked cells marked."""
        return Pick(band, self.cells(chosen), self.cursor % self.per_page, count, self.page, self.pages, side)

    def _page_of(self, start: int) -> range:
        return range(start, min(start + self.per_page, len(self.items)))
