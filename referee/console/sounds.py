"""Sounds as rhythms: milliseconds on, off, on ... Pitch is never the signal.

The fault rhythm follows IEC 60601-1-8's medium priority (three equal pulses) and is repeated until it is seen.
"""

from __future__ import annotations

from typing import Final

RHYTHMS: Final[dict[str, tuple[int, ...]]] = {
    "key": (10,),
    "late": (10, 40, 10),
    "seat": (60, 90, 60),
    "none": (150,),
    "change": (60, 60, 60, 60, 200),
    "doubt": (150, 80, 10, 40, 10),
    "refusal": (200, 80, 200),
    "flag": (600, 200, 600),
    "fault": (150, 100, 150, 100, 150),
}
"""Milliseconds on, off, on ... of each sound of `referee.config.SOUNDS`."""

FAULT_EVERY: Final = 5.0
"""Seconds between two sounds of a fault or a flag until somebody presses a key."""


class Alarm:
    """A sound that goes on, every `FAULT_EVERY` seconds, until a key is pressed.

    ``due_at``  when it is to be heard next, None while nothing is wrong
    """

    def __init__(self) -> None:
        self.due_at: float | None = None
        self._sound = "fault"

    def start(self, sound: str, at: float) -> None:
        self.due_at, self._sound = at, sound

    def stop(self) -> None:
        self.due_at = None

    def take(self, now: float) -> str:
        """Return the sound that is due by ``now``, "" if none is."""
        if self.due_at is None or now < self.due_at:
            return ""
        self.due_at = now + FAULT_EVERY
        return self._sound
