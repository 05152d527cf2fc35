"""What the oracle says: questions, what can be answered to them, and what is announced."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.oracles.battle_of_the_ring import rules

BACK = "back"
TABLE = "table"
Codes = dict[Any, str]
"""What can be answered, each with its refusal code, '' if it is open."""

Asking = Generator["Question", Any, Any]
"""What asks, and returns what came of it."""


class Dropped(Exception):
    """The action under way is dropped."""


class Conceded(Exception):
    """Whose turn it is has given up."""


class Finished(Exception):
    """Somebody has won."""


@dataclass(frozen=True)
class Question:
    """What must be asked now. ``column`` and ``row`` of a throw: where the table is read."""

    key: str
    seat: str
    kind: Literal["choose", "count", "roll"]
    codes: Callable[[], Codes] = dict
    back: bool = False
    column: str = ""
    row: str = ""

    def open(self) -> list[Any]:
        return [answer for answer, code in self.codes().items() if not code]


@dataclass(frozen=True)
class Event:
    """A ruling (its result and its data) or a reminder (the rule it recalls)."""

    what: str
    rules: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    changed: bool = True


def first_code(codes: Iterable[str]) -> str:
    """Return '' if one of them is open, else the code that is shown first."""
    codes = list(codes)
    return "" if "" in codes else min(codes, key=lambda code: rules.PRECEDENCE.index(code.rstrip("!")))
