"""When dice have come to rest: nothing moves for `QUIET`, and three readings say the same. Pure.

Dice that stay where they lay, with the face they had, were not thrown: only the others are told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.dice.tray.geometry import Array
from hardware.dice.tray.reader import SeenDie, Sight

QUIET = 0.4
"""Seconds in which nothing may move before a throw is told."""

FIRST = 0.2
"""Seconds without movement after which readings begin."""

EQUAL, TRIES = 3, 12
"""So many readings in a row have to say the same; after so many that do not, the throw is in doubt."""

COVERED = 3.0
"""Seconds after which what covers the tray is told, since that is no hand."""

SMALL = 160, 120
MOVED = 9.0
"""How much the mean of 3 x 3 pixels of a small picture changes where something moves, of 255."""

NEAR = 6.0
"""Pixels by which a die that lies still may seem to have moved."""


@dataclass(frozen=True)
class Settled:
    """The dice lie still. ``dice``: those that were thrown; ``started``: when the first movement was seen."""

    why: str
    dice: tuple[SeenDie, ...]
    started: float
    at: float


def small(picture: Array) -> Array:
    """Return a picture in which movement is looked for."""
    grey = cv2.cvtColor(cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return cv2.blur(grey.astype(np.float32), (3, 3))


def moved(before: Array, now: Array) -> bool:
    """Whether something moved between two small pictures; a change of the light alone is no movement."""
    change = now - before
    return bool(np.abs(change - np.median(change[::4, ::4])).max() > MOVED)


class Settling:
    """Frames in, throws out."""

    def __init__(self, read: Callable[[Array], Sight]) -> None:
        self._read = read
        self._last: Array | None = None
        self._still: Array | None = None
        self._still_since = 0.0
        self._started: float | None = None
        self._sights: list[Sight] = []
        self._lying: tuple[SeenDie, ...] = ()
        self._first = True

    def feed(self, picture: Array, at: float) -> Iterator[Settled]:
        """Take a frame; yield what it says. Times are seconds of one monotonic clock."""
        now = small(picture)
        before, self._last = self._last, now
        if before is None or self._still is None:
            # Nobody saw how what lies there came to lie there: it was not thrown now.
            self._still, self._still_since, self._started = now, at, at
        elif moved(before, now) or moved(self._still, now):  # the other for what creeps
            if self._started is None:
                self._started = at
            self._still, self._still_since = now, at
            self._sights.clear()
        elif self._started is not None and at - self._still_since >= FIRST:
            self._sights.append(self._read(picture))
            yield from self._end(at)

    def _end(self, at: float) -> Iterator[Settled]:
        last = self._sights[-EQUAL:]
        equal = len(last) == EQUAL and all(_same(last[0], other) for other in last[1:])
        if at - self._still_since < QUIET or not (equal or len(self._sights) >= TRIES):
            return
        assert self._started is not None
        sight, started = last[-1], self._started
        if sight.why == "covered" and at - self._still_since < COVERED:
            return  # a hand
        lying, self._lying = self._lying, sight.dice
        first, self._first = self._first, False
        self._started = None
        self._sights.clear()
        thrown = tuple(die for die in sight.dice if die.face is None or not _lay(die, lying))
        if sight.why == "covered":
            thrown = (SeenDie(None, 0.0, 0.0, 0.0),)
        if thrown and not first:
            yield Settled(sight.why or ("" if equal else "unsure"), thrown, started, at)


def _lay(die: SeenDie, lying: Sequence[SeenDie]) -> bool:
    return any(die.face == other.face and _near(die, other) for other in lying)


def _near(one: SeenDie, other: SeenDie) -> bool:
    return math.hypot(one.x - other.x, one.y - other.y) <= NEAR


def _same(one: Sight, other: Sight) -> bool:
    """Whether two readings say the same of the same dice."""
    return (
        one.why == other.why and len(one.dice) == len(other.dice) and all(_lay(die, other.dice) for die in one.dice)
    )
