"""The seat clocks of a configuration: a control and customs as people write them, and the usual ones for a menu."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from referee.clock.control import ACTS, ASKED, AT_FALL, LONGEST, MODES, READ, Act, Asked, Control, Customs, Mode, Read
from referee.errors import Malformed

Use = Literal["off", "menu", "start"]
"""Whether there are clocks: no; in the menu; from the start of every game, and in the menu."""

USES: Final[tuple[Use, ...]] = get_args(Use)

_UNITS: Final = {"h": 3_600_000, "min": 60_000, "s": 1000}
_DURATION: Final = re.compile(r"(?:(\d{1,4}) ?h)?\s*+(?:(\d{1,4}) ?min)?\s*+(?:(\d{1,5}) ?s)?")


@dataclass(frozen=True)
class Settings:
    """How a table keeps time.

    ``use``      whether it does
    ``mode``, ``time``, ``extra``  the control, as `referee.clock.control` says; times as text
    ``table``, ``ruling``, ``flag``  the customs
    """

    use: Use = "off"
    mode: Mode = "sudden-death"
    time: str = "60 min"
    extra: str = "0 s"
    table: Asked = "nobody"
    ruling: Read = "nobody"
    flag: Act = "tell"

    @property
    def control(self) -> Control:
        """The control. Raises ValueError naming the key that is not what it must be, "extra: expected ..."."""
        times = []
        for key in ("time", "extra"):
            try:
                times.append(duration_of(getattr(self, key)))
            except ValueError as fault:
                raise ValueError(f"{key}: {fault}") from fault
        return Control(self.mode, *times)

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
        return Customs(self.table, self.ruling, self.flag)

    @property
    def words(self) -> str:
        """They as people read them."""
        if self.use == "off":
            return "none"
        where = ", in the menu" if self.use == "menu" else ""
        return f"{self.control.words}{where}; when a flag falls: {AT_FALL[self.flag]}"

    def as_json(self) -> dict[str, Any]:
        """Return them as a JSON object, in the words of a configuration."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Settings:
        """Return the settings an object describes. Raises Malformed."""
        if not isinstance(value, dict) or value.keys() != RULES.keys():
            raise Malformed(f"expected seat clocks: {', '.join(RULES)}")
        for key, (expected, accepts) in RULES.items():
            if not accepts(value[key]):
                raise Malformed(f"{key}: expected {expected}")
        settings = cls(**value)
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


def one_of(*words: str) -> tuple[str, Callable[[Any], bool]]:
    """Return the rule for a value that is one of these words: what is expected, and what is accepted."""
    named = [f'"{word}"' for word in words]
    return f"{', '.join(named[:-1])} or {named[-1]}", lambda value: isinstance(value, str) and value in words


def _is_time(value: object) -> bool:
    try:
        duration_of(value if isinstance(value, str) else "")
    except ValueError:
        return False
    return True


RULES: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "use": one_of(*USES),
    "mode": one_of(*MODES),
    "time": ('a time up to 24 h, such as "90 min" or "1 h 30 min"', _is_time),
    "extra": ('a time up to 24 h, such as "30 s" or "1 min"', _is_time),
    "table": one_of(*ASKED),
    "ruling": one_of(*READ),
    "flag": one_of(*ACTS),
}
"""What each key of the configuration must be: in words, and what is accepted."""

USUAL: Final = (
    Control("sudden-death", duration_of("1 h")),
    Control("sudden-death", duration_of("2 h")),
    Control("fischer", duration_of("1 h"), duration_of("30 s")),
)
"""The controls that a menu offers besides the one of the configuration."""
