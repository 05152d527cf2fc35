"""What the oracle says: questions with their codes, and what is announced."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from tests.oracles.riddle_of_the_ring.rules import CHARACTERS, FIRM

ANYBODY = "table"
BACK = "back"
ACTIVITIES = (
    *("clairvoyance", "riddle", "take-card", "battle", "move"),
    *("friendly-exchange", "end-turn", "left-halls", "game-over"),
)
IN_A_POWER_PLAY = dict.fromkeys(ACTIVITIES, "RR-X03" + FIRM)
IN_A_MOVE = dict.fromkeys(ACTIVITIES, "RR-X04" + FIRM)

Answer = str | int | list[str]


@dataclass(frozen=True)
class Question:
    """What must be asked now. ``codes``: of every option, or barred number, its code; empty: it is open."""

    key: str
    seat: str
    codes: dict[Any, str]
    kind: Literal["choose", "pick", "count"] = "choose"
    low: int = 0
    high: int = 0
    guesses: int | None = None

    @property
    def open(self) -> list[Any]:
        """Options, or numbers, that may be answered."""
        if self.kind == "count":
            return [number for number in range(self.low, self.high + 1) if not self.codes.get(number)]
        return [option for option, code in self.codes.items() if not code]

    @property
    def barred(self) -> dict[Any, str]:
        return {option: code for option, code in self.codes.items() if code}

    def code(self, answer: Any) -> str:
        """Return the code an option is refused with, as the players see it."""
        return self.codes.get(answer, "").removesuffix(FIRM)


@dataclass(frozen=True)
class Event:
    """A ruling or a reminder.

    ``what``: the result of a ruling, the rule of a reminder. ``numbers``: of the ruling's ``data``. ``rests_on``:
    the telling rules it names. ``changed``: whether a card moves, or a player.
    """

    what: str
    numbers: dict[str, Any] = field(default_factory=dict)
    rests_on: frozenset[str] | None = None
    changed: bool = False


@dataclass
class Force:
    """A force on the table."""

    owner: str
    name: str
    kind: str
    points: int
    city: str = ""


@dataclass
class Battle:
    """A battle under way; the names are those of the drive protocol's ``state``."""

    attacker: str = ""
    defender: str = ""
    attacker_kind: str = ""
    defender_kind: str = ""
    att_total: int = 0
    def_total: int = 0
    mover: str = "attacker"
    forces: list[Force] = field(default_factory=list)


def everybody(value: Any) -> dict[str, Any]:
    """Return that value for each character."""
    return dict.fromkeys(CHARACTERS, value)
