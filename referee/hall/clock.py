"""The time of day for a hall that runs: what somebody does to the computer's clock meanwhile changes no round."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

JUMP: Final = 60.0
"""Seconds that the computer's clock may differ before people are told."""


def passing() -> float:
    """Return seconds that pass while the computer sleeps, too, where its system knows that."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class SteadyClock:
    """Seconds since 1970 UTC: the time of day at the start, and what has passed since."""

    def __init__(self, wall: Callable[[], float] = time.time, passed: Callable[[], float] = passing) -> None:
        self._wall, self._passed = wall, passed
        self._offset = wall() - passed()

    def __call__(self) -> float:
        """Return the time of day."""
        return self._offset + self._passed()

    @property
    def warning(self) -> str:
        """What people are told of a clock that was set, "" for nothing."""
        jumped = self._wall() - self()
        if abs(jumped) < JUMP:
            return ""
        minutes = round(abs(jumped) / 60)
        way = "forward" if jumped > 0 else "back"
        return (
            f"The clock of this computer was set {way} by {minutes} min. Rounds go on by the time that has passed. "
            "Start the hall again between two rounds, and times of day are right, too."
        )
