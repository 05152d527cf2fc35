"""What is on the glass of a station: the newest picture of the console, spared and watched over. No threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from referee.config import Glass
from referee.console.drawing.raster import Raster
from referee.console.drawing.screens import compose
from referee.console.views import Notice, View
from referee.station.screen import Frame, ScreenLike, Shown

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


class Picture:
    """Belongs to the loop's thread.

    ``drawn``  number of the screen and its view, None before the first
    ``raster``  what was drawn of it; ``public``: what all but judges see of it in a browser
    ``cover``  what those are shown in its place, None: the same
    """

    def __init__(self, screen: ScreenLike, slow: SlowDisk, glass: Glass, clock: Callable[[], float]) -> None:
        now = clock()
        self._clock = clock
        self._screen = screen
        self._slow = slow
        self._care = Care(glass, now)
        self._look = self._care.look(now)
        self._vigil = Vigil()
        self._renew = False
        self.drawn: tuple[int, View] | None = None
        self.raster: Raster | None = None
        self.public: Raster | None = None
        self.cover: View | None = None

    def open(self) -> None:
        """Set the brightness, once the first picture is shown."""
        self._screen.contrast(self._look.contrast)

    @property
    def dark(self) -> bool:
        """Whether the glass does not show what it should, because the display is lost or hangs."""
        return self._vigil.dark

    def touched(self, now: float) -> bool:
        """Somebody is there: be bright. Return whether it has to be shown differently for that."""
        self._care.touched(now)
        return self._care.look(now) != self._look

    def renew(self) -> None:
        """Send the next picture whole: who sees nothing reaches for the menu, and what lost its power comes back."""
        self._renew = True

    def shown(self, shown: Shown) -> bool:
        """Take that a picture arrived; return whether the glass was thought dark."""
        return self._vigil.shown(shown)

    def lost(self) -> None:
        """Take that the display does not answer."""
        self._vigil.lost()

    def hangs(self, now: float) -> bool:
        """Return whether the display hangs, and is noticed now."""
        return self._vigil.due(now)

    def deadline(self) -> float | None:
        """Return when something of this is due, or None."""
        return min((at for at in (self._care.deadline(), self._vigil.deadline()) if at is not None), default=None)

    def put(self, screen: int, view: View, now: float, cover: View | None = None) -> bool:
        """Have this shown, if anything of it is new; return whether it is. ``cover``: for the eyes of others."""
        look, before = self._care.look(now), self._look
        renew = look.shift != before.shift or self._renew
        new = self._slow.uncover() or self.drawn != (screen, view) or renew
        if new:
            self.drawn = (screen, view)
            canvas = compose(view, self._slow.size)
            self.raster = self.public = look.moved(canvas)
            self.cover = cover
            if cover is not None:
                self.public = look.moved(compose(cover, self._slow.size))
            self._renew = False
            self._screen.put(
                Frame(screen, self.raster, tuple(canvas.answers), renew, self._vigil.sent(self._clock()))
            )
        if look.contrast != before.contrast:
            self._screen.contrast(look.contrast)
        self._look = look
        return new
