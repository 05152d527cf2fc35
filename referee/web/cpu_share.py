"""A selector that limits its thread to a share of one processor, whatever the load.

Python lets one thread run at a time, and the keys of the box are heard by another: what strangers can make the panel
work must be bounded, or they would be felt at the table. Here it is bounded for all kinds of work at once.
"""

from __future__ import annotations

import selectors
import time
from typing import Final

SHARE: Final = 0.15
"""Of one processor, in the long run."""
BURST: Final = 0.3
"""Seconds of work at once: two browsers that load the page."""
LONGEST: Final = 0.05
"""Longest sleep in seconds; a piece of work that would need a longer one is not charged for the rest."""


class CpuShareSelector(selectors.DefaultSelector):
    """A selector that sleeps first if its thread has used more than its share."""

    def __init__(self) -> None:
        super().__init__()
        self._left = BURST
        self._worked = time.thread_time()
        self._at = time.monotonic()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the files that are ready, after at most ``timeout`` seconds (None: when one is) and a rest."""
        worked, now = time.thread_time(), time.monotonic()
        left = self._left + (now - self._at) * SHARE - (worked - self._worked)
        self._left = max(-LONGEST * SHARE, min(BURST, left))
        self._worked, self._at = worked, now
        if self._left < 0.0:
            time.sleep(-self._left / SHARE)
        return super().select(timeout)
