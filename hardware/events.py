"""What the inputs of a box report. Times are seconds of one monotonic clock."""

from dataclasses import dataclass

DIE_KEYS = ("die-1", "die-2", "die-3", "die-4", "die-5", "die-6")
SEAT_KEYS = ("seat-1", "seat-2", "seat-3", "seat-4")
KEYS = (*DIE_KEYS, "select", "back", *SEAT_KEYS)


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw change of one input line, bounce included; `level` is True while the contact is closed."""

    line: str
    level: bool
    at: float


@dataclass(frozen=True, slots=True)
class Turn:
    """The encoder moved by whole detents; positive is clockwise."""

    steps: int
    at: float


@dataclass(frozen=True, slots=True)
class Face:
    """A die beside the box shows this face, 1 to 6; `die` is its name, "" if it tells none."""

    face: int
    die: str
    at: float


@dataclass(frozen=True, slots=True)
class Press:
    """A key went down."""

    key: str
    at: float


@dataclass(frozen=True, slots=True)
class Release:
    """A key came up; `at` is when its contact opened, a few milliseconds before that was certain."""

    key: str
    at: float
    pressed_at: float


@dataclass(frozen=True, slots=True)
class Click:
    """A key was down for less than 300 ms."""

    key: str
    at: float
    pressed_at: float


@dataclass(frozen=True, slots=True)
class Hold:
    """A key has been down for 450 ms and still is."""

    key: str
    at: float
    pressed_at: float


@dataclass(frozen=True, slots=True)
class LongHold:
    """A key has been down for one second and still is."""

    key: str
    at: float
    pressed_at: float


@dataclass(frozen=True, slots=True)
class Stuck:
    """A key has been down longer than any player holds one: a jammed cap or a short circuit."""

    key: str
    at: float


@dataclass(frozen=True, slots=True)
class Chatter:
    """A line changes faster than any finger: a worn contact or a loose wire."""

    key: str
    at: float


KeyEvent = Press | Release | Click | Hold | LongHold | Stuck | Chatter
Event = KeyEvent | Turn | Face
