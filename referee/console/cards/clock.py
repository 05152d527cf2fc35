"""The page of the clocks behind the menu: pause, all times, and what a judge does with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.clock import COMMON, NOBODY, Control
from referee.clock.control import LONGEST
from referee.clock.words import clock_text
from referee.console.cards.base import Page, fitting
from referee.console.cards.cells import Item
from referee.console.cards.menu import Action, ConfirmPage, ListPage, LongPage
from referee.console.host import Host
from referee.console.views import CLOCKS, Band, Cell, Clock, Clocks, Grid, View
from referee.rulebook import Bar, Short

REASONS: Final = ("Box fault", "Wrong seat", "Late start", "Penalty", "Extension", "Other")
"""Why a judge sets a clock; the journal keeps it."""

STEPS: Final = (-600_000, 600_000, -60_000, 60_000, -10_000, 10_000)
"""What the die keys add to a time, ms, as the cells lie; a detent is a second."""
DETENT: Final = 1000


def _item(id_: str, text: str, why_not: str = "", short: str = "") -> Item:
    return Item(id_, text, short, Bar("clock", why_not) if why_not else None)


class ClockPage(ListPage):
    """What can be done with the clocks, under the times of both seats."""

    def view(self, bar: float | None) -> View:
        """Return the cells."""
        self.band = Band("Clock", clock=self.host.table.clocks.all_in_a_line())
        return super().view(bar)


def clock_page(host: Host) -> ClockPage:
    """Return what can be done with the clocks of the game in progress."""
    table = host.table
    keeper = table.clocks.keeper
    without = "" if keeper.clocks is not None else "No clock is set"
    held = keeper.clocks.held if keeper.clocks is not None else 0
    stop = ConfirmPage(host, "Clocks", "Take the clocks away", lambda: table.keep(keeper.stop))
    return ClockPage(
        host,
        Band("Clock"),
        [
            (_item("pause", "Pause", "" if table.prompt else "The game is over"), table.pause),
            (_item("times", "Times", without), lambda: host.lay(TimesPage(host))),
            (_item("correct", "Correct", without), lambda: host.lay(seats_page(host))),
            (
                _item("whose", "Whose?", without or ("" if held else "No pause to charge")),
                lambda: host.lay(whose_page(host)),
            ),
            (_item("set", "Set"), lambda: host.lay(controls_page(host))),
            (_item("off", "Off", without), lambda: host.lay(stop)),
        ],
    )


class TimesPage(Page):
    """The clock of every seat, up to three on a page."""

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.page = 0

    @property
    def pages(self) -> int:
        """How many pages they take."""
        return -(-len(self.host.table.clocks.times()) // CLOCKS)

    def view(self, bar: float | None) -> View:
        """Return one page."""
        del bar
        clocks = self.host.table.clocks
        first = clocks.keeper.current.first_fall
        shown = clocks.times()[self.page * CLOCKS : (self.page + 1) * CLOCKS]
        rows = tuple(Clock(time.name, time.text, time.word, time.runs, time.fallen) for time in shown)
        words = clocks.keeper.current.control.words
        flag = f"first flag: {self.host.table.seat_name(first.seat)}" if first is not None else ""
        screen = Clocks(Band("Clock", words), rows, flag, page=self.page, pages=self.pages)
        return fitting(screen, replace(screen, band=Band("Clock"), foot_left=flag or words))

    def turn(self, steps: int) -> None:
        """Turn pages."""
        self.page = max(0, min(self.pages - 1, self.page + steps))

    def click(self) -> None:
        """Close."""
        self.back()


def controls_page(host: Host) -> LongPage:
    """Return the time controls that can be set; each takes a hold, for it begins all clocks anew."""
    clocks = host.table.clocks

    def entry(number: int, control: Control) -> tuple[Item, Action]:
        page = ConfirmPage(
            host,
            "Set clocks",
            f"{control.words} for each",
            lambda: host.table.keep(lambda at, by: clocks.set(control, at, by)),
        )
        return Item(str(number), control.words, control.mode), lambda: host.lay(page)

    return LongPage(
        host, Band("Clock", Short("set", "How much time?")), [entry(*each) for each in enumerate(clocks.controls)]
    )


def seats_page(host: Host) -> ListPage:
    """Return the seats, one of whose clocks is to be corrected."""

    def entry(seat: str, name: str) -> tuple[Item, Action]:
        return Item(seat, name), lambda: host.lay(CorrectPage(host, seat))

    seats = host.table.current.seats()
    return ListPage(host, Band("Judge", "whose clock?"), [entry(*each) for each in seats.items()])


class CorrectPage(Page):
    """Set a clock: the die keys add minutes and seconds, a detent is a second; Select asks why."""

    for_judges = True

    def __init__(self, host: Host, seat: str) -> None:
        super().__init__(host)
        self.seat_id = seat
        clocks = host.table.clocks
        self.name = host.table.seat_name(seat)
        self.ms = max(0, next(time.ms for time in clocks.times() if time.seat == seat))
        self.was = clock_text(self.ms, up=clocks.counts_up)

    @property
    def text(self) -> str:
        """The time that would be set."""
        return clock_text(self.ms, up=self.host.table.clocks.counts_up)

    def view(self, bar: float | None) -> View:
        """Return the time, and what each key adds."""
        del bar
        cells = tuple(Cell(("+" if step > 0 else "–") + _length(abs(step))) for step in STEPS)
        return Grid(Band(self.name, "", (f"{self.was} → {self.text}", self.text)), cells)

    def die(self, number: int) -> None:
        """Add what stands under that key."""
        self.host.sound("key")
        self._add(STEPS[number - 1])

    def turn(self, steps: int) -> None:
        """Add seconds."""
        self._add(steps * DETENT)

    def click(self) -> None:
        """Ask for the reason."""
        self.host.sound("key")
        self.host.lay(reasons_page(self.host, self))

    def _add(self, ms: int) -> None:
        self.ms = max(0, min(LONGEST, self.ms + ms))


def _length(ms: int) -> str:
    return f"{ms // 60_000} min" if ms >= 60_000 else f"{ms // 1000} s"


def reasons_page(host: Host, page: CorrectPage) -> ListPage:
    """Return why a clock may be set; the last step is a hold."""
    keeper = host.table.clocks.keeper

    def entry(reason: str) -> tuple[Item, Action]:
        def correct() -> None:
            host.table.keep(lambda at, by: keeper.correct(page.seat_id, page.ms, at, by, reason))

        text = f"{reason}: {page.was} → {page.text}"
        return Item(reason, reason), lambda: host.lay(ConfirmPage(host, page.name, text, correct))

    return ListPage(host, Band("Judge", "why?"), [entry(reason) for reason in REASONS])


def whose_page(host: Host) -> ListPage:
    """Return whose the time of the latest pause may have been."""
    keeper = host.table.clocks.keeper
    held = clock_text(keeper.current.held)

    def entry(whose: str, name: str) -> tuple[Item, Action]:
        def charge() -> None:
            host.table.keep(lambda at, by: keeper.charge(whose, at, by))

        return Item(whose or "nobody", name), lambda: host.lay(ConfirmPage(host, name, f"pays {held}", charge))

    whose = {**host.table.current.seats(), COMMON: "All", NOBODY: "Nobody"}
    return ListPage(host, Band("Judge", f"{held} is whose?"), [entry(*each) for each in whose.items()])
