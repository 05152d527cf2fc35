"""What can be read of a game in progress; `referee.session.session` is what changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.errors import BrokenRulebook, RefereeError
from referee.rulebook import Event, Game, Odds, Over, Pool, Ruling, Section
from referee.session.entries import Entry, Recorder
from referee.session.ledger import GameLedger, LastThrow, Rolled
from referee.session.log import LogLine
from referee.session.run import Run


class Guard:
    """Turns a fault in the code of a rulebook into BrokenRulebook."""

    __slots__ = ("_book",)

    def __init__(self, book: str) -> None:
        self._book = book

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, fault: BaseException | None, __: object) -> None:
        if isinstance(fault, Exception) and not isinstance(fault, RefereeError):
            raise BrokenRulebook.of(self._book, fault) from fault


class Shown(NamedTuple):
    """Odds of the pending question (``of_roll``) or of how it all will come out; ``why`` there are none."""

    odds: Odds = ()
    of_roll: bool = False
    why: str = "No odds to show"


class Reading:
    """A game in progress, to be looked at."""

    _run: Run
    _ledger: GameLedger
    _guard: Guard
    _journal: tuple[Recorder, int] | None
    _failing: dict[str, Shown]

    @property
    def game_id(self) -> int | None:
        """Its number in the journal, None without one."""
        return self._journal[1] if self._journal is not None else None

    @property
    def n(self) -> int:
        """Number of the pending question: the number of entries so far."""
        return len(self._ledger)

    @property
    def over(self) -> Over | None:
        """Why the game ended, None while it goes on."""
        return self._run.play.over

    @property
    def game(self) -> Game:
        """The state as it stands. Only to be read, and not to be kept: going back replaces it."""
        return self._run.play.game

    @property
    def place(self) -> tuple[str, ...]:
        """Where the sequence of play stands, outermost first."""
        return tuple(self.game.place())

    @property
    def crumbs(self) -> tuple[Section, ...]:
        """The sections of the rules the pending question belongs to, outermost first."""
        return self._run.play.crumbs

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The counters shown beside the glass."""
        return self.game.pools()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything written so far, in order."""
        return self._ledger.entries

    @property
    def last(self) -> Entry:
        """The newest entry."""
        return self._ledger.last

    @property
    def latest(self) -> tuple[Event, ...]:
        """Rulings and reminders that the last accepted thing brought; of a new game its opening."""
        return self._ledger.latest

    @property
    def last_ruling(self) -> Ruling | None:
        """The latest ruling that was not taken back, None if there is none."""
        return next(self._ledger.rulings(), None)

    @property
    def mid_turn(self) -> bool:
        """Whether something was accepted since the turn began."""
        return self._run.milestone != self._run.position

    @property
    def last_thrown(self) -> Ruling | None:
        """The latest ruling on dice that was not taken back, None if there is none: what ends a battle has none."""
        return next((each for each in self._ledger.rulings() if each.throws), None)

    @property
    def undoable(self) -> int:
        """How many steps can be taken back."""
        return len(self._ledger.strokes)

    def seats(self) -> Mapping[str, str]:
        """Return the seats with the names people use, in their order round the table."""
        return self.game.seats()

    def short_names(self) -> Mapping[str, str]:
        """Return shorter names of seats, of those that have one."""
        return self.game.short_names()

    def odds(self) -> Odds | None:
        """Return the exact chances of what is asked; None where the book states none."""
        with self._guard:
            return self._run.play.odds()

    def outlook(self) -> Odds | None:
        """Return the exact chances of how it will all come out; None where the book cannot tell."""
        with self._guard:
            return self._run.play.outlook()

    def chances(self) -> Shown:
        """Return what is shown beside the question: its odds, or else the outlook.

        No answer depends on them, so a rulebook that fails here, or runs on, is asked once and shows none.
        """
        ask = self._run.play.ask.key if self._run.play.ask else ""
        if ask in self._failing:
            return self._failing[ask]
        try:
            odds = self.odds()
            return Shown(self.outlook() or ()) if odds is None else Shown(odds, of_roll=True)
        except BrokenRulebook as fault:
            shown = self._failing[ask] = Shown(why=fault.words or str(fault))
            return shown

    def state(self) -> dict[str, Any]:
        """Return the whole state as plain JSON values."""
        with self._guard:
            return self.game.as_json()

    def last_answer(self, ask: str, seat: str | None = None) -> Any:
        """Return the latest answer to that question by that seat (None: by anybody), None if there is none."""
        return self._ledger.last_answer(ask, seat)

    def dice(self) -> tuple[int, ...]:
        """Return how often each face 1 to 6 of six-sided dice fell in the throws that count."""
        return self._ledger.dice()

    def throws(self) -> list[Rolled]:
        """Return the throws of six-sided dice whose faces are known; those that were taken back are marked."""
        return self._ledger.throws()

    def log(self, newest: int | None = None, since: int = 0) -> list[LogLine]:
        """Return everything that happened, in order, things taken back included and marked.

        ``newest``: only so many lines from the end, so that a long game costs no more than a short one.
        ``since``: number of the first entry whose lines are returned.
        """
        return self._ledger.log(newest, since)

    def unchanged(self, before: int) -> int:
        """Return how many entries have the same lines in the log as when there were ``before`` entries."""
        return self._ledger.unchanged(before)

    @property
    def last_throw(self) -> LastThrow | None:
        """The roll answered last, as long as nothing accepted since counts: what `correct_throw` corrects."""
        return self._ledger.last_throw()

    def again(self) -> tuple[Any, ...]:
        """Return the answers that led to the dice of the ruling before: what "same again" means at single rulings.

        Empty unless a new ruling is about to begin.
        """
        return self._run.again()
