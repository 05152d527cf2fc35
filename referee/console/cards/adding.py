"""A box is added to an event: the hall's certificate is compared, then the code from the desk is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.console.cards.base import Text
from referee.console.cards.menu import ConfirmPage
from referee.console.host import Host

CODE: Final = 6
"""Die keys of a code."""
GIVEN_UP: Final = ""
"""In the place of a code: nobody wants to add this box."""


class ComparePage(ConfirmPage):
    """What the desk shows, too; a hold of Select says so, Back that it does not."""

    def __init__(self, host: Host, fingerprint: str, take: Callable[[str], None]) -> None:
        """``take`` is called with the code, or `GIVEN_UP`."""
        super().__init__(host, "Add to hall", f"Does the desk show {fingerprint}?", self._same)
        self._take = take

    def _same(self) -> None:
        self.host.lift(self)
        self.host.lay(CodePage(self.host, self._take))

    def back(self) -> None:
        """Give up."""
        super().back()
        self._take(GIVEN_UP)


class CodePage(Text):
    """The code from the desk, a die key each; Back takes one away, and without any gives up."""

    select = ""

    def __init__(self, host: Host, take: Callable[[str], None], digits: str = "") -> None:
        """``take``: as for `ComparePage`."""
        super().__init__(host, "Code", (" ".join(digits.ljust(CODE, "_")), "Type the code from the desk"))
        self._take = take
        self._digits = digits

    def die(self, number: int) -> None:
        """One digit more; the last one sends the code."""
        self.host.sound("key")
        self._go_on(f"{self._digits}{number}")

    def click(self) -> None:
        """Only die keys mean something here."""
        self.host.sound("late")

    def back(self) -> None:
        """Take the last digit away, or give up."""
        self.host.sound("key")
        if self._digits:
            self._go_on(self._digits[:-1])
        else:
            self.host.lift(self)
            self._take(GIVEN_UP)

    def _go_on(self, digits: str) -> None:
        self.host.lift(self)
        if len(digits) < CODE:
            self.host.lay(CodePage(self.host, self._take, digits))
        else:
            self._take(digits)
