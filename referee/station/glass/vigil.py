"""Whether the display's thread comes back from what it was given: a bus can hang within a transfer. Pure."""

from __future__ import annotations

from typing import Final

from referee.station.glass.screen import Shown

HANGS: Final = 2.0
"""Seconds after which a picture should long have been on the glass: at 100 kHz the largest takes a tenth of one."""


class Vigil:
    """Watches over the newest frame; a display that is known to be lost is not waited for. Times are monotonic.

    ``dark``  whether the glass does not show what it should, because it is lost or hangs
    """

    def __init__(self) -> None:
        self.dark = False
        self._newest = 0
        self._sent_at = 0.0
        self._due_at: float | None = None

    def sent(self, now: float) -> int:
        """Take that a frame is on its way; return its number."""
        self._newest += 1
        self._sent_at = now
        if self._due_at is None and not self.dark:
            self._due_at = now + HANGS
        return self._newest

    def shown(self, shown: Shown) -> bool:
        """Take that one arrived; say whether the glass was thought dark."""
        was_dark, self.dark = self.dark, False
        if self._due_at is not None:
            # The newest may have been given long after that, by a loop that had to wait for the disk.
            since = max(shown.at, self._sent_at)
            self._due_at = None if shown.number == self._newest else since + HANGS
        return was_dark

    def lost(self) -> None:
        """Take that the display does not answer."""
        self.dark, self._due_at = True, None

    def due(self, now: float) -> bool:
        """Return whether it hangs, and is noticed now."""
        if self._due_at is None or now < self._due_at:
            return False
        self.lost()
        return True

    def deadline(self) -> float | None:
        """Return when `due` should be called next, None: nothing is on its way."""
        return self._due_at
