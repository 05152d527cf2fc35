"""What the doctor finds: a value for each check, and nothing that could be misread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from hardware.pins import Pins
from referee import __version__

Level: TypeAlias = Literal["ok", "warn", "fail"]
"""ok: as it should be. warn: the box plays, but worse than it could. fail: something does not work."""


@dataclass(frozen=True)
class Finding:
    """One line about one part.

    ``part``   stable id for programs: "i2c", "key die-3"
    ``text``   what was found, one line
    ``todo``   what to do about it; never empty unless the level is "ok"
    """

    part: str
    level: Level
    text: str
    todo: str = ""

    def __post_init__(self) -> None:
        if self.level != "ok" and not self.todo:
            raise ValueError(f"{self.part} is {self.level!r} and has no remedy")

    def as_json(self) -> dict[str, str]:
        """Return it as a JSON value."""
        return asdict(self)


def ok(part: str, text: str) -> Finding:
    """Return that a part is as it should be."""
    return Finding(part, "ok", text)


def warn(part: str, text: str, todo: str) -> Finding:
    """Return that a part works, but worse than it could."""
    return Finding(part, "warn", text, todo)


def fail(part: str, text: str, todo: str) -> Finding:
    """Return that a part does not work."""
    return Finding(part, "fail", text, todo)


def count(findings: Iterable[Finding], level: Level) -> int:
    """Return how many findings have a level."""
    return sum(finding.level == level for finding in findings)


def told(finding: Finding) -> list[str]:
    """Return what was found about one part, and what to do about it, as lines."""
    return [f"{finding.level:<4}  {finding.text}", *([f"      do: {finding.todo}"] if finding.todo else [])]


def acceptance(pins: Pins, findings: Iterable[Finding]) -> list[str]:
    """Return what was found as lines to send in, with what only people can say left open."""
    display = pins.display
    return [
        f"Electronic referee {__version__}: a box was built",
        f"Display: {display.controller} on {display.interface}. Seats with lamps: {len(pins.lamps)}.",
        "",
        *(line for finding in findings for line in told(finding)),
        "",
        "What did not work, or was not clear:",
        "Five power cuts in the middle of a throw; what was lost:",
        "A photo of the glass: attached, or not",
    ]
