"""The line of play as clocks see it: which strokes began moves, so that what was taken back brings no time twice."""

from __future__ import annotations

from typing import NamedTuple

from referee.clock.clocks import Clocks
from referee.clock.seen import Seen


class _Began(NamedTuple):
    """A move that began at a stroke, and whose was the one before."""

    stroke: int
    before: str


class _Asked(NamedTuple):
    """How the clocks stood when what follows a stroke was first asked."""

    stroke: int
    clocks: Clocks


class Line:
    """The strokes that count, since the clocks were set or taken up again.

    ``owed``  moves that were taken back and not made again
    """

    def __init__(self, owed: int = 0) -> None:
        self.owed = owed
        self._began: list[_Began] = []
        self._asked: list[_Asked] = []
        self._stroke = self._entries = 0

    def begin(self, seen: Seen, before: str) -> bool:
        """Take note of a move that begins; return whether it counts, or was begun before and taken back."""
        counts = not self.owed
        self.owed -= not counts
        self._began.append(_Began(seen.stroke, before))
        return counts

    def follow(self, seen: Seen, clocks: Clocks) -> None:
        """Take note of how the clocks stand while this is asked."""
        self._stroke, self._entries = seen.stroke, seen.entries
        if not self._asked or self._asked[-1].stroke < seen.stroke:
            self._asked.append(_Asked(seen.stroke, clocks))

    def take_back(self, seen: Seen, clocks: Clocks, *, time: bool) -> Clocks:
        """Return the clocks behind moves whose strokes were taken back. ``time``: the time is given back, too."""
        if seen.entries == self._entries or seen.stroke > self._stroke:
            return clocks
        redone = seen.stroke == self._stroke  # one stroke has taken the place of another
        while self._began and self._began[-1].stroke > seen.stroke - redone:
            clocks = clocks.move(self._began.pop().before, clocks.at, counts=False)
            self.owed += 1
        while self._asked and self._asked[-1].stroke > seen.stroke:
            self._asked.pop()
        if time and not redone and self._asked and self._asked[-1].stroke == seen.stroke:
            self.owed = 0
            return clocks.as_before(self._asked[-1].clocks)
        return clocks
