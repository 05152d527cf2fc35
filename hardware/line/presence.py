"""Reports of a device that can be unplugged. Times are seconds of one monotonic clock."""

from dataclasses import dataclass
from typing import TypeAlias

CABLE = "Check its cable."


@dataclass(frozen=True, slots=True)
class Connected:
    """The device answers, or this die of it; `firmware` is its version, empty if it reports none."""

    firmware: str
    at: float
    die: str = ""


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The device does not answer, or this die of it; `why` and `advice` are for people."""

    why: str
    at: float
    advice: str = CABLE
    die: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """Between what came before and after this, at most `missed` edges or throws were lost; None: unknown."""

    missed: int | None
    at: float


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The device sent something that it never should. `what`: that; `why`: what was wrong with it, for people."""

    what: bytes
    at: float
    why: str


Presence: TypeAlias = Connected | Disconnected | Gap | Unreadable
