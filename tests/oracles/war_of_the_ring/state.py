"""What the oracle keeps of a battle, what it says, and how its steps run.

`Battle.todo` is a stack of steps still to come, each a function and its arguments after the battle. A step may ask:
it leaves a question, and the step that takes the answer. `Battle.answer` runs the steps until the next question
stands. So a battle can be copied in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.rules import ATTACKER, SIDES

SHADOW, FREE_PEOPLES = "shadow", "free-peoples"
TABLE = "table"
BACK = "back"
OUT_OF_STEP = "WR-X14"

Step = tuple[Any, ...]
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


def choose(key: str, seat: str, codes: Codes, *, back: bool = False) -> Question:
    barred = {id_: code for id_, code in codes.items() if code is not None}
    return Question(key, seat, "choose", tuple(id_ for id_ in codes if id_ not in barred), barred, back=back)


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

    def copy(self) -> Army:
        return replace(self, faces=[*self.faces], rerolled=[*self.rerolled], taken=[*self.taken])


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


class Battle:
    """One battle from its first step to its end."""

    def __init__(self, *first: Step, assault_pays: bool) -> None:
        self.assault_pays = assault_pays
        self.attacker = SHADOW
        self.ground = "field"
        self.round = 1
        self.armies = {side: Army() for side in SIDES}
        self.result = ""
        self.draft: list[Effect] = []
        self.effects: list[Effect] = []
        self.held: list[Effect] = []
        self.events: list[Event] = []
        self.question: Question | None = None
        self.todo: list[Step] = [*first]
        self.earlier: Battle | None = None
        self.in_attack = False
        self._advance()

    def copy(self) -> Battle:
        """Return one that goes on by itself."""
        twin = Battle.__new__(Battle)
        twin.__dict__.update(self.__dict__)
        twin.todo, twin.events = [*self.todo], []
        twin.draft, twin.effects, twin.held = [*self.draft], [*self.effects], [*self.held]
        twin.armies = {side: army.copy() for side, army in self.armies.items()}
        return twin

    def seat(self, side: str) -> str:
        if side == ATTACKER:
            return self.attacker
        return FREE_PEOPLES if self.attacker == SHADOW else SHADOW

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer that is open, and return what is announced. A throw: faces, or a number of hits."""
        question = self.question
        assert question is not None
        self.events = []
        if value == BACK and question.back:
            assert self.earlier is not None
            self.__dict__.update(self.earlier.copy().__dict__)
            return []
        step, *args = self.todo.pop()
        self.question = None
        step(self, *args, value)
        self._advance()
        return self.events

    def _advance(self) -> None:
        while self.question is None and not self.result:
            step, *args = self.todo.pop()
            step(self, *args)

    def next(self, *steps: Step) -> None:
        """Let these steps come before all others."""
        self.todo.extend(reversed(steps))

    def ask(self, question: Question, *step: Any) -> None:
        """Leave a question and the step that takes the answer, as its last argument."""
        self.question = question
        self.todo.append(step)

    def mark(self, *steps: Step) -> None:
        """Note where ``back`` leads: to these steps, with nothing of what follows done."""
        self.earlier = self.copy()
        self.earlier.next(*steps)
        self.earlier._advance()
