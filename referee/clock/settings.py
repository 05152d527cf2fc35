"""The seat clocks of a configuration: a control and customs as people write them, and the usual ones for a menu."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar, get_args

from referee.clock.control import LONGEST, MODES, MOST, Control, Mode, Period
from referee.clock.customs import ACTS, ASKED, AT_FALL, BACK, READ, Act, Asked, Back, Customs, Read
from referee.errors import Malformed

Use = Literal["off", "menu", "start"]
"""Whether there are clocks: no; in the menu; from the start of every game, and in the menu."""

USES: Final[tuple[Use, ...]] = get_args(Use)

T = TypeVar("T")

_UNITS: Final = {"h": 3_600_000, "min": 60_000, "s": 1000}
_DURATION: Final = re.compile(r"(?:(\d{1,4}) ?h)?\s*+(?:(\d{1,4}) ?min)?\s*+(?:(\d{1,5}) ?s)?")


@dataclass(frozen=True)
class Settings:
    """How a table keeps time.

    ``use``      whether it does
    ``mode``, ``periods``, ``extra``  the control, as `referee.clock.control` says; times as text
    ``table``, ``ruling``, ``flag``, ``undo``  the customs, as `referee.clock.customs` says
    """

    use: Use = "off"
    mode: Mode = "sudden-death"
    periods: tuple[str, ...] = ("60 min",)
    extra: str = "0 s"
    table: Asked = "nobody"
    ruling: Read = "nobody"
    flag: Act = "tell"
    undo: Back = "turn"

    @property
    def control(self) -> Control:
        """The control. Raises ValueError naming the key that is not what it must be, "extra: expected ..."."""
        extra = _named("extra", duration_of, self.extra)
        periods = tuple(_named("periods", period_of, period) for period in self.periods)
        return Control(self.mode, periods, extra)

    @property
    def fault(self) -> str:
        """What is wrong with the control, "" if nothing is: the key, a colon, and what was expected."""
        try:
            self.control  # noqa: B018 - it is worked out here
        except ValueError as fault:
            return str(fault)
        return ""

    @property
    def customs(self) -> Customs:
        """The customs."""
        return Customs(self.table, self.ruling, self.flag, self.undo)

    @property
    def words(self) -> str:
        """They as people read them."""
        if self.use == "off":
            return "none"
        where = ", in the menu" if self.use == "menu" else ""
        return f"{self.control.words}{where}; when a flag falls: {AT_FALL[self.flag]}"

    def as_json(self) -> dict[str, Any]:
        """Return them as a JSON object, in the words of a configuration."""
        return {key: getattr(self, key) for key in RULES} | {"periods": list(self.periods)}

    @classmethod
    def from_json(cls, value: object) -> Settings:
        """Return the settings an object describes. Raises Malformed."""
        if not isinstance(value, dict) or set(value) != set(RULES):
            raise Malformed(f"expected seat clocks: {', '.join(RULES)}")
        for key, (expected, accepts) in RULES.items():
            if not accepts(value[key]):
                raise Malformed(f"{key}: expected {expected}")
        settings = cls(**value | {"periods": tuple(value["periods"])})
        if settings.fault:
            raise Malformed(settings.fault)
        return settings


OFF: Final = Settings()
"""No clocks."""


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


def period_of(text: str) -> Period:
    """Return a period: a time, and after a slash the moves that must be made in it. Raises ValueError.

    >>> period_of("90 min/40"), period_of("30 min")
    (Period(time=5400000, moves=40), Period(time=1800000, moves=0))
    """
    time, slash, moves = text.partition("/")
    if slash and not re.fullmatch(r"[1-9]\d?", moves.strip()):
        raise ValueError(f'expected 1 to {MOST} moves after the slash, as in "90 min/40", got {text!r}')
    return Period(duration_of(time), int(moves) if slash else 0)


def one_of(*words: str) -> tuple[str, Callable[[Any], bool]]:
    """Return the rule for a value that is one of these words: what is expected, and what is accepted."""
    named = [f'"{word}"' for word in words]
    return f"{', '.join(named[:-1])} or {named[-1]}", lambda value: isinstance(value, str) and value in words


def _named(key: str, read: Callable[[str], T], text: str) -> T:
    try:
        return read(text)
    except ValueError as fault:
        raise ValueError(f"{key}: {fault}") from fault


def _reads(read: Callable[[str], object], text: object) -> bool:
    try:
        read(text if isinstance(text, str) else "")
    except ValueError:
        return False
    return True


RULES: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "use": one_of(*USES),
    "mode": one_of(*MODES),
    "periods": (
        'a list of times, each with its number of moves if it has one: ["90 min/40", "30 min"]',
        lambda value: isinstance(value, list) and all(_reads(period_of, period) for period in value),
    ),
    "extra": ('a time up to 24 h, such as "30 s" or "1 min"', lambda value: _reads(duration_of, value)),
    "table": one_of(*ASKED),
    "ruling": one_of(*READ),
    "flag": one_of(*ACTS),
    "undo": one_of(*BACK),
}
"""What each key of the configuration must be: in words, and what is accepted."""

USUAL: Final = (
    Control("sudden-death", (Period(duration_of("1 h")),)),
    Control("sudden-death", (Period(duration_of("2 h")),)),
    Control("fischer", (Period(duration_of("1 h")),), duration_of("30 s")),
    Control("count-up", (Period(0),)),
)
"""The controls that a menu offers besides the one of the configuration."""
