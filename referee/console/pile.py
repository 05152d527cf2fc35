"""What lies on what: a pile of cards over the one that follows from the game. Each change on top is a new screen."""

from __future__ import annotations

from collections.abc import Iterator

from referee.console.grammar import LATE, UNBIDDEN
from referee.console.host import Card


class Pile:
    """The cards on the glass, the lowest first.

    ``screen``    number of the uppermost card's screen; a press counts only for the screen it was made on
    ``shown_at``  since when that screen has been on the glass, None while it is on its way
    ``after``     seconds from then on after which a press counts for it
    """

    def __init__(self, lowest: Card) -> None:
        self._lowest = lowest
        self._cards: list[Card] = []
        self._numbered: Card | None = None
        self.screen = 0
        self.shown_at: float | None = None
        self.after = LATE
        self.number()

    @property
    def lowest(self) -> Card:
        """The card that follows from the game."""
        return self._lowest

    @property
    def top(self) -> Card:
        """The uppermost card."""
        return self._cards[-1] if self._cards else self._lowest

    def __len__(self) -> int:
        """Return how many cards lie on the lowest one."""
        return len(self._cards)

    def __iter__(self) -> Iterator[Card]:
        """Yield the cards over the lowest one, from below."""
        return iter(tuple(self._cards))

    def lay(self, card: Card) -> None:
        """Lay a card on top."""
        self._cards.append(card)

    def lift(self, card: Card) -> None:
        """Take a card away, with all that lies on it."""
        if card in self._cards:
            del self._cards[self._cards.index(card) :]

    def withdraw(self, card: Card) -> None:
        """Take a card away from under whatever lies on it."""
        if card in self._cards:
            self._cards.remove(card)

    def clear(self) -> None:
        """Take everything away that lies on the lowest card."""
        self._cards.clear()

    def renew(self, lowest: Card) -> None:
        """Take everything away, and lay another lowest card."""
        self._cards.clear()
        self._lowest = lowest

    def number(self, *, unbidden: bool = False) -> None:
        """Number the screen anew if another card lies on top; ``unbidden``: no press has laid it there."""
        if self.top is not self._numbered:
            self._numbered = self.top
            self.screen += 1
            self.shown_at = None
            self.after = UNBIDDEN if unbidden else LATE

    def shown(self, screen: int, at: float) -> bool:
        """The glass shows this screen since ``at``; return whether that is news."""
        news = screen == self.screen and self.shown_at is None
        if news:
            self.shown_at = at
        return news
