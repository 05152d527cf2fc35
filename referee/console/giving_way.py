"""When a screen may give way by itself: not under somebody's hand, nor before it was read aloud. Pure."""

from __future__ import annotations

from typing import Final

QUIET: Final = 1.0
"""Seconds without a press or a detent before a screen gives way by itself: nobody is to press into its successor."""

READING: Final = 30.0
"""Seconds after which a screen gives way by itself though a voice still reads it."""


class GivingWay:
    """Remembers when a key was touched last, and which voices read the glass aloud. All times are seconds."""

    def __init__(self) -> None:
        self._touched_at = float("-inf")
        self._voices: set[str] = set()
        self._silent_at = float("-inf")

    def touched(self, at: float) -> None:
        """A key was pressed, let go or turned."""
        self._touched_at = at

    def voice(self, source: str, at: float, *, speaks: bool) -> None:
        """A voice has begun to read, or is silent again; ``source`` names it.

        Meanwhile nothing gives way by itself, nor for `QUIET` after, but nothing stays for longer than `READING`.
        """
        if speaks:
            self._voices.add(source)
        elif source in self._voices:
            self._voices.remove(source)
            self._silent_at = at

    def at(self, shown_at: float, after: float) -> float:
        """Return when a screen that was shown then, and is read in ``after`` seconds, gives way."""
        at_last = shown_at + max(after, READING)
        read_at = at_last if self._voices else min(self._silent_at + QUIET, at_last)
        return max(shown_at + after, self._touched_at + QUIET, read_at)
