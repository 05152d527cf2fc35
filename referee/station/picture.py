"""What is on the glass of a station: the newest picture of the console, spared and watched over. No threads."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from referee.config import Glass
from referee.console.cards.notices import ruling_views
from referee.console.drawing.raster import Raster
from referee.console.drawing.screens import SMALL, compose
from referee.console.views import Notice, View
from referee.rulebook import Ruling
from referee.station.screen import Frame, Screen, Shown

MINUTE: Final = 60.0

ORBIT: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Offsets of the picture, in pixels right and down, never more than one pixel from its place."""

HANGS: Final = 2.0
"""Seconds after which a picture should long have been on the glass: at 100 kHz the largest takes a tenth of one."""

PATIENCE: Final = 0.5
"""Seconds a stroke may take to be written before the glass says that the disk is slow."""

WAIT: Final = Notice("Saving", "The disk is slow. Keys are ignored.")


def picture_of(ruling: Ruling) -> bytes:
    """Return the glass of a ruling as a PNG file, written without Pillow, which a browser's Python has not."""
    canvas = compose(ruling_views(ruling)[-1], SMALL)
    bits, width = canvas.packed(), canvas.width // 8
    rows = b"".join(b"\0" + bits[at : at + width] for at in range(0, len(bits), width))
    head = struct.pack(">IIBBBBB", canvas.width, canvas.height, 1, 0, 0, 0, 0)
    chunks = (b"IHDR" + head, b"IDAT" + zlib.compress(rows, 9), b"IEND")
    packed = (struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


class Look(NamedTuple):
    """How the picture is shown: brightness, and offset in pixels right and down."""

    contrast: int
    shift: tuple[int, int] = (0, 0)


class Care:
    """Computes how the glass should look, and when that changes next. Times are monotonic, in seconds."""

    def __init__(self, glass: Glass, now: float) -> None:
        self._glass = glass
        self._dim, self._drift = glass.dim_minutes * MINUTE, glass.drift_minutes * MINUTE
        self.touched(now)

    def touched(self, now: float) -> None:
        """Note a key or a turn: full brightness, no offset."""
        self._since = self._looked = now

    def look(self, now: float) -> Look:
        """Return how the glass should look now."""
        self._looked = now
        contrast = self._glass.dim_contrast if self._dim and now >= self._since + self._dim else self._glass.contrast
        return Look(contrast, ORBIT[self._steps() % len(ORBIT)])

    def deadline(self) -> float | None:
        """Return when the look changes next if nothing is touched; None: never."""
        times = [self._since + self._dim] if self._dim and self._looked < self._since + self._dim else []
        if self._drift:
            times.append(self._since + (self._steps() + 1) * self._drift)
        return min(times, default=None)

    def _steps(self) -> int:
        # A rounding error must not have the same moment come again.
        return int((self._looked - self._since + 1e-6) // self._drift) if self._drift else 0


class SlowDisk:
    """What the journal enters while it writes."""

    def __init__(self, screen: Screen, size: tuple[int, int]) -> None:
        """``size`` of the glass, in pixels."""
        self.size = size
        self._screen = screen
        self._frame = Frame(-1, Raster(*size), ())  # no screen of the console: no press can be meant for it
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
    ``dark``   whether the glass does not show what it should, because the display is lost or hangs
    """

    def __init__(
        self, screen: Screen, slow: SlowDisk, glass: Glass, clock: Callable[[], float], *, enlarged: bool = False
    ) -> None:
        now = clock()
        self._enlarged = enlarged
        self._clock = clock
        self._screen = screen
        self._slow = slow
        self._care = Care(glass, now)
        self._look = self._care.look(now)
        self._renew = False
        self._newest = 0
        self._sent_at = 0.0
        self._due_at: float | None = None
        self.dark = False
        self.drawn: tuple[int, View] | None = None
        self.raster: Raster | None = None
        self.public: Raster | None = None
        self.cover: View | None = None

    def open(self) -> None:
        """Set the brightness, once the first picture is shown."""
        self._screen.contrast(self._look.contrast)

    def touched(self, now: float) -> bool:
        """Somebody is there: be bright. Return whether it has to be shown differently for that."""
        self._care.touched(now)
        return self._care.look(now) != self._look

    def renew(self) -> None:
        """Send the next picture whole: who sees nothing reaches for the menu, and what lost its power comes back."""
        self._renew = True

    def shown(self, shown: Shown) -> bool:
        """Take that a picture arrived; return whether the glass was thought dark."""
        was_dark, self.dark = self.dark, False
        if self._due_at is not None:
            # The newest may have been given long after that, by a loop that had to wait for the disk.
            since = max(shown.at, self._sent_at)
            self._due_at = None if shown.number == self._newest else since + HANGS
        return was_dark

    def lost(self) -> None:
        """Take that the display does not answer; it is not waited for."""
        self.dark, self._due_at = True, None

    def hangs(self, now: float) -> bool:
        """Return whether the display hangs, and is noticed now."""
        if self._due_at is None or now < self._due_at:
            return False
        self.lost()
        return True

    def deadline(self) -> float | None:
        """Return when something of this is due, or None."""
        return min((at for at in (self._care.deadline(), self._due_at) if at is not None), default=None)

    def put(self, screen: int, view: View, now: float, cover: View | None = None) -> bool:
        """Have this shown, if anything of it is new; return whether it is. ``cover``: for the eyes of others."""
        look, before = self._care.look(now), self._look
        self._look = look
        renew = look.shift != before.shift or self._renew
        new = self._slow.uncover() or self.drawn != (screen, view) or renew
        if new:
            self.drawn, self.cover = (screen, view), cover
            canvas = compose(view, self._slow.size, enlarged=self._enlarged)
            self.raster = self.public = self.moved(canvas)
            if cover is not None:
                self.public = self.moved(compose(cover, self._slow.size, enlarged=self._enlarged))
            self._renew = False
            self._send(Frame(screen, self.raster, tuple(canvas.answers), renew))
        if look.contrast != before.contrast:
            self._screen.contrast(look.contrast)
        return new

    def moved(self, picture: Raster) -> Raster:
        """Return a picture as it is shown now: at its offset, cropped to the glass."""
        return picture if self._look.shift == (0, 0) else picture.moved(*self._look.shift)

    def _send(self, frame: Frame) -> None:
        now = self._clock()
        self._newest += 1
        self._sent_at = now
        if self._due_at is None and not self.dark:
            self._due_at = now + HANGS
        self._screen.put(frame._replace(number=self._newest))
