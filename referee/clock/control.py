"""Time controls: how much time a seat has, for how many moves, and what comes when it is used up.

Words as the field uses them (FIDE Laws of Chess, glossary and guidelines):

``sudden-death``  a time for all moves, or for each of several periods
``fischer``       the same, and before each move ``extra`` is added
``us-delay``      the same, but the clock begins to run only ``extra`` into each move
``bronstein``     the same, and after each move what it took is given back, at most ``extra``
``count-up``      what was used is shown; a time is its limit, 0: none
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeGuard

from referee.errors import Malformed

Mode = Literal["sudden-death", "fischer", "us-delay", "bronstein", "count-up"]

MODES: Final[tuple[Mode, ...]] = (
    "sudden-death",
    "fischer",
    "us-delay",
    "bronstein",
    "count-up",
)

WITH_PERIODS: Final = ("sudden-death", "fischer", "us-delay", "bronstein")
WITH_EXTRA: Final = ("fischer", "us-delay", "bronstein")

LONGEST: Final = 24 * 60 * 60 * 1000
"""Milliseconds of the longest time that can be set."""
MOST: Final = 99
"""The most periods, and the most moves of one."""


@dataclass(frozen=True, slots=True)
class Period:
    """A time, in ms, and the moves that must be made in it. 0: no number, and the next period follows at its end."""

    time: int
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Control:
    """How the time of each seat is counted. Raises ValueError, naming the field, for what no clock could follow.

    ``mode``     see the module
    ``periods``  one after the other; several only where the mode is one of `WITH_PERIODS`
    ``extra``    ms: the increment or the delay
    """

    mode: Mode
    periods: tuple[Period, ...]
    extra: int = 0

    def __post_init__(self) -> None:
        mode, least = self.mode, 0 if self.mode == "count-up" else 1
        if mode not in MODES:
            raise ValueError(f"mode: expected one of {', '.join(MODES)}; got {mode!r}")
        most = MOST if mode in WITH_PERIODS else 1
        if not 1 <= len(self.periods) <= most:
            raise ValueError(f"periods: expected {f'1 to {most}' if most > 1 else 'one'} for {mode}")
        if not all(_whole(period.time, least, LONGEST) for period in self.periods):
            raise ValueError(f"periods: expected times {'up' if not least else 'above 0, up'} to 24 h")
        if not all(_whole(period.moves, 0, MOST) for period in self.periods):
            raise ValueError(f"periods: expected 0 to {MOST} moves")
        if self.periods[-1].moves:
            raise ValueError("periods: expected no number of moves for the last one, which is for all moves")
        if not (_whole(self.extra, 1, LONGEST) if mode in WITH_EXTRA else self.extra == 0):
            raise ValueError(
                f"extra: expected {'a time above 0, up to 24 h,' if mode in WITH_EXTRA else '0 s'} for {mode}"
            )

    @property
    def timed(self) -> bool:
        """Whether a flag can fall at all."""
        return self.periods[0].time > 0

    @property
    def words(self) -> str:
        """Return it as people write it.

        >>> Control("fischer", (Period(5_400_000, 40), Period(1_800_000)), 30_000).words
        '90 min/40 + 30 min, +30 s'
        """
        main = " + ".join(duration(p.time) + (f"/{p.moves}" if p.moves else "") for p in self.periods)
        extra = duration(self.extra)
        return {
            "sudden-death": main,
            "fischer": f"{main}, +{extra}",
            "us-delay": f"{main}, delay {extra}",
            "bronstein": f"{main}, back {extra}",
            "count-up": f"counts to {main}" if self.timed else "counts up",
        }[self.mode]

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object; all times in ms."""
        periods = [{"time": period.time, "moves": period.moves} for period in self.periods]
        return {"mode": self.mode, "periods": periods, "extra": self.extra}

    @classmethod
    def from_json(cls, value: object) -> Control:
        """Return the control an object describes. Raises Malformed."""
        if isinstance(value, dict) and value.get("count") == 0:  # older records say that they have no overtime
            value = {name: each for name, each in value.items() if name != "count"}
        if not _has(value, {"mode", "periods", "extra"}) or not isinstance(value["periods"], list):
            raise Malformed("expected a time control: mode, periods and extra")
        periods = value["periods"]
        if not all(_has(period, {"time", "moves"}) for period in periods):
            raise Malformed("periods: expected objects with time and moves")
        try:
            steps = tuple(Period(period["time"], period["moves"]) for period in periods)
            return cls(value["mode"], steps, value["extra"])
        except ValueError as fault:
            raise Malformed(str(fault)) from fault


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


def _has(value: object, names: set[str]) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping) and set(value) == names


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high
