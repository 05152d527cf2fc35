"""A run of one `Play`, or of single rulings one after another; undo crosses from one to the one before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.errors import BrokenRulebook, RefereeError
from referee.rulebook import Answered, Book, Event, Move, Play


class Position(NamedTuple):
    """How far a run has come: rulings ended before this one, and moves made in this one."""

    rulings: int
    moves: int


class _Ended(NamedTuple):
    """What is kept of a ruling that was given."""

    moves: list[Move]
    before_dice: list[Move]


class Run:
    """The plays of one session.

    ``play``   the one that is going on
    ``opening``  rulings and reminders given before the first question
    """

    def __init__(self, book: Book, settings: Mapping[str, object], ruling: str | None, *, repeat: bool) -> None:
        """Start it. Raises BadSetting or UnknownRuling."""
        self._book = book
        self._settings = dict(settings)
        self._ruling = ruling
        self._repeat = repeat
        self._done: list[_Ended] = []
        self.play = self._fresh()
        self.opening = tuple(self.play.events)

    @property
    def position(self) -> Position:
        """How far the run has come."""
        return Position(len(self._done), len(self.play.moves))

    @property
    def milestone(self) -> Position:
        """Where the latest turn began, or the latest of single rulings."""
        return Position(len(self._done), self.play.milestone)

    @property
    def throw(self) -> tuple[Any, ...] | None:
        """What names the pending roll; None where none is pending."""
        name = self.play.throw()
        return None if name is None else (len(self._done), *name)

    def accept(self, move: Answered) -> list[Event]:
        """Go on with an answer that was checked for the pending question."""
        return self._on(self.play.accept(move))

    def concede(self, seat: str) -> list[Event]:
        """A seat gives up. Raises Refused with nothing changed."""
        return self._on(self.play.concede(seat))

    def correct(self, values: Mapping[str, object]) -> list[Event]:
        """The judge sets counted fields. Raises Malformed with nothing changed."""
        return self._on(self.play.correct_all(values))

    def repeat(self, move: Move) -> None:
        """Make a move again that has been made before."""
        self._on(self.play.repeat(move))

    def since(self, position: Position) -> list[Move]:
        """Return the moves made since ``position``."""
        lists = [*(ended.moves for ended in self._done[position.rulings :]), self.play.moves]
        return [*lists[0][position.moves :], *(move for later in lists[1:] for move in later)]

    def again(self) -> tuple[Any, ...]:
        """Return the answers of the play before this one up to its first throw; empty once this one has begun.

        Empty, too, where some were given in secret.
        """
        if self.play.moves or not self._done:
            return ()
        moves = [move for move in self._done[-1].before_dice if isinstance(move, Answered)]
        return () if any(move.seat for move in moves) else tuple(move.answer for move in moves)

    def rewind(self, position: Position) -> None:
        """Go back to ``position``."""
        if position == self.position:
            return
        if position.rulings == len(self._done):
            self.play.rewind(position.moves)
            return
        again = self._done[position.rulings].moves[: position.moves]
        play = self._fresh()
        for move in again:
            play.repeat(move)
        del self._done[position.rulings :]
        self.play = play

    def _on(self, events: list[Event]) -> list[Event]:
        if not (self._repeat and self.play.over and self.play.moves):
            return events
        try:
            play = self._fresh()
        except BaseException:
            self.play.rewind(len(self.play.moves) - 1)
            raise
        self._done.append(_Ended(self.play.moves, self.play.before_dice))
        self.play = play
        return events + play.events

    def _fresh(self) -> Play:
        try:
            return Play(self._book, self._settings, self._ruling)
        except RefereeError:
            raise
        except Exception as fault:
            raise BrokenRulebook.of(self._book.id, fault) from fault
