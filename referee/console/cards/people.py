"""Who plays, and who is let in: names, browsers of the network, the hall."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from referee.console.buttons import BACK, Button
from referee.console.cards.dice import open_dice
from referee.console.cards.lists import ROOM, ConfirmPage, Item, ListPage, LongPage, item
from referee.console.context import Context
from referee.console.drawing.screens import legible
from referee.console.shelf import Visitors
from referee.console.stage import Card, Page, Stage
from referee.console.texts import Text
from referee.console.views import Band, Code, View
from referee.errors import RefereeError
from referee.rulebook import Short, phrase


def browsers(context: Context) -> int:
    """Return how many browsers of the network were let in; none where that cannot be read."""
    try:
        return len(context.visitors.listed()) if context.visitors is not None else 0
    except RefereeError:
        return 0


def people_page(context: Context) -> ListPage:
    """Return what can be done for the players, and for browsers of the network and against them."""
    count, address = browsers(context), context.visitors.address if context.visitors is not None else ""
    here = "Not on a network" if context.visitors is not None else "The panel is off"

    def join() -> JoinCard | None:
        return JoinCard(context.stage, context.visitors) if context.visitors is not None else None

    dice = [item("dice", "Dice", lambda: open_dice(context))] if context.table.dice.case is not None else []
    no_seats = "" if context.table.nameable else "No seats to name"
    items = (
        item("names", "Names", lambda: seats_page(context), no_seats),
        item("join", "Join", join, "" if address else here),
        item(
            "disconnect",
            "Disconnect",
            lambda: disconnect_page(context, count),
            "" if count else "No browser connected",
        ),
        *dice,
    )
    return ListPage(context, Band("People"), items)


def seats_page(context: Context) -> LongPage:
    """Return the seats of the game with who plays them."""
    players = context.table.players

    def each(seat: str, name: str) -> Item:
        text = phrase("{}: {}", name, legible(players[seat])) if seat in players else name
        return item(seat, text, lambda: players_page(context, seat, page), short=name)

    items = [each(*pair) for pair in context.table.current.seats().items()]
    page = LongPage(context, Band("People", Short("names", "Whose name?")), items)
    return page


MOST_NAMES: Final = 24
"""Names that can be picked on the glass."""


def players_page(context: Context, seat: str, below: Card) -> LongPage:
    """Return who can be picked for a seat: names of the configuration, those used before, and nobody.

    ``below``: the page of the seats, laid anew with the name.
    """
    table = context.table
    names = list(dict.fromkeys((*context.table.customs.players, *table.players_before)))[:MOST_NAMES]

    def each(name: str) -> Item:
        def pick() -> LongPage:
            table.seat_player(seat, name)
            context.stage.pop(below)
            return seats_page(context)

        shown = legible(name) or "Nobody"
        return item(name, shown, pick, short=shown[:ROOM])

    return LongPage(context, Band(table.seat_name(seat), Short("who?", "Who plays it?")), map(each, (*names, "")))


class JoinCard(Page):
    """The way to the panel: for a phone to scan, or to type address and code. Select closes it, as Back does.

    While it lies on the glass one browser after another may come in; nothing else lets one in.
    """

    select = "Close"

    def __init__(self, stage: Stage, visitors: Visitors) -> None:
        super().__init__(stage)
        self.visitors = visitors
        visitors.invite()

    def view(self, bar: float | None) -> View:
        code, address = self.visitors.invited(), self.visitors.address
        rows = self.visitors.modules(f"{address}/{code}")
        return Code(f"{code[:3]} {code[3:]}", address.removeprefix("http://"), rows)

    def click(self) -> None:
        self.back()


def disconnect_page(context: Context, count: int) -> ConfirmPage:
    """Return what disconnects every browser of the network; ``count``: how many there are."""

    def disconnect() -> None:
        context.stage.clear()
        if context.visitors is not None:
            context.visitors.revoke()

    what = "Disconnect the browser" if count == 1 else f"Disconnect {count} browsers"
    return ConfirmPage(context, "Panel", what, disconnect)


ADDRESS = 15
"""Characters of an address that find room: all of an IPv4 address, the end of an IPv6 one."""


class RolePage(ListPage):
    """What a browser may be made, with what it wishes lit and marked."""

    def __init__(self, context: Context, band: Band, items: Iterable[Item], wished: int) -> None:
        super().__init__(context, band, items)
        self.deal.light(wished)

    @property
    def buttons(self) -> tuple[Button, ...]:
        return *super().buttons, Button(BACK, "Refuse", "Back")


def role_page(
    context: Context, who: str, wish: str, confirm: Callable[[str, str], None], *, watch_only: bool = False
) -> RolePage:
    """Return what the browser at ``who`` may be made, with what it wishes lit; Back makes it nothing.

    ``confirm`` takes a role of the panel and its name: the page comes unasked, so that no single press may decide.
    ``watch_only``: it may watch, and nothing else.
    """
    names = {key: context.table.seat_name(seat) for seat, key in context.table.seat_keys.items()}
    seats = names or {f"seat-{number}": f"Seat {number}" for number in range(1, 5)}
    roles = {"watch": "Watch"} if watch_only else {"watch": "Watch", **seats, "judge": "Judge"}

    band = Band(address(who), Short("may", f"wants to {wish}. Allow what?"))
    wished = {"watch": 0, "play": 1, "judge": len(roles) - 1}[wish]
    items = (
        item(role, text, partial(confirm, role, text), note="asked for" if place == wished else "")
        for place, (role, text) in enumerate(roles.items())
    )
    return RolePage(context, band, items, wished)


def address(who: str) -> str:
    """Return as much of an address as there is room for.

    >>> address("192.168.178.201"), address("[2001:db8::1234:5678:9abc]")
    ('192.168.178.201', '…678:9abc]')
    """
    return who if len(who) <= ADDRESS else f"…{who[-9:]}"


CODE: Final = 6
"""Die keys of a code."""
GIVEN_UP: Final = ""
"""In the place of a code: nobody wants to add this box."""


class ComparePage(ConfirmPage):
    """What the desk shows, too; a hold of Select says so, Back that it does not."""

    def __init__(self, context: Context, fingerprint: str, take: Callable[[str], None]) -> None:
        """``take`` is called with the code, or `GIVEN_UP`."""
        super().__init__(context, "Add to hall", f"Does the desk show {fingerprint}?", self._same)
        self._take = take

    def _same(self) -> None:
        self.stage.pop(self)
        self.stage.push(CodePage(self.stage, self._take))

    def back(self) -> None:
        super().back()
        self._take(GIVEN_UP)


class CodePage(Text):
    """The code from the desk, a die key each; Back takes one away, and without any gives up."""

    select = ""

    def __init__(self, stage: Stage, take: Callable[[str], None], digits: str = "") -> None:
        """``take``: as for `ComparePage`."""
        super().__init__(stage, "Code", (" ".join(digits.ljust(CODE, "_")), "Enter the code from the desk"))
        self._take = take
        self._digits = digits

    def die(self, number: int) -> None:
        self.stage.sound("key")
        self._go_on(f"{self._digits}{number}")

    def click(self) -> None:
        self.stage.sound("late")

    def back(self) -> None:
        self.stage.sound("key")
        if self._digits:
            self._go_on(self._digits[:-1])
        else:
            self.stage.pop(self)
            self._take(GIVEN_UP)

    def _go_on(self, digits: str) -> None:
        self.stage.pop(self)
        if len(digits) < CODE:
            self.stage.push(CodePage(self.stage, self._take, digits))
        else:
            self._take(digits)
