"""What the oracle says, what it keeps of a game, and how its steps run.

`State.todo` is a stack of steps still to come, each a name and its arguments. A step ``x`` is a question (`ask_x`
works it out from the state whenever somebody looks, `take_x` takes the answer) or something done at once (`do_x`).
So a game can be copied in the middle, and a correction is seen by the question that stands.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from tests.oracles.riddle_of_the_ring import rules
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


Step = tuple[Any, ...]
Codes = dict[Any, str]
PLAIN = ("seat", "players", "round", "pp_used", "power_plays", "moving", "stops", "busy", "conceded")
BY_PLAYER = ("near", "fe", "battled", "in_halls", "halls_turns")
FIRST_STEPS: dict[str, tuple[Step, ...]] = {
    "": (("players",),),
    "battle": (("finished",), ("kinds",)),
    "riddle": (("finished",), ("hand",)),
}
OUT_OF_STEP = "RR-X21" + FIRM


class State:
    """The state of a whole game, or of one ruling of the desk (``battle``, ``riddle``)."""

    def __init__(self, ruling: str = "", *, overshoot: bool = False, return_first: bool = False) -> None:
        self.overshoot, self.return_first = overshoot, return_first
        self.ruling = ruling
        self.seat = ANYBODY
        self.number = 0
        self.players: list[str] = []
        self.conceded: list[str] = []
        self.round = 1
        self.over = ""
        self.winners: list[str] = []
        self.halls_turns = everybody(0)
        self.in_halls = everybody(False)
        self.busy = "none"
        self.card = self.mode = self.target = ""
        self.cards = self.won = 0
        self.hands = 1
        self.seen: list[str] = []
        self.drawn: dict[str, str] = {}
        self.battle = Battle()
        self.new_turn()
        self.events: list[Event] = []
        self.attempts: list[tuple[int, bool]] = []
        self.todo: list[Step] = [*FIRST_STEPS[ruling]]

    def copy(self) -> Self:
        """Return one that goes on by itself."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name in ("players", "conceded", "power_plays", "seen", "todo", "attempts", "winners"):
            setattr(twin, name, [*getattr(self, name)])
        for name in (*BY_PLAYER, "drawn"):
            setattr(twin, name, dict(getattr(self, name)))
        twin.battle = deepcopy(self.battle) if self.busy == "battle" or self.ruling else Battle()
        return twin

    # -- how steps run -----------------------------------------------------------------------------------------------

    @property
    def question(self) -> Question | None:
        """What stands now, None once the game is over."""
        if self.over:
            return None
        name, *args = self.todo[-1]
        question: Question = getattr(self, f"ask_{name}")(*args)
        return question

    @property
    def back(self) -> bool:
        """Whether ``back`` drops what is under way."""
        return bool(self.attempts) and not self.attempts[-1][1]

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer, open or let pass by a card, and return what is announced."""
        self.events = []
        if value == BACK and self.back:
            depth, _ = self.attempts.pop()
            del self.todo[depth:]
        else:
            name, *args = self.todo.pop()
            getattr(self, f"take_{name}")(*args, value)
        self._advance()
        return self.events

    def _advance(self) -> None:
        while not self.over and hasattr(self, f"do_{self.todo[-1][0]}"):
            name, *args = self.todo.pop()
            getattr(self, f"do_{name}")(*args)

    def _next(self, *steps: Step) -> None:
        self.todo.extend(reversed(steps))

    def do_decide(self, *step: Any) -> None:
        """Ask only where more or less than one answer is open."""
        name, *args = step
        answers = getattr(self, f"ask_{name}")(*args).open
        if len(answers) == 1:
            getattr(self, f"take_{name}")(*args, answers[0])
        else:
            self._next(step)

    def attempt(self, tidy: Step, *steps: Step) -> None:
        """Begin what may be dropped until it is counted; ``tidy`` is done however it ends."""
        self._next(tidy)
        self.attempts.append((len(self.todo), False))
        self._next(*steps, ("end_attempt",))

    def do_end_attempt(self) -> None:
        self.attempts.pop()

    def counted(self) -> None:
        """Whatever is under way can no longer be dropped."""
        self.attempts = [(depth, True) for depth, _ in self.attempts]

    def do_nothing(self) -> None:
        """Leave all as it is."""

    def do_finished(self) -> None:
        self.over = "finished"

    # -- who is in play, and what is spent ---------------------------------------------------------------------------

    def new_turn(self) -> None:
        self.pp_used = self.stops = 0
        self.power_plays: list[str] = []
        self.moving = False
        self.battled = everybody(False)
        self._nobody_near()

    def _nobody_near(self) -> None:
        self.near, self.fe = everybody(False), everybody("unset")

    def in_play(self) -> list[str]:
        return [each for each in self.players if each not in self.conceded]

    def foes(self) -> list[str]:
        return [each for each in rules.others(self.players, self.seat) if each not in self.conceded]

    def target_codes(self) -> Codes:
        players = self.in_play()
        return {
            each: rules.target_code(each, self.seat, players, in_halls=self.in_halls[each]) for each in CHARACTERS
        }

    def spend(self) -> None:
        """Count a Power Play; from here on nothing is dropped."""
        self.pp_used += rules.cost(1)
        self.power_plays.append(self.busy)
        self.counted()

    def do_tidy(self) -> None:
        """A Power Play has ended, or was dropped."""
        self.busy, self.battle = "none", Battle()
        self.card = self.mode = self.target = ""
        self.cards = self.won = 0
        self.hands, self.seen, self.drawn = 1, [], {}

    def announce(self, what: str, numbers: dict[str, Any], card: str = "", mode: str = "") -> None:
        user = {} if self.ruling else {"user": self.seat, "power_plays": self.pp_used}
        if what in {"win", "tie"}:
            user = {"power_plays": self.pp_used}
        elif what == "no-battle":
            user = {}
        rests_on = frozenset(rules.TELLING & rules.rests_on(what, card, mode))
        self.events.append(Event(what, {**numbers, **user}, rests_on, rules.changes(what, card, mode, numbers)))
