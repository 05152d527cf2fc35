"""What the inputs of a box report. Times are seconds of one monotonic clock."""

from dataclasses import dataclass

DIE_KEYS = ("die-1", "die-2", "die-3", "die-4", "die-5", "die-6")
SEAT_KEYS = tuple(f"seat-{number}" for number in range(1, 9))
"""Of as many seats as a game can have; the reference build has four."""
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
class Reading:
    """What one die shows.

    ``face``       1 to 6; None where nobody can tell, as of a die that leans on another one
    ``die``        its name, "" if it tells none
    ``certainty``  how sure its source is, 0 to 1000; None: the source does not say
    ``picture``    SHA-256 of the picture it was read from, "" if none is kept
    ``seat``       number of the button of the seat that it was thrown for, 0 if its source does not say
    """

    face: int | None
    die: str = ""
    certainty: int | None = None
    picture: str = ""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Thrown:
    """Self-reading dice were thrown and lie still; every face is certain.

    ``started``: when they began to roll; where a source cannot tell, the same as `at`, when they lay still.
    """

    dice: tuple[Reading, ...]
    started: float
    at: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """Dice were thrown, and what they show is not certain. ``why``: one of `DOUBTS`."""

    why: str
    dice: tuple[Reading, ...]
    started: float
    at: float


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A die that lay still was moved or nudged: what it showed may not be what lies there. That is no throw."""

    die: str
    at: float


@dataclass(frozen=True, slots=True)
class Battery:
    """How full the battery of a die is, in per cent."""

    die: str
    percent: int
    charging: bool
    at: float


DOUBTS = ("cocked", "tilted", "unsure", "unread")
"""Why a throw is in doubt: a die leans on something, lies at an angle, its source is not sure, or shows no face."""


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
    """A line changes as no hand changes it: a worn contact, a loose wire or noise.

    ``key``: a key, "encoder", or the one of its lines that moves alone, as if the other had no wire.
    """

    key: str
    at: float


KeyEvent = Press | Release | Click | Hold | LongHold | Stuck | Chatter
InputEvent = Edge | Turn | Chatter
"""What inputs report: of the encoder its detents, and that its contacts move by themselves."""

DiceEvent = Thrown | Doubt | Disturbed | Battery
Event = KeyEvent | Turn | Thrown | Doubt | Disturbed
