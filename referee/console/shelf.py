"""What the console needs from outside: games to begin or resume, the box's own dice, who was let in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from referee.config import DiceRule
from referee.rulebook import Book, Label
from referee.session import Notebook, Session


class Unfinished(NamedTuple):
    """A game that can be resumed."""

    id: str
    title: str
    where: str


class BoxDice(NamedTuple):
    """Whose dice count at this table, and the box's own: ``throw(dice)`` returns so many faces."""

    rule: DiceRule
    throw: Callable[[int], tuple[int, ...]]


class Visitors(Protocol):
    """The browsers that were let in to the panel, as the console sees them; both raise only `RefereeError`."""

    def listed(self) -> Sequence[object]:
        """Return a pass for each."""

    def revoke(self) -> Sequence[object]:
        """Take back all passes, at once; return those."""


class Shelf(Protocol):
    """The games of this box. All methods answer at once and raise only `RefereeError`."""

    def labels(self) -> Sequence[Label]:
        """Return the rulebooks on the shelf."""

    def book(self, game: str) -> Book:
        """Return the rulebook of a game."""

    def begin(self, book: Book, settings: Mapping[str, Any], ruling: str | None, source: str) -> Session:
        """Begin a game, or single rulings one after another; ``source``: who began it, for the journal."""

    def notebook(self, session: Session) -> Notebook | None:
        """Return where notes beside this game are written, None if nothing is."""

    def unfinished(self) -> Sequence[Unfinished]:
        """Return the games that were left before their end, newest first."""

    def resume(self, game: str) -> Session:
        """Resume an unfinished game at its pending question."""
