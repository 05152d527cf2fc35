"""The shelf: which game, a whole one or a single ruling, and its switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.console.cards.base import Card
from referee.console.cards.cells import Deal, Item
from referee.console.cards.menu import ListPage, panel_page
from referee.console.desk import Unfinished
from referee.console.views import Band, View
from referee.rulebook import Book, Switch

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.console.console import Console


class ShelfCard(Card):
    """The games of the box; with one game only, what it offers at once."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self.books = tuple(console.desk.books())
        self.deal = Deal([Item(book.id, book.title, book.short) for book in self.books])

    def view(self, bar: float | None) -> View:
        """Return the list of games."""
        del bar
        return self.deal.rows(Band("Referee", "which game?"))

    def die(self, number: int) -> None:
        """Open that game."""
        self._open(self.deal.press(number))

    def turn(self, steps: int) -> None:
        """Move."""
        self.deal.turn(steps)

    def click(self) -> None:
        """Open the lit game."""
        self._open(self.deal.lit)

    def menu(self) -> None:
        """Without a game there is only this to do."""
        if self.console.let_in():
            self.console.lay(panel_page(self.console))

    def _open(self, item: Item | None) -> None:
        if item is not None:
            self.console.sound("key")
            book = next(b for b in self.books if b.id == item.id)
            self.console.open_book(book)


def book_page(console: Console, book: Book) -> ListPage:
    """Return what a book offers: its single rulings, a new game, and the games left before their end."""
    entries: list[tuple[Item, Callable[[], None]]] = []

    def ruling(name: str) -> None:
        settings = book.settings({})
        entries.append(
            (Item(name, name.replace("-", " ").capitalize()), lambda: console.begin(book, settings, name)),
        )

    def resume(left: Unfinished) -> None:
        entries.append((Item(left.id, f"Resume {left.where}", "Resume"), lambda: console.take_up(left.id)))

    if book.play is not None:
        entries.append((Item("play", "New game", "New"), lambda: console.lay(switch_page(console, book))))
    for name in book.rulings:
        ruling(name)
    for left in console.desk.unfinished():
        if left.title == book.title:
            resume(left)
    return ListPage(console, Band(book.short or book.title), entries[:11])


class SwitchPage(ListPage):
    """The readings of the rules this table plays by; a key goes to the next value, the first one starts."""

    listed = True

    def __init__(self, console: Console, book: Book) -> None:
        self.book = book
        self.settings: dict[str, Any] = book.settings({})
        self._deal_again(console)

    def _deal_again(self, console: Console) -> None:
        at = (self.deal.cursor or 0) if hasattr(self, "deal") else 0
        entries: list[tuple[Item, Callable[[], None]]] = [(Item("start", "Start"), self._start)]
        entries += [self._entry(switch) for switch in self.book.switches]
        super().__init__(console, Band("New game", "switches"), entries)
        self.deal.light(at)

    def _entry(self, switch: Switch) -> tuple[Item, Callable[[], None]]:
        value = self.settings[switch.name]
        mark = switch.says(value)
        return Item(
            switch.name, f"{switch.label} {mark}", switch.short and f"{switch.short} {mark}"
        ), lambda: self._next(switch)

    def _next(self, switch: Switch) -> None:
        values = switch.values
        here = values.index(self.settings[switch.name])
        self.settings[switch.name] = values[(here + 1) % len(values)]
        self._deal_again(self.console)

    def _start(self) -> None:
        self.console.begin(self.book, self.settings, None)


def switch_page(console: Console, book: Book) -> SwitchPage:
    """Return the switches of a new game."""
    return SwitchPage(console, book)
