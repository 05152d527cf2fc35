"""What a comparison of a rulebook with its oracle reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Divergence:
    """Where the two part: what each has, and the answers since the start of the game that lead there."""

    seed: int
    what: str
    oracle: Any
    rulebook: Any
    settings: Mapping[str, object]
    answers: tuple[str, ...]
    rule: str = ""

    def __str__(self) -> str:
        way = " ".join(self.answers)
        rule = f" ({self.rule})" if self.rule else ""
        return (
            f"seed {self.seed}: {self.what}{rule}\n  oracle    {self.oracle}\n"
            f"  rulebook  {self.rulebook}\n  settings  {self.settings}\n  answers   {way}"
        )


@dataclass
class Report:
    """What was compared. ``games``: games, battles or rulings begun; ``refused``: answers sent to be refused."""

    answers: int = 0
    games: int = 0
    refused: int = 0
    questions: Counter[str] = field(default_factory=Counter)
    divergences: list[Divergence] = field(default_factory=list)


class Parted(Exception):
    """The two have come apart (`Divergence`); nothing after it can be compared."""
