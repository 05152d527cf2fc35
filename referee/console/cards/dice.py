"""Dice by Bluetooth, without a terminal: find, name, assign, blink and forget them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from referee.console.cards.base import Page
from referee.console.cards.cells import Item
from referee.console.cards.menu import Action, ConfirmPage, ListPage, LongPage
from referee.console.host import Host
from referee.console.shelf import DiceCase, NearDie, OwnDie
from referee.console.views import Band, Notice, View

NAMES: Final = (
    "White",
    "Black",
    "Red",
    "Blue",
    "Green",
    "Yellow",
    "Gold",
    "Silver",
    "Purple",
    "Orange",
    "Grey",
    "Brown",
)
"""Names to pick: people tell dice apart by their colours. A colour that is taken comes with a number."""

SEATS: Final = 4


def dice_page(host: Host, case: DiceCase) -> LongPage:
    """Return the dice this box knows, and the way to find others. Raises RefereeError."""

    def entry(die: OwnDie) -> tuple[Item, Action]:
        return Item(die.name, f"{die.name}: {_seat(host, die.seat)}", die.name), lambda: host.lay(
            die_page(host, case, die)
        )

    search = (Item(" find", "Find dice"), lambda: SearchCard(host, case).begin())
    return LongPage(host, Band("Dice"), [search, *(entry(die) for die in case.listed())])


def die_page(host: Host, case: DiceCase, die: OwnDie) -> ListPage:
    """Return what can be done with a die."""

    def blink() -> None:
        case.blink(die.name, lambda why: host.explain("No blink", f"{die.name}: {why}", "", "any key"))

    def rename() -> None:
        take = partial(case.rename, die.name)
        host.lay(name_page(host, case, lambda name: _done(host, case, lambda: take(name))))

    forget = ConfirmPage(host, "Forget", die.name, lambda: _done(host, case, lambda: case.forget(die.name)))
    return ListPage(
        host,
        Band(die.name, _seat(host, die.seat)),
        [
            (Item("seat", "Seat"), lambda: host.lay(seat_page(host, case, die.name))),
            (Item("blink", "Blink"), lambda: host.attempt(blink)),
            (Item("name", "Name"), lambda: host.attempt(rename)),
            (Item("forget", "Forget"), lambda: host.lay(forget)),
        ],
    )


def seat_page(host: Host, case: DiceCase, name: str) -> LongPage:
    """Return the seats that a die can be given to."""

    def entry(seat: int) -> tuple[Item, Action]:
        return Item(str(seat), _seat(host, seat)), lambda: _done(host, case, lambda: case.assign(name, seat))

    seats = len(host.table.seat_keys) or SEATS
    return LongPage(host, Band(name, "whose?"), [entry(seat) for seat in (*range(1, seats + 1), 0)])


def name_page(host: Host, case: DiceCase, take: Callable[[str], None]) -> LongPage:
    """Return the names that are free."""
    taken = {die.name for die in case.listed()}
    names = [next(each for each in _variants(colour) if each not in taken) for colour in NAMES]

    def entry(name: str) -> tuple[Item, Action]:
        return Item(name, name), lambda: host.attempt(lambda: take(name))

    return LongPage(host, Band("Die", "which name?"), [entry(name) for name in names])


class SearchCard(Page):
    """Dice are looked for. What is found takes its place, unless it was closed before."""

    select = "Close"

    def __init__(self, host: Host, case: DiceCase) -> None:
        super().__init__(host)
        self.case = case

    def begin(self) -> None:
        """Lay it, and search."""

        def begin() -> None:
            self.case.look(self.answer)
            self.host.lay(self)

        self.host.attempt(begin)

    def view(self, bar: float | None) -> View:
        """Return what helps to find them."""
        del bar
        return Notice("Looking", "Shake them. Close their app on phones.", "Back: stop")

    def click(self) -> None:
        """Close."""
        self.back()

    def answer(self, dice: Sequence[NearDie], why: str) -> None:
        """Show what was found."""
        if not self.host.lies(self):
            return
        self.host.lift(self)
        if why:
            self.host.explain("No search", why, "", "any key")
        elif not dice:
            self.host.explain("No dice", "None found. Shake them; close their app on phones.", "", "any key")
        else:
            self.host.sound("seat")
            self.host.lay(self._near_page(dice))

    def _near_page(self, dice: Sequence[NearDie]) -> LongPage:
        def entry(number: int, die: NearDie) -> tuple[Item, Action]:
            def choose() -> None:
                if die.name:
                    self.host.lay(seat_page(self.host, self.case, die.name))
                else:
                    self.host.lay(name_page(self.host, self.case, lambda name: self._keep(die, name)))

            text = die.name or f"{die.kind} {die.address[-5:]}"
            return Item(str(number), text), lambda: self.host.attempt(choose)

        return LongPage(self.host, Band("Dice", "found"), [entry(*each) for each in enumerate(dice)])

    def _keep(self, die: NearDie, name: str) -> None:
        self.case.keep(die.address, name)
        self.host.clear()
        self.host.lay(seat_page(self.host, self.case, name))


def _done(host: Host, case: DiceCase, action: Callable[[], None]) -> None:
    """Do something, and lay the page of the dice anew."""

    def do() -> None:
        action()
        host.clear()
        host.lay(dice_page(host, case))

    host.attempt(do)


def _variants(colour: str) -> Sequence[str]:
    return [colour, *(f"{colour}{number}" for number in range(2, 100))]


def _seat(host: Host, seat: int) -> str:
    """Return what people call a seat: in a game by its name."""
    names = {key: host.table.seat_name(each) for each, key in host.table.seat_keys.items()}
    return names.get(f"seat-{seat}", f"Seat {seat}") if seat else "Nobody's"
