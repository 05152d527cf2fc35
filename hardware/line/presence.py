"""Reports of a device that can be unplugged. Times are seconds of one monotonic clock."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Connected:
    """The device answers; `firmware` is its version, empty if it reports none."""

    firmware: str
    at: float


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The device does not answer; `why` and `advice` are for people."""

    why: str
    at: float
    advice: str = "Check its cable."


@dataclass(frozen=True, slots=True)
class Gap:
    """Between the edges before and after this, at most `missed` edges were lost; None: unknown."""

    missed: int | None
    at: float


Presence: TypeAlias = Connected | Disconnected | Gap
