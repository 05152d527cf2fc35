"""The page of the clocks behind the menu: pause, all times, what a judge does with them; and flags that fell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from referee.clock.control import LONGEST
from referee.clock.words import clock_text
from referee.console.cards.lists import ConfirmPage, Item, ListPage, item
from referee.console.context import Context, TableCard
from referee.console.drawing.screens import paginate
from referee.console.stage import Page, RefusalCard
from referee.console.texts import Lines
from referee.console.views import Band, Cell, Grid, Idle, View, Why
from referee.rulebook import Short

REASONS: Final = ("Box fault", "Wrong seat", "Late start", "Penalty", "Extension", "Other")
"""Why a judge sets a clock; the journal keeps it."""

STEPS: Final = (-600_000, 600_000, -60_000, 60_000, -10_000, 10_000)
"""What the die keys add to a time, ms, as the cells lie; a detent is a second."""
DETENT: Final = 1000


def clock_page(context: Context) -> ListPage:
    """Return what can be done with the clocks of the game in progress."""
    table = context.table
    keeper = table.clocks.keeper
    without = "" if keeper.clocks is not None else "No clock is set"
    stop = ConfirmPage(context, "Clocks", "Remove the clocks", lambda: table.keep(keeper.stop))
    each = f"{table.clocks.settings.control.words} for each"
    begin = ConfirmPage(context, "Set clocks", each, lambda: table.keep(table.clocks.set))
    items = (
        item("pause", "Pause", table.pause, "" if table.prompt else "The game is over"),
        item("times", "Times", lambda: TimesPage(context), without),
        item("correct", "Correct", lambda: seats_page(context), without),
        item("set", "Set", lambda: begin),
        item("off", "Off", lambda: stop, without),
    )
    return ListPage(context, Band("Clock"), items)


class TimesPage(Lines, TableCard):
    """The clock of every seat, and which flag fell first."""

    @property
    def pages(self) -> Sequence[View]:  # type: ignore[override]
        clocks = self.table.clocks
        current = clocks.keeper.current
        lines = [
            f"{time.name} {clock_text(time.ms)}{' (runs)' * time.runs}{', flag down' * time.fallen}"
            for time in clocks.times()
        ]
        if current.first_fall is not None:
            lines.append(f"first flag: {self.table.seat_name(current.first_fall.seat)}")
        sheets = paginate(tuple(lines))
        words = current.control.words
        return [Why(n, len(sheets), words, sheet, "Clock", listed=True) for n, sheet in enumerate(sheets)]


def seats_page(context: Context) -> ListPage:
    """Return the seats, one of whose clocks is to be corrected."""
    seats = context.table.current.seats().items()
    items = (item(seat, name, partial(CorrectPage, context, seat)) for seat, name in seats)
    return ListPage(context, Band("Judge", "whose clock?"), items)


class CorrectPage(Page, TableCard):
    """Set a clock: the die keys add minutes and seconds, a detent is a second; Select asks why."""

    for_judges = True

    def __init__(self, context: Context, seat: str) -> None:
        super().__init__(context)
        self.seat_id = seat
        clocks = context.table.clocks
        self.name = context.table.seat_name(seat)
        self.ms = max(0, next(time.ms for time in clocks.times() if time.seat == seat))
        self.was = clock_text(self.ms)

    @property
    def text(self) -> str:
        return clock_text(self.ms)

    def view(self, bar: float | None) -> View:
        cells = tuple(Cell(("+" if step > 0 else "–") + _length(abs(step))) for step in STEPS)
        return Grid(Band(self.name, "", (f"{self.was} → {self.text}", self.text)), cells)

    def die(self, number: int) -> None:
        self.stage.sound("key")
        self._add(STEPS[number - 1])

    def turn(self, steps: int) -> None:
        self._add(steps * DETENT)

    def click(self) -> None:
        self.stage.sound("key")
        self.stage.push(reasons_page(self.context, self))

    def _add(self, ms: int) -> None:
        self.ms = max(0, min(LONGEST, self.ms + ms))


def _length(ms: int) -> str:
    return f"{ms // 60_000} min" if ms >= 60_000 else f"{ms // 1000} s"


def reasons_page(context: Context, page: CorrectPage) -> ListPage:
    """Return why a clock may be set; the last step is a hold."""
    keeper = context.table.clocks.keeper

    def each(reason: str) -> Item:
        def correct() -> None:
            context.table.keep(lambda at, by: keeper.correct(page.seat_id, page.ms, at, by, reason))

        text = f"{reason}: {page.was} → {page.text}"
        return item(reason, reason, lambda: ConfirmPage(context, page.name, text, correct))

    return ListPage(context, Band("Judge", "why?"), map(each, REASONS))


DOWN: Final = Short("flag down", "has no time left")


class FlagCard(RefusalCard):
    """A flag fell, and the game goes on: every key takes the card away and does nothing else."""

    def __init__(self, context: Context, seat: str) -> None:
        name = context.table.seat_name(seat)
        super().__init__(context.stage, name, "Flag down")
        self.flag_view = Idle(name, DOWN, "", "any key")
        self._seat = seat

    @property
    def wakes(self) -> str:
        """The lamp of the seat whose flag fell blinks; its button takes the card away, too."""
        return self._seat

    def view(self, bar: float | None) -> View:
        return self.flag_view
