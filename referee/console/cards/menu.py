"""The menu behind a hold of Back: undo, odds, log, the card that says otherwise, the judge, pause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from referee.console.cards.base import Page, fitting, note_pages
from referee.console.cards.cells import Deal, Item
from referee.console.drawing.screens import beside, problems
from referee.console.views import Band, Confirm, Count, Odds, View
from referee.rulebook import Assumed, Bar, Barred, OneOf, Range
from referee.rulebook import Odds as Chances
from referee.session import Prompt

if TYPE_CHECKING:
    from referee.console.console import Console

Action = Callable[[], None]


class ListPage(Page):
    """A page of cells, each with what it does; rows where a name is long, or always (``listed``). A bar says why."""

    for_judges: ClassVar[bool] = True
    listed: ClassVar[bool] = False

    def __init__(self, console: Console, band: Band, entries: list[tuple[Item, Action]]) -> None:
        super().__init__(console)
        self.band = band
        self.deal = Deal([item for item, _ in entries])
        self.actions = {item.id: action for item, action in entries}

    def view(self, bar: float | None) -> View:
        """Return the cells."""
        del bar
        rows = self.deal.rows(self.band)
        return rows if self.listed else fitting(self.deal.grid(self.band), rows)

    def die(self, number: int) -> None:
        """Do what stands under that key."""
        self._do(self.deal.press(number))

    def turn(self, steps: int) -> None:
        """Move."""
        self.deal.turn(steps)

    def click(self) -> None:
        """Do what is lit."""
        self._do(self.deal.lit)

    def _do(self, item: Item | None) -> None:
        if item is None:
            return
        if item.bar is not None:
            self.console.explain("Not now", item.bar.text, item.bar.code, "any key")
        else:
            self.console.sound("key")
            self.actions[item.id]()


ROOM = 16
"""Letters of a row that fit beside a page mark, whichever they are."""


class LongPage(ListPage):
    """A page of long names, a row each."""

    listed = True


def _item(id_: str, text: str, why_not: str = "", short: str = "") -> Item:
    return Item(id_, text, short, Bar("menu", why_not) if why_not else None)


def menu_page(console: Console) -> ListPage:
    """Return the menu for the table as it stands."""
    table = console.table
    prompt = table.prompt
    return ListPage(
        console,
        Band("Menu", "hold Back"),
        [
            (_item("undo", "Undo", "" if table.undoable else "Nothing has been accepted yet"), console.undo),
            (_item("odds", "Odds", "" if console.odds() else "No throw with odds is asked now"), console.open_odds),
            (_item("log", "Log"), console.open_log),
            (
                _item("card", "Card", "" if overridable(prompt) else "Nothing is barred here"),
                lambda: console.lay(card_page(console)),
            ),
            (_item("judge", "Judge"), lambda: console.lay(judge_page(console))),
            (_item("pause", "Pause", "" if prompt else "The game is over"), console.pause),
        ],
    )


def overridable(prompt: Prompt | None) -> tuple[Barred, ...]:
    """Return what is barred now, but could be taken because a card says otherwise."""
    if prompt is None or prompt.kind not in ("choose", "count"):
        return ()
    return tuple(entry for entry in prompt.barred if not entry.bar.firm and not entry.bar.aside)


def card_page(console: Console) -> ListPage:
    """Return what is barred now and could be taken because a card says otherwise."""
    prompt = console.table.prompt
    barred = overridable(prompt)

    def entry_of(entry: Barred) -> tuple[Item, Action]:
        def override() -> None:
            assert prompt is not None
            console.override(prompt, int(entry.option.id) if prompt.kind == "count" else entry.option.id)

        page = ConfirmPage(console, "Card says", f"{entry.option.text} in spite of {entry.bar.code}", override)
        return Item(entry.option.id, entry.option.text, entry.option.short), lambda: console.lay(page)

    return ListPage(console, Band("Card", "says"), [entry_of(entry) for entry in barred])


def judge_page(console: Console) -> ListPage:
    """Return what only a judge should do; each takes a hold of one second."""
    table = console.table
    stands = bool(table.prompt and table.prompt.stands)
    seat = table.prompt.seat if table.prompt else ""
    may_concede = seat in table.seats() and not table.over
    return ListPage(
        console,
        Band("Judge"),
        [
            (
                _item("set", "Set", "" if table.game.correctable else "Nothing is counted here"),
                lambda: console.lay(set_page(console)),
            ),
            (
                _item("re-roll", "Re-roll", "" if stands else "No earlier throw stands here"),
                lambda: console.lay(
                    ConfirmPage(console, "Re-roll", "The throw that stands is thrown anew", console.reroll)
                ),
            ),
            (
                _item("concede", "Concede", "" if may_concede else "No seat is asked", "Give up"),
                lambda: console.lay(
                    ConfirmPage(console, "Concede", f"{console.seat_name(seat)} gives up", console.concede)
                ),
            ),
            (
                _item("leave", "Leave"),
                lambda: console.lay(
                    ConfirmPage(console, "Leave", "Back to the shelf; the game is kept", console.leave)
                ),
            ),
            (
                _item("panel", "Panel", "" if console.let_in() else "No browser was let in"),
                lambda: console.lay(panel_page(console)),
            ),
        ],
    )


def panel_page(console: Console) -> ConfirmPage:
    """Return what sends every browser of the network away."""
    count = console.let_in()
    who = "The browser that was" if count == 1 else f"All {count} browsers"
    return ConfirmPage(console, "Panel", f"{who} let in: put out", console.put_out)


def set_page(console: Console) -> LongPage:
    """Return the counters the judge can set, each with its value."""

    def entry(path: str, limits: Range | OneOf) -> tuple[Item, Action]:
        value = console.table.game.read(path)
        name = limits.name or name_of(path)
        short = f"{name.rpartition(' ')[2]}: {shown(value)}"
        item = Item(path, f"{name}: {shown(value)}", short if len(short) <= ROOM else shown(value))
        return item, lambda: console.lay(SetPage(console, path, limits, value))

    return LongPage(
        console,
        Band("Judge", "set"),
        [entry(path, limits) for path, limits in console.table.game.correctable.items()],
    )


def name_of(path: str) -> str:
    """Return a path as people read it.

    >>> name_of("pools.man-orc"), name_of("elven_stay.3")
    ('man orc', 'elven stay 3')
    """
    head, _, last = path.rpartition(".")
    name = f"{head} {last}" if last.isdigit() else last
    return name.replace("_", " ").replace("-", " ").replace(".", " ")


def shown(value: Any) -> str:
    """Return a value as people read it."""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    return str(value)


class SetPage(Page):
    """Set one counter: turn to the value, hold Select."""

    for_judges: ClassVar[bool] = True

    def __init__(self, console: Console, path: str, limits: Range | OneOf, value: Any) -> None:
        super().__init__(console)
        self.path = path
        self.before = value
        self.values = tuple(range(limits.low, limits.high + 1)) if isinstance(limits, Range) else limits.values
        self.limits = limits
        self.at = self.values.index(value) if value in self.values else 0

    @property
    def name(self) -> str:
        """What people call it."""
        return self.limits.name or name_of(self.path)

    @property
    def value(self) -> Any:
        """The value that would be set."""
        return self.values[self.at]

    @property
    def fills(self) -> str:
        """Setting takes a hold."""
        return "select"

    def view(self, bar: float | None) -> View:
        """Return the number, or the named value."""
        hint = f"was {shown(self.before)}"
        if isinstance(self.limits, Range) and bar is None:
            low, high = self.values[0], self.values[-1]
            bands = (Band(self.name, "set"), Band(self.name))
            return fitting(*(Count(band, self.value, low, high, hint, "hold: set") for band in bands))
        return Confirm(self.name, f"{shown(self.value)} ({hint})", bar)

    def die(self, number: int) -> None:
        """Set the number under that key, where it is one of the values."""
        if isinstance(self.limits, Range) and number in self.values:
            self.at = self.values.index(number)

    def turn(self, steps: int) -> None:
        """Go through the values."""
        self.at = max(0, min(len(self.values) - 1, self.at + steps))

    def long_hold(self) -> None:
        """Set it."""
        self.console.correct(self.path, self.value)


class ConfirmPage(Page):
    """Something that cannot be done by a stray press: hold Select for a second."""

    for_judges: ClassVar[bool] = True

    def __init__(self, console: Console, title: str, text: str, action: Action) -> None:
        super().__init__(console)
        self.title = title
        self.text = text
        self.action = action

    @property
    def fills(self) -> str:
        """Confirming takes a hold."""
        return "select"

    def view(self, bar: float | None) -> View:
        """Return what would be done, and the filling bar."""
        return Confirm(self.title, self.text, bar)

    def long_hold(self) -> None:
        """Do it."""
        self.console.sound("key")
        self.action()


READABLE = 6
"""Characters of the longest fraction worth reading; beyond that all chances of a page are told in per cent."""


def _four_at_a_time(band: Band, rows: tuple[tuple[str, float, str], ...], side: tuple[str, ...]) -> Iterator[Odds]:
    for start in range(max(1, len(rows) - 3)):
        yield Odds(band, rows[start : start + 4], side)


class OddsPage(Page):
    """Exact odds as bars: of the throw that is asked, or of how it will all come out."""

    def __init__(self, console: Console, odds: Chances, assumed: Assumed) -> None:
        """``assumed``: what the chances take for granted, told in the band and on a page behind them."""
        super().__init__(console)
        of_36 = "of 36" if all(c.out_of_36.endswith("/36") for c in odds) else ""
        band = Band(assumed.short or "Odds", "turn ▶" if assumed.text else of_36)
        side = beside((assumed.text,))
        rows = tuple((c.text, float(c.chance), c.out_of_36) for c in odds)
        self.views: list[View] = list(_four_at_a_time(band, rows, side))
        if any(len(c.out_of_36) > READABLE for c in odds) or any(problems(page) for page in self.views):
            rows = tuple((c.text, float(c.chance), c.percent) for c in odds)
            self.views = list(_four_at_a_time(band, rows, side))
        if assumed.text:
            self.views += note_pages("Assumed", assumed.text)
        self.at = 0

    def view(self, bar: float | None) -> View:
        """Return up to four outcomes at a time, then what they take for granted."""
        del bar
        return self.views[self.at]

    def turn(self, steps: int) -> None:
        """Move through more than four outcomes; past either end the page closes."""
        at = self.at + steps
        if 0 <= at < len(self.views):
            self.at = at
        else:
            self.back()

    def click(self) -> None:
        """Close."""
        self.back()

    def die(self, number: int) -> None:
        """Close; the face is not taken, it was pressed on another page."""
        del number
        self.back()
