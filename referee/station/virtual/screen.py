"""The display's thread without a thread: what it does, in the time the bus takes for it, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hardware.ports import Display
from referee.station.screen import RETRY, DisplayReport, Frame, Screen, Shown


class Bus(Protocol):
    """How long what crossed the bus has taken."""

    @property
    def seconds(self) -> float:
        """Seconds so far."""


class VirtualScreen(Screen):
    """Works whenever somebody calls `due` at its `deadline`.

    With ``bus`` every transfer takes the time it takes there, and a frame that is wanted meanwhile waits; without,
    everything is shown at once. ``frames`` counts those wanted.
    """

    def __init__(self, display: Display, clock: Callable[[], float], bus: Bus | None = None) -> None:
        super().__init__(display, lambda: clock() + self._elapsed())
        self.frames = 0
        self._bus = bus
        self._now = clock
        self._told: Callable[[DisplayReport], None] = lambda _: None
        self._begun = 0.0
        self._reports: list[DisplayReport] = []
        self._report = self._reports.append
        self._busy_until: float | None = None
        self._retry_at: float | None = None

    @property
    def busy(self) -> bool:
        """Whether a transfer is going on."""
        return self._busy_until is not None

    def start(self, report: Callable[[DisplayReport], None]) -> None:
        """Report what is shown from here on."""
        self._told = report

    def put(self, frame: Frame) -> None:
        """Show this next."""
        self.frames += 1
        super().put(frame)

    def settle(self) -> bool:
        """Whether what was expected has been shown."""
        self._changed()
        return super().settle()

    def let_go(self) -> None:
        """End a transfer that would never have ended."""
        if self._busy_until is not None:
            self._busy_until = min(self._busy_until, self._now())
            self.due(self._now())

    def deadline(self) -> float | None:
        """Return when `due` is wanted next."""
        return self._busy_until if self.busy else self._retry_at

    def due(self, now: float) -> None:
        """Report what has been done by now, and begin the next."""
        if self._busy_until is not None and now >= self._busy_until:
            self._busy_until = None
            self._deliver()
        if self._busy_until is None and self._retry_at is not None and now >= self._retry_at:
            self._work()
        self._changed()

    def _changed(self) -> None:
        while self._busy_until is None and not self._stopping and self._called():
            self._work()

    def _work(self) -> None:
        self._begun = self._bus.seconds if self._bus is not None else 0.0
        self._do(self._job())
        elapsed = self._elapsed()
        self._retry_at = self._now() + elapsed + RETRY if self.lost else None
        if elapsed and self.frames > 1:  # the station waits for the first
            self._busy_until = self._now() + elapsed
        else:
            self._deliver()

    def _elapsed(self) -> float:
        return self._bus.seconds - self._begun if self._bus is not None else 0.0

    def _deliver(self) -> None:
        reports, self._reports[:] = list(self._reports), []
        for report in reports:
            if isinstance(report, Shown):  # a transfer that was let go ended sooner than it had set out to
                self._told(report._replace(at=min(report.at, self._now())))
            else:
                self._told(report)
