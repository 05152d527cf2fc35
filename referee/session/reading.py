"""What can be read of a game in progress; `referee.session.session` is what changes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from referee.errors import BrokenRulebook, RefereeError
from referee.rulebook import BACK, Event, Game, Odds, Over, Play, Pool, Ruling, Section
from referee.session.entries import Entry, Recorder
from referee.session.extra import Origin, origins_of, unused_of
from referee.session.log import Faces, LastThrow, LogLine, Record, Rolled, Stroke, Throw, lines_of, listed, origins


class Guard:
    """Turns a fault in the code of a rulebook into BrokenRulebook."""

    __slots__ = ("_book",)

    def __init__(self, book: str) -> None:
        self._book = book

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, fault: BaseException | None, __: object) -> None:
        if fault is not None and isinstance(fault, Exception) and not isinstance(fault, RefereeError):
            raise BrokenRulebook.of(self._book, fault) from fault


class Shown(NamedTuple):
    """Odds of the pending question (``of_roll``) or of how it all will come out; ``why`` there are none."""

    odds: Odds = ()
    of_roll: bool = False
    why: str = "No odds to show"


class Reading:
    """A game in progress, to be looked at.

    What was accepted is never taken out; what was taken back is marked.

    ``strokes``  what can be taken back, oldest first
    """

    def __init__(self, play: Play) -> None:
        self._play = play
        self._guard = Guard(play.book.id)
        self._journal: tuple[Recorder, int] | None = None
        self._failing: dict[str, Shown] = {}
        self._records: list[Record] = []
        self.strokes: list[Stroke] = []
        self._withheld: int | None = None
        """Number of the first answer in secret that nobody may be told yet, None if there is none."""
        self._throws: dict[Throw, tuple[Faces, tuple[Origin, ...]]] = {}
        self._answers: dict[tuple[str, str], list[Any]] = {}

    # -- how the game stands -------------------------------------------------------------------------------------

    @property
    def game_id(self) -> int | None:
        """Its number in the journal, None without one."""
        return self._journal[1] if self._journal is not None else None

    @property
    def n(self) -> int:
        """Number of the pending question: the number of entries so far."""
        return len(self._records)

    @property
    def over(self) -> Over | None:
        """Why the game ended, None while it goes on."""
        return self._play.over

    @property
    def game(self) -> Game:
        """The state as it stands. Only to be read, and not to be kept: going back replaces it."""
        return self._play.game

    @property
    def place(self) -> tuple[str, ...]:
        """Where the sequence of play stands, outermost first."""
        return tuple(self.game.place())

    @property
    def crumbs(self) -> tuple[Section, ...]:
        """The sections of the rules the pending question belongs to, outermost first."""
        return self._play.crumbs

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The counters shown beside the glass."""
        return self.game.pools()

    @property
    def mid_turn(self) -> bool:
        """Whether something was accepted since the turn began."""
        return self._play.milestone != len(self._play.moves)

    def seats(self) -> Mapping[str, str]:
        """Return the seats with the names people use, in their order round the table."""
        return self.game.seats()

    def short_names(self) -> Mapping[str, str]:
        """Return shorter names of seats, of those that have one."""
        return self.game.short_names()

    def odds(self) -> Odds | None:
        """Return the exact chances of what is asked; None where the book states none."""
        with self._guard:
            return self._play.odds()

    def outlook(self) -> Odds | None:
        """Return the exact chances of how it will all come out; None where the book cannot tell."""
        with self._guard:
            return self._play.outlook()

    def chances(self) -> Shown:
        """Return what is shown beside the question: its odds, or else the outlook.

        No answer depends on them, so a rulebook that fails here, or runs on, is asked once and shows none.
        """
        ask = self._play.ask.key if self._play.ask else ""
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

    def again(self) -> tuple[Any, ...]:
        """Return the answers that led to the dice of the ruling before: what "same again" means at single rulings.

        Empty unless a new ruling is about to begin.
        """
        return self._play.again()

    # -- what was accepted ---------------------------------------------------------------------------------------

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything written so far, in order."""
        return tuple(record.entry for record in self._records)

    @property
    def last(self) -> Entry:
        """The newest entry."""
        return self._records[-1].entry

    @property
    def undoable(self) -> int:
        """How many steps can be taken back."""
        return len(self.strokes)

    @property
    def latest(self) -> tuple[Event, ...]:
        """Rulings and reminders of the last accepted stroke, of a new game its opening; pauses do not count."""
        switches = ("pause", "unpause", "leave")
        last = next((record for record in reversed(self._records) if record.entry.kind not in switches), None)
        if last is None:
            return ()
        first = last.entry.seq if last.entry.group is None else last.entry.group
        return tuple(event for record in self._records[first : last.entry.seq + 1] for event in record.events)

    def _rulings(self) -> Iterator[Ruling]:
        """Yield every ruling that counts, the latest first."""
        counting = (record for record in reversed(self._records) if not record.undone)
        events = (event for record in counting for event in reversed(record.events))
        return (event for event in events if isinstance(event, Ruling))

    @property
    def last_ruling(self) -> Ruling | None:
        """The latest ruling that was not taken back, None if there is none."""
        return next(self._rulings(), None)

    @property
    def last_thrown(self) -> Ruling | None:
        """The latest ruling on dice that was not taken back, None if there is none: what ends a battle has none."""
        return next((each for each in self._rulings() if each.throws), None)

    @property
    def last_throw(self) -> LastThrow | None:
        """The roll answered last, as long as nothing accepted since, or with it, counts: see `correct_throw`."""
        if not self.strokes:
            return None
        last = self._records[self.strokes[-1].entries[0]]
        entry = last.entry
        if last.prompt is None or entry.answer == BACK:
            return None
        count = len(listed(entry.answer))
        return LastThrow(last.prompt, entry.answer, origins_of(entry.source, count, entry.extra), entry.seq)

    def last_answer(self, ask: str, seat: str | None = None) -> Any:
        """Return the latest answer that counts to that question by that seat (None: by anybody), None if none."""
        if seat is not None:
            answer = self._answers.get((ask, seat))
            return answer[-1] if answer else None
        for record in reversed(self._records):
            if record.entry.ask == ask and not record.undone and record.remembered:
                return record.entry.answer
        return None

    def dice(self) -> tuple[int, ...]:
        """Return how often each face 1 to 6 of six-sided dice fell in the throws that count."""
        fell = Counter(face for each in self._records if not each.undone for face in each.six_sided)
        return tuple(fell[face] for face in range(1, 7))

    def throws(self) -> list[Rolled]:
        """Return the throws of six-sided dice whose faces are known; those that were taken back are marked."""
        return [
            Rolled(each.entry.seat, each.rolled, origins(each), unused_of(each.entry.extra), each.undone)
            for each in self._records
            if each.six_sided
        ]

    def log(self, newest: int | None = None, since: int = 0) -> list[LogLine]:
        """Return everything that happened, in order, things taken back included and marked.

        ``newest``: only so many lines from the end, so that a long game costs no more than a short one.
        ``since``: number of the first entry whose lines are returned.
        """
        records = islice(reversed(self._records), len(self._records) - since)
        backwards = (line for record in records for line in reversed([*lines_of(record)]))
        return [*islice(backwards, newest)][::-1]

    def unchanged(self, before: int) -> int:
        """Return how many entries have the same lines in the log as when there were ``before`` entries."""
        voids = (record.entry for record in self._records[before:] if record.entry.kind == "void")
        voided: Iterator[int] = (seq for void in voids for seq in void.answer)
        return min((before, *voided))

    def steps_back_to(self, seq: int) -> int:
        """Return how many undo steps take back everything from entry ``seq`` on."""
        return sum(1 for stroke in self.strokes if stroke.entries[0] >= seq)
