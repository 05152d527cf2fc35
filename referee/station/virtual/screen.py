"""The display's thread without a thread: what it does, in the time the bus takes for it, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hardware.ports import Display
from referee.station.screen import RETRY, DisplayReport, Frame, Painter, Shown


class Bus(Protocol):
    """How long what crossed the bus has taken."""

    @property
    def seconds(self) -> float:
        """Seconds so far."""


class VirtualScreen:
    """Shows frames as `referee.station.screen.Screen` does, whenever somebody calls `due` at its `deadline`.

    With ``bus`` every transfer takes the time it takes there, and a frame that is wanted meanwhile waits; without,
    everything is shown at once. ``frames`` counts those wanted.
    """

    def __init__(self, display: Display, clock: Callable[[], float], bus: Bus | None = None) -> None:
        self.frames = 0
        self._bus = bus
        self._clock = clock
        self._report: Callable[[DisplayReport], None] = lambda _: None
        self._begun = 0.0
        self._reports: list[DisplayReport] = []
        self._busy_until: float | None = None
        self._retry_at: float | None = None
        self._painter = Painter(display, lambda: clock() + self._elapsed())
        self._painter.report = self._reports.append

    @property
    def busy(self) -> bool:
        """Whether a transfer is going on."""
        return self._busy_until is not None

    def start(self, report: Callable[[DisplayReport], None]) -> None:
        """Report what is shown from here on."""
        self._report = report

    def put(self, frame: Frame) -> None:
        """Show this next."""
        self.frames += 1
        self._painter.put(frame)
        self._go()

    def expect(self, frame: Frame, seconds: float) -> None:
        """Show this unless `settle` comes within so many seconds."""
        self._painter.expect(frame, seconds)

    def settle(self) -> bool:
        """Whether what was expected has been shown."""
        self._go()
        return self._painter.settle()

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""
        self._painter.contrast(level)
        self._go()

    def ask(self) -> None:
        """Ask whether the display answers."""
        self._painter.ask()
        self._go()

    def stop(self) -> None:
        """Nothing to stop."""

    def let_go(self) -> None:
        """End a transfer that would never have ended."""
        if self._busy_until is not None:
            self._busy_until = min(self._busy_until, self._clock())
            self.due(self._clock())

    def deadline(self) -> float | None:
        """Return when `due` is wanted next."""
        times = [at for at in (self._busy_until, None if self.busy else self._retry_at) if at is not None]
        return min(times, default=None)

    def due(self, now: float) -> None:
        """Report what has been done by now, and begin the next."""
        if self._busy_until is not None and now >= self._busy_until:
            self._busy_until = None
            self._deliver()
        if self._busy_until is None and self._retry_at is not None and now >= self._retry_at:
            self._work()
        self._go()

    def _go(self) -> None:
        while self._busy_until is None and self._painter.called:
            self._work()

    def _work(self) -> None:
        self._begun = self._bus.seconds if self._bus is not None else 0.0
        failed = self._painter.do(self._painter.job())
        if failed is not None:
            self._painter.again(failed)
        elapsed = self._elapsed()
        self._retry_at = self._clock() + elapsed + RETRY if self._painter.lost else None
        if elapsed and self.frames > 1:  # the station waits for the first
            self._busy_until = self._clock() + elapsed
        else:
            self._deliver()

    def _elapsed(self) -> float:
        return self._bus.seconds - self._begun if self._bus is not None else 0.0

    def _deliver(self) -> None:
        reports, self._reports[:] = list(self._reports), []
        for report in reports:
            if isinstance(report, Shown):  # a transfer that was let go ended sooner than it had set out to
                self._report(report._replace(at=min(report.at, self._clock())))
            else:
                self._report(report)
