"""The thread that owns the display: the newest frame wins, and drawing never delays an input."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

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


DisplayReport = Shown | Lost | Alive


class ScreenLike(Protocol):
    """What the loop needs of whatever shows its frames."""

    def start(self, report: Callable[[DisplayReport], None]) -> None:
        """Begin to show; ``report`` takes what came of it, on any thread."""

    def put(self, frame: Frame) -> None:
        """Want this frame on the glass."""

    def expect(self, frame: Frame, seconds: float) -> None:
        """Want this frame after so many seconds, unless `settle` comes first."""

    def settle(self) -> bool:
        """Want what was expected no longer; return whether its time had come already."""

    def contrast(self, level: int) -> None:
        """Want this brightness, 0 to 255."""

    def ask(self) -> None:
        """Want `Alive` reported after what is shown already."""

    def stop(self) -> None:
        """Show nothing any more."""


class Job(NamedTuple):
    """What is to be done in one go, of all that was wanted by then."""

    frame: Frame | None
    contrast: int | None
    asked: bool
    draw: bool


class Painter:
    """Knows what is wanted of a display and whether it answers; no thread. The newest frame wins.

    Whoever owns it calls `job` and then `do`, whenever something was wanted, and every `RETRY` seconds while
    the display is `lost`. Only `do` may take long.
    """

    def __init__(self, display: Display, clock: Callable[[], float] = time.monotonic) -> None:
        """``report``, to be set before anything is shown, takes what came of it."""
        self.lost = False
        self.report: Callable[[DisplayReport], None] = lambda _: None
        self._display = display
        self._clock = clock
        self._frame: Frame | None = None
        self._wanted: Frame | None = None
        self._expected: tuple[float, Frame] | None = None
        self._overdue = False
        self._contrast: int | None = None
        self._asked = False

    def put(self, frame: Frame) -> None:
        """Want this frame; one that has not been sent yet is forgotten."""
        renew = frame.renew or (self._wanted is not None and self._wanted.renew)
        self._wanted = frame._replace(renew=renew)

    def expect(self, frame: Frame, seconds: float) -> None:
        """Want this frame after so many seconds."""
        self._expected, self._overdue = (self._clock() + seconds, frame), False

    def settle(self) -> bool:
        """Want it no longer; return whether its time had come already."""
        self._expected = None
        return self._overdue

    def patience(self) -> float | None:
        """Return how long there will be nothing to do, None: until something is wanted."""
        waits = [RETRY] if self.lost else []
        if self._expected is not None:
            waits.append(max(0.0, self._expected[0] - self._clock()))
        return min(waits, default=None)

    def contrast(self, level: int) -> None:
        """Want this brightness, from the first frame on."""
        self._contrast = level

    def ask(self) -> None:
        """Want a sign of life."""
        self._asked = True

    @property
    def called(self) -> bool:
        """Whether there is something to do now; a lost display is tried by the clock, or for a new frame."""
        if self._expected is not None and self._clock() >= self._expected[0]:
            self.put(self._expected[1])
            self._expected, self._overdue = None, True
        if self._asked or self._wanted is not None:
            return True
        return self._frame is not None and not self.lost and self._contrast is not None

    def job(self) -> Job:
        """Take what is wanted; a lost display is tried with the frame it should have shown."""
        asked, self._asked = self._asked, False
        draw = self._wanted is not None or self._contrast is not None or self.lost
        self._frame, self._wanted = self._wanted or self._frame, None
        contrast = None
        if self._frame is not None:
            contrast, self._contrast = self._contrast, None
        return Job(self._frame, contrast, asked, draw and self._frame is not None)

    def do(self, job: Job) -> int | None:
        """Carry it out and report; return the brightness that could not be set, if any."""
        failed = job.contrast if job.draw and not self._send(job) else None
        if job.asked:
            self.report(Alive())
        return failed

    def again(self, contrast: int) -> None:
        """Want a brightness that could not be set, unless another has been wanted meanwhile."""
        if self._contrast is None:
            self._contrast = contrast

    def _send(self, job: Job) -> bool:
        frame = job.frame
        assert frame is not None
        try:
            if frame.renew:
                self._display.renew()
            self._display.show(frame.picture.image(), frame.first)
            if job.contrast is not None:
                self._display.contrast(job.contrast)
        except DisplayLost as error:
            if not self.lost:
                self.lost = True
                self.report(Lost(str(error)))
            return False
        self.lost = False
        if self._frame is frame:
            self._frame = frame._replace(renew=False)
        self.report(Shown(frame.screen, self._clock(), frame.number))
        return True


class Screen:
    """Shows frames on a display from a thread of its own."""

    def __init__(self, display: Display) -> None:
        self._painter = Painter(display)
        self._stopping = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)

    def start(self, report: Callable[[DisplayReport], None]) -> None:
        """Start the thread, which calls ``report`` with what came of each frame."""
        self._painter.report = report
        self._thread.start()

    def put(self, frame: Frame) -> None:
        """Want this frame on the glass; one that has not been sent yet is forgotten."""
        with self._wake:
            self._painter.put(frame)
            self._wake.notify()

    def expect(self, frame: Frame, seconds: float) -> None:
        """Want this frame after so many seconds, unless `settle` comes first."""
        with self._wake:
            self._painter.expect(frame, seconds)
            self._wake.notify()

    def settle(self) -> bool:
        """Want what was expected no longer; return whether its time had come already."""
        with self._wake:
            return self._painter.settle()

    def contrast(self, level: int) -> None:
        """Want this brightness, 0 to 255, from the first frame on."""
        with self._wake:
            self._painter.contrast(level)
            self._wake.notify()

    def ask(self) -> None:
        """Want a sign of life, once everything wanted so far has been sent or has failed."""
        with self._wake:
            self._painter.ask()
            self._wake.notify()

    def stop(self) -> None:
        """End the thread once what it sends now is sent.

        A bus that never returns is waited for no longer than `PATIENCE`.
        """
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread.ident is not None:  # it was started
            self._thread.join(PATIENCE)

    def _run(self) -> None:
        painter = self._painter
        while True:
            with self._wake:
                while not (self._stopping or painter.called):
                    if not self._wake.wait(painter.patience()) and painter.lost:
                        break  # time to try a lost display once more
                if self._stopping:
                    return
                job = painter.job()
            failed = painter.do(job)
            if failed is not None:
                with self._wake:
                    painter.again(failed)
