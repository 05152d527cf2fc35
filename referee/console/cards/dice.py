"""Dice by Bluetooth, without a terminal: find, name, assign, blink and forget them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from referee.console.cards.lists import ConfirmPage, Item, ListPage, LongPage, item
from referee.console.context import Context, TableCard
from referee.console.shelf import DiceCase, NearDie, OwnDie
from referee.console.stage import Page
from referee.console.views import Band, Notice, View

COLOURS: Final = "White, Black, Red, Blue, Green, Yellow, Gold, Silver, Purple, Orange, Grey, Brown"
"""Names to pick: people tell dice apart by their colours. A colour that is taken comes with a number."""

SEATS: Final = 4


def open_dice(context: Context) -> None:
    """Lay the page of the self-reading dice, where the box has some."""
    case = context.table.dice.case
    if case is not None:
        context.stage.push(dice_page(context, case))


def dice_page(context: Context, case: DiceCase) -> LongPage:
    """Return the dice this box knows, and the way to find others. Raises RefereeError."""

    def each(die: OwnDie) -> Item:
        text = f"{die.name}: {_seat(context, die.seat)}"
        return item(die.name, text, lambda: die_page(context, case, die), short=die.name)

    search = item(" find", "Find dice", lambda: SearchCard(context, case).begin())
    return LongPage(context, Band("Dice"), (search, *map(each, case.listed())))


def die_page(context: Context, case: DiceCase, die: OwnDie) -> ListPage:
    """Return what can be done with a die."""

    def blink() -> None:
        case.blink(die.name, lambda why: context.stage.explain("No blink", f"{die.name}: {why}"))

    def rename(name: str) -> None:
        _done(context, case, partial(case.rename, die.name, name))

    forget = ConfirmPage(context, "Forget", die.name, lambda: _done(context, case, lambda: case.forget(die.name)))
    items = (
        item("seat", "Seat", lambda: seat_page(context, case, die.name)),
        item("blink", "Blink", blink),
        item("name", "Name", lambda: name_page(context, case, rename)),
        item("forget", "Forget", lambda: forget),
    )
    return ListPage(context, Band(die.name, _seat(context, die.seat)), items)


def seat_page(context: Context, case: DiceCase, name: str) -> LongPage:
    """Return the seats that a die can be given to."""

    def each(seat: int) -> Item:
        return item(str(seat), _seat(context, seat), lambda: _done(context, case, lambda: case.assign(name, seat)))

    seats = len(context.table.seat_keys) or SEATS
    return LongPage(context, Band(name, "whose?"), map(each, (*range(1, seats + 1), 0)))


def name_page(context: Context, case: DiceCase, take: Callable[[str], None]) -> LongPage:
    """Return the names that are free."""
    taken = {die.name for die in case.listed()}
    names = [next(each for each in _variants(colour) if each not in taken) for colour in COLOURS.split(", ")]
    return LongPage(context, Band("Die", "which name?"), (item(name, name, partial(take, name)) for name in names))


class SearchCard(Page, TableCard):
    """Dice are looked for. What is found takes its place, unless it was closed before."""

    select = "Close"

    def __init__(self, context: Context, case: DiceCase) -> None:
        super().__init__(context)
        self.case = case

    def begin(self) -> None:
        self.case.look(self.answer)
        self.stage.push(self)

    def view(self, bar: float | None) -> View:
        return Notice("Searching", "Shake the dice. Close their app on phones.", "Back: stop")

    def click(self) -> None:
        self.back()

    def answer(self, dice: Sequence[NearDie], why: str) -> None:
        if self not in self.stage:
            return
        self.stage.pop(self)
        if why:
            self.stage.explain("No search", why)
        elif not dice:
            self.stage.explain("No dice", "None found. Shake the dice and close their app on phones.")
        else:
            self.stage.sound("seat")
            self.stage.push(self._near_page(dice))

    def _near_page(self, dice: Sequence[NearDie]) -> LongPage:
        def each(number: int, die: NearDie) -> Item:
            def choose() -> LongPage:
                if die.name:
                    return seat_page(self.context, self.case, die.name)
                return name_page(self.context, self.case, partial(self._keep, die))

            return item(str(number), die.name or f"{die.kind} {die.address[-5:]}", choose)

        return LongPage(self.context, Band("Dice", "found"), (each(*pair) for pair in enumerate(dice)))

    def _keep(self, die: NearDie, name: str) -> None:
        self.case.keep(die.address, name)
        self.stage.clear()
        self.stage.push(seat_page(self.context, self.case, name))


def _done(context: Context, case: DiceCase, action: Callable[[], None]) -> None:
    action()
    context.stage.clear()
    context.stage.push(dice_page(context, case))


def _variants(colour: str) -> Sequence[str]:
    return [colour, *(f"{colour}{number}" for number in range(2, 100))]


def _seat(context: Context, seat: int) -> str:
    names = {key: context.table.seat_name(each) for each, key in context.table.seat_keys.items()}
    return names.get(f"seat-{seat}", f"Seat {seat}") if seat else "Nobody's"
