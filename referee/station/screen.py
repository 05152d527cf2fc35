"""The thread that owns the display: the newest frame wins, and drawing never delays an input."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from PIL import Image

from hardware.errors import DisplayLost
from hardware.ports import Area, Display

RETRY = 1.0
"""Seconds between two attempts to reach a display that was lost."""


class Frame(NamedTuple):
    """What belongs on the glass, which screen of the console it is, and which part answers the press.

    With ``renew`` the display begins from scratch: nobody has seen it for a while, and it may have lost its power.
    """

    screen: int
    image: Image.Image
    first: Area | None
    renew: bool = False


class Shown(NamedTuple):
    """A frame reached the glass at a monotonic time."""

    screen: int
    at: float


class Lost(NamedTuple):
    """The display stopped answering."""

    text: str


class Found(NamedTuple):
    """The display answers again."""


class Alive(NamedTuple):
    """The thread has done all it was told before it was asked."""


Report = Shown | Lost | Found | Alive


class ScreenLike(Protocol):
    """What the loop needs of whatever shows its frames."""

    def start(self) -> None:
        """Begin to show."""

    def put(self, frame: Frame) -> None:
        """Want this frame on the glass."""

    def contrast(self, level: int) -> None:
        """Want this brightness, 0 to 255."""

    def ask(self) -> None:
        """Want `Alive` reported after what is shown already."""

    def stop(self) -> None:
        """Show nothing any more."""


class Screen:
    """Shows frames on a display from a thread of its own; ``report`` is called from that thread."""

    def __init__(self, display: Display, report: Callable[[Report], None]) -> None:
        self._display = display
        self._report = report
        self._wanted: Frame | None = None
        self._contrast: int | None = None
        self._asked = False
        self._stopping = False
        self._lost = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def put(self, frame: Frame) -> None:
        """Want this frame on the glass; one that has not been sent yet is forgotten."""
        with self._wake:
            renew = frame.renew or (self._wanted is not None and self._wanted.renew)
            self._wanted = frame._replace(renew=renew)
            self._wake.notify()

    def contrast(self, level: int) -> None:
        """Want this brightness, 0 to 255, from the first frame on."""
        with self._wake:
            self._contrast = level
            self._wake.notify()

    def ask(self) -> None:
        """Want a sign of life, once everything wanted so far has been sent or has failed."""
        with self._wake:
            self._asked = True
            self._wake.notify()

    def stop(self) -> None:
        """End the thread once what it sends now is sent."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        frame: Frame | None = None
        while True:
            with self._wake:
                while not self._called(frame):
                    if not self._wake.wait(RETRY if self._lost else None):
                        break  # time to try a lost display once more
                if self._stopping:
                    return
                asked, self._asked = self._asked, False
                unchanged = self._wanted is None and self._contrast is None and not self._lost
                frame, self._wanted = self._wanted or frame, None
                contrast = None
                if frame is not None:
                    contrast, self._contrast = self._contrast, None
            if frame is not None and not unchanged and not self._send(frame, contrast) and contrast is not None:
                with self._wake:
                    self._contrast = contrast
            if asked:
                self._report(Alive())

    def _called(self, frame: Frame | None) -> bool:
        """Whether there is something to do now; a lost display is tried by the clock, or for a new frame."""
        if self._stopping or self._asked or self._wanted is not None:
            return True
        return frame is not None and not self._lost and self._contrast is not None

    def _send(self, frame: Frame, contrast: int | None) -> bool:
        try:
            if frame.renew:
                self._display.renew()
            self._display.show(frame.image, frame.first)
            if contrast is not None:
                self._display.contrast(contrast)
        except DisplayLost as error:
            if not self._lost:
                self._lost = True
                self._report(Lost(str(error)))
            return False
        if self._lost:
            self._lost = False
            self._report(Found())
        self._report(Shown(frame.screen, time.monotonic()))
        return True
