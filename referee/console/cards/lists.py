"""Cells under the die keys, and the pages that are made of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import ClassVar, Final, NamedTuple, TypeAlias

from referee.console.buttons import BACK, DO, Button
from referee.console.context import Context, TableCard
from referee.console.drawing.screens import fitting
from referee.console.stage import Card, Page
from referee.console.views import Band, Cell, Confirm, Grid, Question, Rows, View
from referee.rulebook import Bar

Action: TypeAlias = Callable[[], object]


def _nothing() -> None:
    """Do nothing."""


DIE_KEY_COUNT = 6
"""Keys 1 to 6."""
TURN = "turn"
"""What leads to an item that has no cell and is not lit."""
ROOM: Final = 16
"""Letters of a row of the glass that fit beside a page mark, whichever they are."""


class Item(NamedTuple):
    """One thing under a die key: an option, or a bundle (``extra``). ``does`` acts, or returns a page."""

    id: str
    text: str
    short: str = ""
    bar: Bar | None = None
    extra: bool = False
    does: Action = _nothing
    note: str = ""


def item(id_: str, text: str, does: Action, why_not: str = "", short: str = "", note: str = "") -> Item:
    """Return an item of a page that is barred where there is a reason; ``note``: what else a browser says of it."""
    return Item(id_, text, short, Bar("menu", why_not) if why_not else None, does=does, note=note)


class Deal:
    """Items dealt out over pages of six keys, and the cursor.

    With more than six items every page holds five and the sixth key turns the page, so a number never moves. The
    passing item is one of the five on every page, under the fifth key: wherever somebody looks, the end is in sight.
    The cursor walks a ring: the default first, then the others in their order, the passing item last, so that
    ending a phase is one detent *before* the default and never under a stray click. An item without a cell is named
    by the band while Select would send it: the pass where it is itself the default on a single page; and where there
    is one item too many for the keys the rare one, which then lies before the pass on the ring, or else the pass.
    """

    def __init__(
        self,
        items: Sequence[Item],
        default: str | None = None,
        passing: str | None = None,
        notes: Callable[[], int] = lambda: 0,
        rare: str | None = None,
        ending: str | None = None,
    ) -> None:
        """``notes``: so many pages to read lie on the ring just before what ends; they answer nothing.

        They are counted when the cursor is first moved: to lay them out takes longer than to draw the cells.
        ``ending``: what is on every page in place of the passing item.
        """
        self.items = tuple(items)
        ends = [i for i, item in enumerate(self.items) if item.id == passing]
        passes = bool(ends) and default == passing
        banded: list[int] = []
        if len(self.items) == DIE_KEY_COUNT + 1 and not passes:
            banded = [i for i, item in enumerate(self.items) if item.id == rare] or ends
            ends = list(dict.fromkeys((*banded, *ends)))
        elif passes and 1 < len(self.items) <= DIE_KEY_COUNT + 1:
            banded = ends
        lasting = [i for i, item in enumerate(self.items) if item.id == (ending or passing)]
        self._everywhere = lasting[0] if lasting and len(self.items) > DIE_KEY_COUNT + 1 else None
        self._dealt = [i for i in range(len(self.items)) if i not in banded and i != self._everywhere]
        self.per_page = DIE_KEY_COUNT if len(self._dealt) <= DIE_KEY_COUNT else DIE_KEY_COUNT - 1
        if self._everywhere is not None:
            self.per_page = DIE_KEY_COUNT - 2
        self.pages = max(1, -(-len(self._dealt) // self.per_page))
        self.page = 0  # of the cells on the glass
        self._notes: Callable[[], int] | None = notes
        self._ring = self._order(default, ends)
        self._ends_at = len(self._ring)
        self._ring += ends
        self._light(len(self._ring) - 1 if passes and len(self.items) > 1 else 0)

    def _order(self, default: str | None, ends: list[int]) -> list[int]:
        order = [i for i in range(len(self.items)) if i not in ends]
        first = next((i for i in order if self.items[i].id == default and self.items[i].bar is None), None)
        if first is None:
            first = next((i for i in order if self.items[i].bar is None), order[0] if order else 0)
        start = order.index(first) if order else 0
        return order[start:] + order[:start]

    @property
    def note(self) -> int | None:
        """The page to read that is on the glass, None while an item is lit."""
        here = self._ring[self._at] if self._ring else 0
        return -1 - here if here < 0 else None

    @property
    def lit(self) -> Item | None:
        """The lit item: what Select sends; None while a page is read, or where there is nothing."""
        return self.items[self._ring[self._at]] if self._ring and self.note is None else None

    @property
    def named(self) -> Item | None:
        """What Select sends while it has no cell: the band must name it."""
        lit, here = self.lit, self._ring[self._at] if self._ring else None
        return None if lit is None or here == self._everywhere or here in self._dealt else lit

    @property
    def cursor(self) -> int | None:
        """Where the lit item lies among those dealt out, None if it is not one of them."""
        here = self._ring[self._at] if self._ring else None
        return self._dealt.index(here) if here in self._dealt else None

    def _light(self, at: int) -> None:
        """Go to a place of the ring, and to the page with what is lit, unless that is on every page."""
        self._at = at
        if self.cursor is not None:
            self.page = self.cursor // self.per_page

    def turn(self, steps: int) -> None:
        if self._notes is not None:
            notes, self._notes = [-1 - number for number in range(self._notes())], None
            self._ring[self._ends_at : self._ends_at] = notes
            self._at += len(notes) if self._at >= self._ends_at else 0
        if self._ring:
            self._light((self._at + steps) % len(self._ring))

    def press(self, number: int) -> Item | None:
        """Return the item under a die key of this page; the sixth key of many turns the page and returns None."""
        if self.pages > 1 and number == DIE_KEY_COUNT:
            here = self._page_of((self.page + 1) % self.pages)
            self.light(next((i for i in here if self.items[i].bar is None), here[0]))
            return None
        if self._everywhere is not None and number == DIE_KEY_COUNT - 1:
            self.light(self._everywhere)
            return self.lit
        here = self._page_of(self.page)
        if number > len(here):
            return None
        self.light(here[number - 1])
        return self.items[here[number - 1]]

    def take(self, index: int) -> Item:
        self.light(index)
        return self.items[index]

    def buttons(self, chosen: Sequence[str] = ()) -> tuple[Button, ...]:
        """Return every item, on whichever page; its id is its place among all.

        What is on another page takes the sixth key once for each page between, and then its own.
        """
        keys: dict[int, str] = {}
        for away in range(self.pages):
            here = self._page_of((self.page + away) % self.pages)
            keys |= {index: f"{DIE_KEY_COUNT} " * away + str(number) for number, index in enumerate(here, 1)}
        if self._everywhere is not None:
            keys[self._everywhere] = str(DIE_KEY_COUNT - 1)
        if self.named is not None:
            keys[self.items.index(self.named)] = "Select"
        return tuple(
            Button(
                str(index),
                item.text,
                keys.get(index, TURN),
                item.bar,
                item.id in chosen,
                note=item.note,
                lit=item is self.lit,
            )
            for index, item in enumerate(self.items)
        )

    def light(self, index: int) -> None:
        self._light(self._ring.index(index))

    def leave_note(self) -> None:
        self._light(0)

    def cells(self, chosen: Sequence[str] = ()) -> tuple[Cell, ...]:
        shown = [self._cell(i, chosen) for i in self._page_of(self.page)]
        if self.pages > 1:
            shown += [Cell("")] * (self.per_page - len(shown))
            if self._everywhere is not None:
                shown.append(self._cell(self._everywhere, chosen))
            shown.append(Cell("more", extra=True))
        return tuple(shown)

    def _cell(self, index: int, chosen: Sequence[str]) -> Cell:
        item = self.items[index]
        return Cell(item.text, item.short, item.bar is not None, item.id in chosen, item.extra)

    @property
    def _lit_cell(self) -> int | None:
        if self._ring and self._ring[self._at] == self._everywhere:
            return DIE_KEY_COUNT - 2
        return None if self.cursor is None else self.cursor % self.per_page

    def grid(self, band: Band, question: str = "", text: str = "") -> Grid | Rows | Question:
        """Return one or two items under the sentence they answer, three as a list, more as a grid."""
        if text and 1 <= len(self._dealt) <= 2:
            return Question(band, text, self.cells(), self._lit_cell)
        if len(self._dealt) <= 3:
            return Rows(band, self.cells(), self._lit_cell, question=question)
        return Grid(band, self.cells(), self._lit_cell, self.page, self.pages, question)

    def rows(self, band: Band) -> Rows:
        return Rows(band, self.cells(), self._lit_cell, self.page, self.pages)

    def pick(self, band: Band, chosen: Sequence[str], question: str) -> Grid:
        return Grid(band, self.cells(chosen), self._lit_cell, self.page, self.pages, question, ticks=True)

    def _page_of(self, page: int) -> list[int]:
        return self._dealt[page * self.per_page : (page + 1) * self.per_page]


class DealtCard(Card):
    """Items under the die keys: a key or a browser takes one, the encoder moves, Select takes what is lit."""

    deal: Deal

    @abstractmethod
    def take(self, item: Item) -> None:
        """Do what is meant by an item, which may be barred."""

    @property
    def buttons(self) -> tuple[Button, ...]:
        return self.deal.buttons()

    def choose(self, number: int) -> None:
        self.take(self.deal.take(number))

    def die(self, number: int) -> None:
        item = self.deal.press(number)
        if item is not None:
            self.take(item)

    def turn(self, steps: int) -> None:
        self.deal.turn(steps)

    def click(self) -> None:
        if self.deal.lit is not None:
            self.take(self.deal.lit)


class ListCard(DealtCard, TableCard):
    """Cells, each with what it does; rows where a name is long, or always (``listed``). A bar says why."""

    listed: ClassVar[bool] = False

    def __init__(self, context: Context, band: Band, items: Iterable[Item]) -> None:
        super().__init__(context)
        self.band = band
        self.deal = Deal(tuple(items))

    def view(self, bar: float | None) -> View:
        rows = self.deal.rows(self.band)
        return rows if self.listed else fitting(self.deal.grid(self.band), rows)

    def take(self, item: Item) -> None:
        if item.bar is not None:
            self.stage.explain("Not now", item.bar.text, item.bar.code)
        else:
            self.stage.sound("key")
            page = item.does()
            if isinstance(page, Card):
                self.stage.push(page)


class ListPage(Page, ListCard):
    """Cells on a page over another card."""

    for_judges = True


class LongPage(ListPage):
    """A page of long names, a row each."""

    listed = True


class HeldPage(Page, TableCard):
    """A page for judges on which holding Select for a second does something."""

    for_judges = True

    @property
    def fills(self) -> str:
        return "select"

    @property
    def does(self) -> str:
        """What a browser's button for that says."""
        return "Yes"

    @property
    def buttons(self) -> tuple[Button, ...]:
        return Button(DO, self.does, "hold Select", held=True), Button(BACK, "No", "Back")


class ConfirmPage(HeldPage):
    """Something that cannot be done by a stray press: hold Select for a second."""

    def __init__(self, context: Context, title: str, text: str, action: Action) -> None:
        """``text``: what would be done."""
        super().__init__(context)
        self.shown = Confirm(title, text)
        self.action = action

    def view(self, bar: float | None) -> View:
        return replace(self.shown, bar=bar)

    def long_hold(self) -> None:
        self.stage.sound("key")
        self.action()
