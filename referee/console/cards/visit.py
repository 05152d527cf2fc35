"""A browser of the network has typed the code on the glass: the question what it may do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.console.buttons import BACK, Button
from referee.console.cards.cells import Item
from referee.console.cards.menu import Action, ListPage
from referee.console.host import Host
from referee.console.views import Band
from referee.rulebook import Short

ADDRESS = 15
"""Characters of an address that find room: all of an IPv4 address, the end of an IPv6 one."""


class RolePage(ListPage):
    """What a browser may be made, with what it wishes lit and marked."""

    def __init__(self, host: Host, band: Band, entries: Sequence[tuple[Item, Action]], wished: int) -> None:
        super().__init__(host, band, entries)
        self.deal.light(wished)
        self._wished = str(wished)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The roles, and that it gets none."""
        roles = (
            button._replace(note="asked for") if button.id == self._wished else button for button in super().buttons
        )
        return *roles, Button(BACK, "Refuse", "Back")

    def tap(self, button: str) -> None:
        """Give the role, or none."""
        if button == BACK:
            self.back()
        else:
            super().tap(button)


def role_page(
    host: Host, who: str, wish: str, confirm: Callable[[str, str], None], *, watch_only: bool = False
) -> RolePage:
    """Return what the browser at ``who`` may be made, with what it wishes lit; Back makes it nothing.

    ``confirm`` takes a role of the panel and its name: the page comes unasked, so that no single press may decide.
    ``watch_only``: it may watch, and nothing else.
    """
    names = {key: host.table.seat_name(seat) for seat, key in host.table.seat_keys.items()}
    seats = names or {f"seat-{number}": f"Seat {number}" for number in range(1, 5)}
    roles = {"watch": "Watch"} if watch_only else {"watch": "Watch", **seats, "judge": "Judge"}

    def entry(role: str, text: str) -> tuple[Item, Action]:
        return Item(role, text), lambda: confirm(role, text)

    band = Band(address(who), Short("may", f"asks to {wish}. What may it do?"))
    wished = {"watch": 0, "play": 1, "judge": len(roles) - 1}[wish]
    return RolePage(host, band, [entry(role, text) for role, text in roles.items()], wished)


def address(who: str) -> str:
    """Return as much of an address as there is room for.

    >>> address("192.168.178.201"), address("[2001:db8::1234:5678:9abc]")
    ('192.168.178.201', '…678:9abc]')
    """
    return who if len(who) <= ADDRESS else f"…{who[-9:]}"
