"""A visitor's request on the glass: its card is shown, removed when its time is up, and answered once."""

from __future__ import annotations

from typing import Final

from referee.console.cards.menu import ConfirmPage
from referee.console.cards.visit import CodeCard, address, role_page
from referee.console.console import Console
from referee.console.host import Card
from referee.console.views import Notice
from referee.web.hub import Visit

COVER: Final = Notice("Panel", "A browser asks for access. Answer at the box or as a judge.")
"""What all but judges see instead of a visitor's code and card."""


class VisitCards:
    """The card of the current visit, if any; belongs to the loop's thread."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._visit: Visit | None = None
        self._cards: list[Card] = []

    def covers(self, card: Card) -> bool:
        """Whether a card is only for the box and for judges."""
        return any(card is each for each in self._cards)

    def show(self, visit: Visit | None) -> None:
        """Replace the current visit; None: remove it."""
        self._clear()
        self._visit = visit
        if visit is not None:
            if visit.code:
                self._lay(CodeCard(self._console, visit.who, visit.code, visit.wish))
            else:
                self._lay(role_page(self._console, visit.who, visit.wish, self._confirm, watch_only=visit.watch_only))
            self._console.sound("seat")
        self._console.pile.number(unbidden=True)  # at once: an event of a key may be next

    def due(self, now: float) -> None:
        """Check whether the time is up, or a key has closed the card."""
        visit = self._visit
        if visit is None:
            return
        if now >= visit.until:
            self._clear()
        elif not self._console.lies(self._cards[0]):
            self._clear()
            visit.answer("")

    def deadline(self) -> float | None:
        """Return when the time of the visit is up."""
        return self._visit.until if self._visit is not None else None

    def _confirm(self, role: str, name: str) -> None:
        who = self._visit.who if self._visit is not None else ""
        self._lay(ConfirmPage(self._console, name, address(who), lambda: self._choose(role)))

    def _lay(self, card: Card) -> None:
        self._cards.append(card)
        self._console.lay(card)

    def _choose(self, role: str) -> None:
        visit = self._visit
        self._clear()
        if visit is not None:
            visit.answer(role)

    def _clear(self) -> None:
        for card in self._cards:
            self._console.withdraw(card)
        self._cards.clear()
        self._visit = None
