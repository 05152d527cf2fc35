"""What the console needs from outside: sessions to begin or take up again, and the box's own dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from referee.config import DiceRule
from referee.rulebook import Book
from referee.session import Session


class Unfinished(NamedTuple):
    """A game that can be taken up again."""

    id: str
    title: str
    where: str


class Guests(Protocol):
    """The browsers that were let in to the panel, as the console sees them; both raise only `RefereeError`."""

    def listed(self) -> Sequence[object]:
        """Return a pass for each."""

    def revoke(self) -> Sequence[object]:
        """Take back all passes, at once; return those."""


class Desk(Protocol):
    """The station, as the console sees it. All methods answer at once and raise only `RefereeError`."""

    @property
    def dice(self) -> DiceRule:
        """Whose dice count at this table."""

    def books(self) -> Sequence[Book]:
        """Return the games on the shelf."""

    def begin(self, book: Book, settings: Mapping[str, Any], ruling: str | None) -> Session:
        """Begin a game, or a desk that gives one ruling after another."""

    def unfinished(self) -> Sequence[Unfinished]:
        """Return the games that were left before their end, newest first."""

    def resume(self, game: str) -> Session:
        """Take up an unfinished game at the prompt where it stood."""

    def throw(self, dice: int) -> tuple[int, ...]:
        """Let the box throw so many dice."""
