"""What the oracle keeps of a battle, what it asks and says, and one run of it that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Generator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.rules import ATTACKER, SIDES

SHADOW, FREE_PEOPLES = "shadow", "free-peoples"
TABLE = "table"
BACK = "back"
OUT_OF_STEP = "WR-X14"

Codes = dict[str, str | None]
"""Options, each with its refusal code, or None where it is open."""


@dataclass(frozen=True)
class Question:
    """What must be asked now.

    ``barred``: refusal code by id, or by number for a count. ``re_roll``: a throw that may be of fewer dice.
    ``chance``: of each die to hit, in sixths.
    """

    key: str
    seat: str
    kind: Literal["choose", "count", "roll"]
    open: tuple[str, ...] = ()
    barred: dict[Any, str] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    back: bool = False
    re_roll: bool = False
    chance: int = 0


T = TypeVar("T")
Steps = Generator[Question, Any, T]


def choose(key: str, seat: str, codes: Codes) -> Question:
    barred = {id_: code for id_, code in codes.items() if code is not None}
    return Question(key, seat, "choose", tuple(id_ for id_ in codes if id_ not in barred), barred)


def elsewhere(
    *,
    card: str = "WR-X11",
    inside: str = OUT_OF_STEP,
    retreat: str = OUT_OF_STEP,
    re_roll: str = OUT_OF_STEP,
    cease: str = OUT_OF_STEP,
) -> Codes:
    """Return what belongs to other steps, by its codes; what has '' is no option here."""
    codes = {"card": card, "re-roll": re_roll, "cease": cease, "retreat": retreat, "siege": inside}
    return {id_: code for id_, code in codes.items() if code}


@dataclass(frozen=True)
class Event:
    """A ruling (its result and the numbers behind it) or a reminder (the rule it recalls)."""

    what: str
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass
class Army:
    """One Army, with what happened to it in this round; the names are those of the drive protocol's ``state``."""

    regulars: int = 0
    elites: int = 0
    leadership: int = 0
    lost_regulars: int = 0
    lost_elites: int = 0
    card: str = ""
    own_combat: int = 0
    own_reroll: int = 0
    enemy_combat: int = 0
    enemy_reroll: int = 0
    number_combat: int = 0
    number_reroll: int = 0
    card_dice: int = -1
    fewer_dice: int = 0
    forfeited: int = 0
    cancelled: int = 0
    extra_hits: int = 0
    turned_hits: int = 0
    cancelled_hits: int = 0
    dice: int = 0
    faces: list[int] = field(default_factory=list)
    first_hits: int = 0
    allowance: int = 0
    rerolled: list[int] = field(default_factory=list)
    more_hits: int = 0
    due: int = 0
    taken: list[str] = field(default_factory=list)
    began: tuple[int, int] = (0, 0)

    @property
    def left(self) -> tuple[int, int]:
        return self.regulars, self.elites

    @property
    def units(self) -> int:
        return self.regulars + self.elites

    def new_round(self) -> Army:
        """Return it as a new round finds it."""
        lasting = ("regulars", "elites", "leadership", "lost_regulars", "lost_elites")
        return Army(**{name: getattr(self, name) for name in lasting}, began=self.left)


@dataclass(frozen=True)
class Effect:
    """What a Combat card does. ``on``: whose dice or Army, and when, as the answer has it."""

    side: str
    kind: str
    on: str = ""
    value: int = 0
    initiative: int = 0

    @property
    def window(self) -> str:
        return rules.window(self.kind, self.on)


class Dropped(Exception):
    """Thrown into the steps when the players take back what is under way."""


class Battle:
    """One battle, from its first question to its end. ``moves``: the answers so far."""

    def __init__(self, steps: Callable[[Battle], Steps[None]], *, assault_pays: bool) -> None:
        self.assault_pays = assault_pays
        self._steps = steps
        self.take_back(0)

    def take_back(self, moves: int) -> None:
        """Begin, and play so many of the moves again."""
        kept = self.moves[:moves] if moves else []
        self.attacker, self.ground, self.round, self.result = SHADOW, "field", 1, ""
        self.armies = {side: Army() for side in SIDES}
        self.draft: list[Effect] = []
        self.effects: list[Effect] = []
        self.held: list[Effect] = []
        self.back = self.in_attack = False
        self.moves: list[Any] = []
        self._running = self._steps(self)
        self.question: Question | None = next(self._running)
        for move in kept:
            self.answer(move)

    def seat(self, side: str) -> str:
        if side == ATTACKER:
            return self.attacker
        return FREE_PEOPLES if self.attacker == SHADOW else SHADOW

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer that is open, and return what is announced. A throw: faces, or a number of hits."""
        self.events: list[Event] = []
        self.moves.append(value)
        dropped = value == BACK and self.back
        try:
            asked = self._running.throw(Dropped()) if dropped else self._running.send(value)
            self.question = replace(asked, back=self.back)
        except StopIteration:
            self.question = None
        return self.events

    def attempt(self, steps: Steps[None]) -> Steps[bool]:
        """Let some steps be taken back, with nothing of them done; return whether they were gone to their end."""
        armies = deepcopy(self.armies)
        self.back = True
        try:
            yield from steps
        except Dropped:
            for side, army in armies.items():
                vars(self.armies[side]).update(vars(army))
            self.draft = []
            return False
        finally:
            self.back = False
        return True
