"""What the doctor finds: a value for each check, and nothing that could be misread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

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
