"""Burn-in protection: dims the display and moves its picture, by the time since the last key. Pure.

An OLED's pixels fade by the light they give, so a picture that stands still is seen long after it is gone. The
clock is the last input, never the last drawing: a picture that draws itself anew would keep the glass awake.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.config import Glass
from referee.console.drawing.raster import Raster

MINUTE: Final = 60.0

ORBIT: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Offsets of the picture, in pixels right and down, never more than one pixel from its place."""


@dataclass(frozen=True)
class Look:
    """How the picture is shown: brightness, and offset in pixels right and down."""

    contrast: int
    shift: tuple[int, int] = (0, 0)

    def moved(self, picture: Raster) -> Raster:
        """Return the picture at its offset, cropped to the glass."""
        if self.shift == (0, 0):
            return picture
        return picture.moved(*self.shift)


class Care:
    """Computes how the glass should look, and when that changes next. Times are monotonic, in seconds."""

    def __init__(self, glass: Glass, now: float) -> None:
        self._glass = glass
        self._dim = glass.dim_minutes * MINUTE
        self._drift = glass.drift_minutes * MINUTE
        self._drifted = 0
        self.touched(now)

    def touched(self, now: float) -> None:
        """Note a key or a turn: full brightness, no offset."""
        self._dim_at = now + self._dim if self._dim else None
        self._drift_at = now + self._drift if self._drift else None
        self._dimmed = False
        self._drifted = 0

    def look(self, now: float) -> Look:
        """Return how the glass should look now."""
        if self._dim_at is not None and now >= self._dim_at:
            self._dimmed, self._dim_at = True, None
        while self._drift_at is not None and now >= self._drift_at:
            self._drifted += 1
            self._drift_at += self._drift
        contrast = self._glass.dim_contrast if self._dimmed else self._glass.contrast
        return Look(contrast, ORBIT[self._drifted % len(ORBIT)])

    def deadline(self) -> float | None:
        """Return when the look changes next if nothing is touched; None: never."""
        return min((at for at in (self._dim_at, self._drift_at) if at is not None), default=None)
