"""The digits that a box and the hall compare when they are paired, on the glass."""

from __future__ import annotations

from referee.console.cards.menu import ConfirmPage
from referee.console.console import Console
from referee.console.host import Card
from referee.station.inbox import Compare


class DigitsCard:
    """The page with the digits, if there are any; belongs to the loop's thread."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._card: Card | None = None

    def show(self, compare: Compare) -> None:
        """Replace the digits on the glass; "": remove them."""
        self._clear()
        if compare.digits:
            text = f"Does the hall show {compare.digits[:3]} {compare.digits[3:]}?"

            def confirm() -> None:
                self._clear()
                compare.confirm(compare.digits)

            self._card = ConfirmPage(self._console, "Pair with hall", text, confirm)
            self._console.lay(self._card)
            self._console.sound("seat")
        self._console.pile.number(unbidden=True)

    def _clear(self) -> None:
        if self._card is not None:
            self._console.withdraw(self._card)
            self._card = None
