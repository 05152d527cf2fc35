"""What the protocols of Bluetooth dice have in common: bytes and the time in, events and bytes out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from hardware.events import Battery, DiceEvent, Disturbed, Doubt, Reading, Thrown


class DieTalk(ABC):
    """One die from one connection to the next. Times are seconds of one monotonic clock.

    A throw is a roll that ends, and is reported once; a face that changes without one is a disturbance. What was
    rolling when the connection was lost is reported as unread, so that nobody takes the die for a quiet one.
    """

    def __init__(self, sink: Callable[[DiceEvent], None]) -> None:
        """``sink``: takes what it tells, without a name."""
        self._sink = sink
        self._rolling_since: float | None = None
        self._face: int | None = None

    @abstractmethod
    def opened(self, now: float) -> list[bytes]:
        """The die is connected; return what to write to it."""

    @abstractmethod
    def received(self, data: bytes, now: float) -> list[bytes]:
        """Take a message of any bytes; return what to write in answer."""

    @abstractmethod
    def blink(self) -> list[bytes]:
        """Return what to write, half a second apart, so that the die can be seen."""

    def deadline(self) -> float | None:
        """When `due` is wanted, None: not at all."""
        return None

    def due(self, now: float) -> None:  # noqa: B027 - most protocols wait for nothing
        """Do what is due by ``now``."""

    def lost(self, now: float) -> None:
        """The connection is gone."""
        if self._rolling_since is not None:
            self._doubt("unread", None, now)

    def _rolls(self, now: float) -> None:
        if self._rolling_since is None:
            self._rolling_since = now

    def _thrown(self, face: int, now: float, certainty: int | None = None) -> None:
        started, self._rolling_since, self._face = self._rolling_since, None, face
        if started is not None:
            self._sink(Thrown((Reading(face, "", certainty),), started, now))

    def _doubt(self, why: str, face: int | None, now: float, certainty: int | None = None) -> None:
        started, self._rolling_since, self._face = self._rolling_since, None, face
        self._sink(Doubt(why, (Reading(face, "", certainty),), now if started is None else started, now))

    def _lies(self, face: int, now: float) -> None:
        """It lies on a face, and did not roll there."""
        moved = self._face is not None and face != self._face
        self._face = face
        if moved:
            self._sink(Disturbed("", now))

    def _battery(self, percent: int, now: float, *, charging: bool = False) -> None:
        self._sink(Battery("", min(percent, 100), charging, now))
