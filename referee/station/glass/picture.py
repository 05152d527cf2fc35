"""What is on the glass of a station: the newest picture of the console, spared and watched over."""

from __future__ import annotations

from collections.abc import Callable

from referee.config import Glass
from referee.console.drawing.raster import Raster
from referee.console.drawing.screens import compose
from referee.console.views import View
from referee.station.glass.care import Care
from referee.station.glass.screen import Frame, ScreenLike, Shown
from referee.station.glass.slow import SlowDisk
from referee.station.glass.vigil import Vigil


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
