"""How the time of a seat is counted, and how a table keeps time, in numbers and as people write it.

Words as the field uses them (FIDE Laws of Chess, glossary and guidelines):

``sudden-death``  a time for all moves
``fischer``       the same, and before each move ``extra`` is added
``us-delay``      the same, but the clock begins to run only ``extra`` into each move
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from referee.errors import Malformed

Mode = Literal["sudden-death", "fischer", "us-delay"]

Shared = Literal["nobody", "common"]
"""Whose time runs while the whole table is asked, or reads: nobody's, or common time."""

Act = Literal["tell", "lose"]
"""What a flag does that falls: it is told; or its seat gives up, too."""


LONGEST: Final = 24 * 60 * 60 * 1000
"""Milliseconds of the longest time that can be set."""


@dataclass(frozen=True, slots=True)
class Control:
    """How the time of each seat is counted. Raises ValueError, naming the field, for what no clock could follow.

    ``mode``   see the module
    ``time``   ms for the whole game
    ``extra``  ms: the increment or the delay
    """

    mode: Mode
    time: int
    extra: int = 0

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise ValueError(f"mode: expected one of {', '.join(get_args(Mode))}; got {self.mode!r}")
        if not _whole(self.time, 1, LONGEST):
            raise ValueError("time: expected a time above 0, up to 24 h")
        least, most = (0, 0) if self.mode == "sudden-death" else (1, LONGEST)
        if not _whole(self.extra, least, most):
            raise ValueError(f"extra: expected {'a time above 0, up to 24 h,' if most else '0 s'} for {self.mode}")

    @property
    def words(self) -> str:
        """Return it as people write it.

        >>> Control("fischer", 5_400_000, 30_000).words
        '90 min, +30 s'
        """
        extra = {"sudden-death": "", "fischer": ", +", "us-delay": ", delay "}[self.mode]
        return duration(self.time) + (f"{extra}{duration(self.extra)}" if extra else "")

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object; all times in ms."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Control:
        """Return the control an object describes. Raises Malformed."""
        if not isinstance(value, dict) or value.keys() != {"mode", "time", "extra"}:
            raise Malformed("expected a time control: mode, time and extra")
        try:
            return cls(**value)
        except ValueError as fault:
            raise Malformed(str(fault)) from fault


@dataclass(frozen=True, slots=True)
class Customs:
    """How a table keeps time: `Shared` while it is asked, and while a ruling or a reminder is read; see `Act`."""

    table: Shared = "nobody"
    ruling: Shared = "nobody"
    flag: Act = "tell"

    def as_json(self) -> dict[str, str]:
        """Return them as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Customs:
        """Return the customs an object describes. Raises Malformed."""
        known = {"table": get_args(Shared), "ruling": get_args(Shared), "flag": get_args(Act)}
        if not isinstance(value, dict) or value.keys() != known.keys():
            raise Malformed("expected the customs of clocks: table, ruling and flag")
        for name, words in known.items():
            if value[name] not in words:
                raise Malformed(f"{name}: expected one of {', '.join(words)}")
        return cls(**value)


def duration(ms: int) -> str:
    """Return a length of time as people write it.

    >>> duration(5_400_000), duration(7_200_000), duration(90_000), duration(30_000)
    ('90 min', '2 h', '1:30 min', '30 s')
    """
    seconds = ms // 1000
    if seconds and seconds % 3600 == 0:
        return f"{seconds // 3600} h"
    if seconds and seconds % 60 == 0:
        return f"{seconds // 60} min"
    return f"{seconds // 60}:{seconds % 60:02} min" if seconds > 60 else f"{seconds} s"


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


_UNITS: Final = {"h": 3_600_000, "min": 60_000, "s": 1000}
_DURATION: Final = re.compile(r"(?:(\d{1,4}) ?h)?\s*+(?:(\d{1,4}) ?min)?\s*+(?:(\d{1,5}) ?s)?")


def duration_of(text: str) -> int:
    """Return a length of time in ms. Raises ValueError.

    >>> duration_of("90 min"), duration_of("1 h 30 min"), duration_of("30s")
    (5400000, 5400000, 30000)
    """
    parts = _DURATION.fullmatch(text.strip())
    if parts is None or not any(parts.groups()):
        raise ValueError(f'expected a time such as "90 min", "1 h 30 min" or "30 s", got {text!r}')
    ms = sum(int(number or 0) * unit for number, unit in zip(parts.groups(), _UNITS.values(), strict=True))
    if ms > LONGEST:
        raise ValueError(f"expected at most 24 h, got {text!r}")
    return ms
