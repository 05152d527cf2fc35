"""What the boxes play right now, followed from what has arrived: the latest game of each, and its clocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from referee.errors import JournalError
from referee.hall.branches import Branches
from referee.hall.uplink.intake import Arrival, Intake, Node
from referee.journal.chain import ends
from referee.journal.file import NOTES

BLANK: Final[Mapping[str, Any]] = {}
MOST_WALL: Final = 1 << 33
"""Seconds since 1970 that a box may name, past the year 2200."""


@dataclass(frozen=True, slots=True)
class Played:
    """The latest game of a box. It is a `referee.hall.judging.judge.Game`.

    ``first``  hash of its entry 0; ``number``: of the game in its journal
    """

    branches: Branches
    box: str
    first: str
    number: int

    @property
    def name(self) -> str:
        """What tells it from every other game: another box may have an entry 0 with the same hash."""
        return f"{self.box} {self.first}"

    @property
    def entries(self) -> int:
        """How many entries it has by now."""
        tail = self._tail()
        return 0 if tail is None else tail.seq + 1

    def records(self, since: int) -> list[dict[str, Any]]:
        """Return its entries from that number on, of the newest branch that counts."""
        tail = self._tail()
        return self.branches.intake.records(tail, since) if tail is not None else []

    def _tail(self) -> Node | None:
        end = self.branches.end(self.box)
        tail = self.branches.intake.tail(end, self.number) if end is not None else None
        return tail if tail is not None and tail.first == self.first else None


@dataclass(slots=True)
class Live:
    """What is known of a box.

    ``control``   how its seat clocks were set; ``clock``: their newest record; ``at``: when that came, s
    ``answered``  whether that record is an entry's, and not a note
    ``played``    when it was last played, ms since 1970 UTC: by the hall's clock, or, of a game that was begun before
                  the hall was started, when the box says that it was begun
    """

    game: Played | None = None
    control: Mapping[str, Any] = field(default_factory=dict)
    clock: Mapping[str, Any] = field(default_factory=dict)
    at: float = 0.0
    answered: bool = False
    played: int = 0


class Follower:
    """See the module. ``live``: by the key of the box."""

    def __init__(
        self,
        intake: Intake,
        judge: Callable[[Played], None],
        note: Callable[[Arrival], None],
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], int] = lambda: 0,
        branches: Branches | None = None,
    ) -> None:
        """``judge``: has a game judged that went on; ``note``: is told every note beside a game, perhaps again.

        ``now``: the time of day, ms since 1970 UTC; ``branches``: which of them count, None: the newest.
        """
        self.live: dict[str, Live] = {}
        self._intake = intake
        self._judge = judge
        self._note = note
        self._clock = clock
        self._now = now
        self._branches = branches or Branches(intake)
        self._beside: dict[tuple[str, str], bool] = {}
        self._cursor = 0

    def begin(self) -> None:
        """Take up what came before: the latest game of each box, and all notes."""
        self._cursor = self._intake.newest()
        for key in self._intake.admitted_keys():
            self._begin(key)
        for arrival in self._intake.notes():
            self._take_note(arrival)

    def choose(self, key: str, notes: Iterable[Arrival]) -> None:
        """Show what counts of a box from now on: a judge has chosen a branch of its journal, or none any more."""
        self.live.pop(key, None)
        self._begin(key)
        for arrival in notes:
            self._take_note(arrival)

    def _begin(self, key: str) -> None:
        end = self._branches.end(key)
        tails = sorted(self._intake.games(end), key=lambda each: -each.at) if end is not None else []
        latest = next((tail for tail in tails if not self.is_beside(key, tail.first)), None)
        if latest is not None:
            played = Played(self._branches, key, latest.first, latest.game)
            self.live[key] = Live(played, played=self._begun(key, latest.first))
            self._judge(played)

    def follow(self) -> None:
        """Take up what has come since."""
        while arrivals := self._intake.arrivals(self._cursor):
            for arrival in arrivals:
                before, self._cursor = self._cursor, arrival.number
                try:
                    self._take(arrival)
                except JournalError:  # the intake is away in the middle of it
                    self._cursor = before
                    raise

    def _take(self, arrival: Arrival) -> None:
        if self.is_beside(arrival.key, arrival.first):
            self._take_note(arrival)
            return
        if not self._branches.counts(arrival.key, arrival.hash):
            return
        live = self.live.setdefault(arrival.key, Live())
        if live.game is None or live.game.first != arrival.first:
            played = Played(self._branches, arrival.key, arrival.first, int(arrival.record["game"]))
            live = self.live[arrival.key] = Live(played)
        self._take_clock(live, arrival)
        if not ends(arrival.record):  # what ends a game may put away one of an earlier round
            live.played = self._now()
        assert live.game is not None
        self._judge(live.game)

    def _take_note(self, arrival: Arrival) -> None:
        extra = arrival.record.get("extra", BLANK)
        of = extra.get("of")
        live = self.live.get(arrival.key)
        game = of.get("game") if isinstance(of, dict) else None
        if live is not None and live.game is not None and game == live.game.number:
            self._take_clock(live, arrival)
        if arrival.record["kind"] == "note":
            self._note(arrival)

    def _take_clock(self, live: Live, arrival: Arrival) -> None:
        clock = arrival.record.get("extra", BLANK).get("clock")
        if isinstance(clock, dict) and self._branches.counts(arrival.key, arrival.hash):
            live.clock, live.at = clock, self._clock()
            live.answered = "what" not in clock
            if clock.get("what") in ("set", "off"):
                live.control = clock

    def _begun(self, key: str, first: str) -> int:
        start = self._intake.find(key, first)
        wall = self._intake.records(start)[0]["wall"] if start is not None else 0
        return int(wall * 1000) if 0 < wall < MOST_WALL else 0

    def is_beside(self, key: str, first: str) -> bool:
        """Whether a chain is that of the notes beside a game."""
        if (key, first) not in self._beside:
            start = self._intake.find(key, first)
            answer = self._intake.records(start)[0]["answer"] if start is not None else None
            self._beside[key, first] = isinstance(answer, dict) and answer.get("book") == NOTES
        return self._beside[key, first]
