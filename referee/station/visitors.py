"""Browsers at the panel: who was let in, how a phone gets there, and what the table is asked about a visitor.

All of it belongs to the loop's thread.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from referee.console.cards.lists import ConfirmPage
from referee.console.cards.people import JoinCard, address, role_page
from referee.console.console import Console
from referee.console.stage import Card
from referee.console.views import Notice
from referee.files import qr
from referee.web.hub import Visit

if TYPE_CHECKING:
    from referee.web.passes import Pass, Passes


class Door:
    """See `referee.console.shelf.Visitors`."""

    def __init__(self, passes: Passes) -> None:
        self._passes = passes
        self._address: Callable[[], str] = str
        self._invitation = ""

    def listed(self) -> Sequence[Pass]:
        """Return the passes of all browsers. Raises StationError."""
        return self._passes.listed()

    def revoke(self) -> Sequence[Pass]:
        """Take back all passes; return those. Raises StationError."""
        return self._passes.revoke()

    def reached_at(self, address: Callable[[], str]) -> None:
        """Take the way to ask where a phone reaches the panel."""
        self._address = address

    @property
    def address(self) -> str:
        """What a phone opens, "" where none can reach the panel."""
        return self._address()

    def invite(self) -> None:
        """Let one browser in that types a new code."""
        self._invitation = f"{secrets.randbelow(10**6):06d}"

    def shut(self) -> None:
        """Let none in any more."""
        self._invitation = ""

    def invited(self) -> str:
        """Return the code that one browser may type now, "" for none; may be called from any thread."""
        return self._invitation

    def modules(self, address: str) -> qr.Rows:
        """Return the QR code of an address; what draws it was loaded with the panel."""
        # Capitals take half the room (alphanumeric mode), and neither scheme nor host cares.
        return qr.rows(address.upper())


COVER: Final = Notice("Panel", "The table lets a browser in. The code is on the box.")
"""What all but judges see instead of the code and the question about a visitor."""


class VisitCards:
    """The question about the current visitor, if any; belongs to the loop's thread."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._visit: Visit | None = None
        self._cards: list[Card] = []

    def covers(self, card: Card) -> bool:
        """Whether a card is only for the box and for judges."""
        return isinstance(card, JoinCard) or any(card is each for each in self._cards)

    def show(self, visit: Visit | None) -> None:
        """Ask about a visitor in the place of the one before; None: about nobody. Who was not invited is refused."""
        self._clear()
        if visit is not None and self._inviting:
            self._visit = visit
            self._lay(
                role_page(self._console.context, visit.who, visit.wish, self._confirm, watch_only=visit.watch_only)
            )
            self._console.stage.sound("seat")
        elif visit is not None:
            visit.answer("")
        self._console.stage.number(unbidden=True)  # at once: an event of a key may be next

    def due(self, now: float) -> None:
        """Check whether the time is up, or a key has closed a card."""
        visitors = self._console.context.visitors
        if visitors is not None and visitors.invited() and not self._inviting:
            visitors.shut()
        visit = self._visit
        if visit is None:
            return
        if now >= visit.until:
            self._clear()
        elif self._cards[0] not in self._console.stage:
            self._clear()
            visit.answer("")

    def deadline(self) -> float | None:
        """Return when the time of the visit is up."""
        return self._visit.until if self._visit is not None else None

    @property
    def _inviting(self) -> bool:
        return any(isinstance(card, JoinCard) for card in self._console.stage)

    def _confirm(self, role: str, name: str) -> None:
        who = self._visit.who if self._visit is not None else ""
        self._lay(ConfirmPage(self._console.context, name, address(who), lambda: self._choose(role)))

    def _lay(self, card: Card) -> None:
        self._cards.append(card)
        self._console.stage.push(card)

    def _choose(self, role: str) -> None:
        visit = self._visit
        self._clear()
        if visit is not None:
            visit.answer(role)

    def _clear(self) -> None:
        """Take the question away; the next browser is invited with another code."""
        for card in self._cards:
            self._console.stage.remove(card)
        self._cards.clear()
        if self._visit is not None and self._inviting and self._console.context.visitors is not None:
            self._console.context.visitors.invite()
        self._visit = None
