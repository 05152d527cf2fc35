"""The thread that owns the display: the newest frame wins, and drawing never delays an input."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from hardware.errors import DisplayLost
from hardware.ports import Area, Display
from referee.console.drawing.raster import Raster

RETRY = 1.0
"""Seconds between two attempts to reach a display that was lost."""

PATIENCE = 2.0
"""Seconds to wait at the end for a transfer that does not return."""


class Frame(NamedTuple):
    """What belongs on the glass, which screen of the console it is, and which parts may answer the press.

    With ``renew`` the display begins from scratch: nobody has seen it for a while, and it may have lost its power.
    ``number`` tells it from other frames of the same screen.
    """

    screen: int
    picture: Raster
    first: Sequence[Area]
    renew: bool = False
    number: int = 0


class Shown(NamedTuple):
    """A frame reached the glass at a monotonic time."""

    screen: int
    at: float
    number: int = 0


class Lost(NamedTuple):
    """The display stopped answering; it answers again with the next `Shown`."""

    text: str


class Alive(NamedTuple):
    """The thread has done all it was told before it was asked."""


DisplayReport: TypeAlias = Shown | Lost | Alive


class _Job(NamedTuple):
    """What is to be done in one go, of all that was wanted by then; ``frame`` None: nothing is drawn."""

    frame: Frame | None
    contrast: int | None
    asked: bool


class Screen:
    """Shows frames on a display from a thread of its own; ``lost``: whether that does not answer."""

    def __init__(self, display: Display, clock: Callable[[], float] = time.monotonic) -> None:
        self.lost = False
        self._display = display
        self._clock = clock
        self._report: Callable[[DisplayReport], None] = lambda _: None
        self._frame: Frame | None = None
        self._wanted: Frame | None = None
        self._expected: tuple[float, Frame] | None = None
        self._overdue = False
        self._contrast: int | None = None
        self._asked = False
        self._stopping = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)

    def start(self, report: Callable[[DisplayReport], None]) -> None:
        """Start the thread, which calls ``report`` with what came of each frame."""
        self._report = report
        self._thread.start()

    def put(self, frame: Frame) -> None:
        """Want this frame on the glass; one that has not been sent yet is forgotten."""
        with self._wake:
            renew = frame.renew or (self._wanted is not None and self._wanted.renew)
            self._wanted = frame._replace(renew=renew)
            self._changed()

    def expect(self, frame: Frame, seconds: float) -> None:
        """Want this frame after so many seconds, unless `settle` comes first."""
        with self._wake:
            self._expected, self._overdue = (self._clock() + seconds, frame), False
            self._changed()

    def settle(self) -> bool:
        """Want what was expected no longer; return whether its time had come already."""
        with self._wake:
            self._expected = None
            return self._overdue

    def contrast(self, level: int) -> None:
        """Want this brightness, 0 to 255, from the first frame on."""
        with self._wake:
            self._contrast = level
            self._changed()

    def ask(self) -> None:
        """Want a sign of life, once everything wanted so far has been sent or has failed."""
        with self._wake:
            self._asked = True
            self._changed()

    def stop(self) -> None:
        """End the thread once what it sends now is sent.

        A bus that never returns is waited for no longer than `PATIENCE`.
        """
        with self._wake:
            self._stopping = True
            self._changed()
        if self._thread.ident is not None:  # it was started
            self._thread.join(PATIENCE)

    def _changed(self) -> None:
        self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not (self._stopping or self._called()):
                    if not self._wake.wait(self._patience()) and self.lost:
                        break  # time to try a lost display once more
                if self._stopping:
                    return
                job = self._job()
            self._do(job)

    def _patience(self) -> float | None:
        """Return how long there will be nothing to do, None: until something is wanted."""
        waits = [RETRY] if self.lost else []
        if self._expected is not None:
            waits.append(max(0.0, self._expected[0] - self._clock()))
        return min(waits, default=None)

    def _called(self) -> bool:
        """Return whether there is something to do now; a lost display is tried by the clock, or for a new frame."""
        if self._expected is not None and self._clock() >= self._expected[0]:
            self._wanted, self._expected, self._overdue = self._expected[1], None, True
        if self._asked or self._wanted is not None:
            return True
        return self._frame is not None and not self.lost and self._contrast is not None

    def _job(self) -> _Job:
        """Take what is wanted; a lost display is tried with the frame it should have shown."""
        asked, self._asked = self._asked, False
        draw = self._wanted is not None or self._contrast is not None or self.lost
        self._frame, self._wanted = self._wanted or self._frame, None
        if self._frame is None:
            return _Job(None, None, asked)
        contrast, self._contrast = self._contrast, None
        return _Job(self._frame if draw else None, contrast, asked)

    def _do(self, job: _Job) -> None:
        """Carry it out and report. Only this may take long."""
        if job.frame is not None and not self._send(job.frame, job.contrast):
            with self._wake:
                self._contrast = job.contrast if self._contrast is None else self._contrast
        if job.asked:
            self._report(Alive())

    def _send(self, frame: Frame, contrast: int | None) -> bool:
        try:
            if frame.renew:
                self._display.renew()
            self._display.show(frame.picture.image(), frame.first)
            if contrast is not None:
                self._display.contrast(contrast)
        except DisplayLost as error:
            if not self.lost:
                self.lost = True
                self._report(Lost(str(error)))
            return False
        self.lost = False
        if self._frame is frame:
            self._frame = frame._replace(renew=False)
        self._report(Shown(frame.screen, self._clock(), frame.number))
        return True
