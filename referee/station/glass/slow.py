"""A disk that takes long is seen: while a stroke is written, the glass says so in place of the question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from referee.console.drawing.raster import Raster
from referee.console.drawing.screens import compose
from referee.console.views import Notice
from referee.station.glass.screen import Frame, ScreenLike

PATIENCE: Final = 0.5
"""Seconds a stroke may take to be written before the glass says that the disk is slow."""

NO_SCREEN: Final = -1
"""The number of a picture that is no screen of the console: no press can be meant for it."""

WAIT: Final = Notice("Saving", "The disk is slow. Keys are ignored.")


class SlowDisk:
    """What the journal enters while it writes."""

    def __init__(self, screen: ScreenLike, size: tuple[int, int]) -> None:
        """``size`` of the glass, in pixels."""
        self.size = size
        self._screen = screen
        self._frame = Frame(NO_SCREEN, Raster(*size), ())
        self._covered = False

    def prepare(self) -> None:
        """Draw what may have to be shown: later there is no time for it."""
        self._frame = self._frame._replace(picture=compose(WAIT, self.size))

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While this lasts, a disk that takes long is seen."""
        self._screen.expect(self._frame, PATIENCE)
        try:
            yield
        finally:
            self._covered |= self._screen.settle()

    def uncover(self) -> bool:
        """Return whether the glass was covered since the last call, so that it must be drawn again."""
        covered, self._covered = self._covered, False
        return covered
