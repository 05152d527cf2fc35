"""A battle as the printed rules have it: its own state, what is asked next, and what an answer does to it.

`Battle.todo` is a stack of steps still to come, each the name of a method and its arguments; `Battle.answer` runs
them until the next question stands. So a battle can be copied in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.rules import ATTACKER, DEFENDER, SIDES

SHADOW, FREE_PEOPLES = "shadow", "free-peoples"
GROUNDS = ("field", "city", "stronghold", "siege", "sortie")
BACK = "back"
OUT_OF_STEP = "WR-X14"

Step = tuple[Any, ...]


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
    def units(self) -> int:
        return self.regulars + self.elites

    def new_round(self) -> None:
        """Forget the round before."""
        self.dice = self.first_hits = self.allowance = self.more_hits = self.due = 0
        self.faces, self.rerolled, self.taken = [], [], []
        self.began = (self.regulars, self.elites)

    def copy(self) -> Army:
        return replace(self, faces=[*self.faces], rerolled=[*self.rerolled], taken=[*self.taken])


class Battle:
    """One battle from the choice of the attacker to its end."""

    def __init__(self, *, assault_pays: bool = True) -> None:
        self.assault_pays = assault_pays
        self.attacker = SHADOW
        self.ground = "field"
        self.by_hand: dict[str, int] = {}
        self.round = 1
        self.armies = {side: Army() for side in SIDES}
        self.result = ""
        self.events: list[Event] = []
        self.question: Question | None = None
        self.todo: list[Step] = [("set_up",)]
        self.earlier: Battle | None = None
        self.marking = True
        self._advance()

    def copy(self) -> Battle:
        """Return one that goes on by itself."""
        twin = Battle.__new__(Battle)
        twin.__dict__.update(self.__dict__)
        twin.by_hand, twin.todo, twin.events = dict(self.by_hand), [*self.todo], []
        twin.armies = {side: army.copy() for side, army in self.armies.items()}
        return twin

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer that is open, and return what is announced. A throw: faces, or a number of hits."""
        question = self.question
        assert question is not None
        self.events = []
        if value == BACK and question.back:
            assert self.earlier is not None
            self.__dict__.update(self.earlier.copy().__dict__)
            return []
        name, *args = self.todo.pop()
        self.question = None
        getattr(self, name)(*args, value)
        self._advance()
        return self.events

    def seat(self, side: str) -> str:
        if side == ATTACKER:
            return self.attacker
        return FREE_PEOPLES if self.attacker == SHADOW else SHADOW

    # -- how steps run --------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        while self.question is None and not self.result:
            name, *args = self.todo.pop()
            getattr(self, name)(*args)

    def _next(self, *steps: Step) -> None:
        self.todo.extend(reversed(steps))

    def _ask(self, question: Question, step: str, *args: Any) -> None:
        self.question = question
        self._next((step, *args))

    def _mark(self, *steps: Step) -> None:
        """Note where ``back`` leads: to these steps, with nothing of what follows done."""
        if not self.marking:
            return
        self.earlier = self.copy()
        self.earlier._next(*steps)
        self.earlier._advance()

    def _choose(self, key: str, seat: str, codes: dict[str, str | None], *, back: bool = False) -> Question:
        barred = {id_: code for id_, code in codes.items() if code is not None}
        return Question(key, seat, "choose", tuple(id_ for id_ in codes if id_ not in barred), barred, back=back)

    def _elsewhere(self, *, card: str | None = "WR-X11", inside: str = OUT_OF_STEP, retreat: str = OUT_OF_STEP,
                   re_roll: str = OUT_OF_STEP, cease: str | None = OUT_OF_STEP) -> dict[str, str | None]:  # fmt: skip
        """Return the entries of other steps, by their codes."""
        codes = {"card": card, "re-roll": re_roll, "cease": cease, "retreat": retreat, "siege": inside}
        return {id_: code for id_, code in codes.items() if code}

    # -- the set-up -----------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        self._ask(self._choose("battle.attacker", "table", {SHADOW: None, FREE_PEOPLES: None}), "who_attacks")

    def who_attacks(self, seat: str) -> None:
        self.earlier = Battle(assault_pays=self.assault_pays)
        self.attacker = seat
        self.ask_ground()

    def ask_ground(self) -> None:
        open_ = (*GROUNDS, *(() if self.by_hand else ("by-hand",)))
        self._ask(self._choose("battle.ground", "table", dict.fromkeys(open_), back=True), "where")

    def where(self, ground: str) -> None:
        if ground == "by-hand":
            self._next(("ask_number", ATTACKER), ("ask_number", DEFENDER), ("ask_ground",))
        else:
            self.ground = ground
            self._next(("ask_regulars", ATTACKER), ("ask_regulars", DEFENDER), ("start",))

    def ask_number(self, side: str) -> None:
        self._ask(Question("battle.number", "table", "count", low=4, high=6, back=True), "number", side)

    def number(self, side: str, number: int) -> None:
        self.by_hand[side] = number

    def ask_regulars(self, side: str) -> None:
        self._ask(Question("army.regulars", self.seat(side), "count", high=10, back=True), "regulars", side)

    def regulars(self, side: str, count: int) -> None:
        self.armies[side].regulars = count
        code = rules.army_code(count, 0)
        barred = {0: code} if code else {}
        self._ask(
            Question("army.elites", self.seat(side), "count", barred=barred, high=10, back=True), "elites", side
        )

    def elites(self, side: str, count: int) -> None:
        self.armies[side].elites = count
        self._ask(Question("army.leadership", self.seat(side), "count", high=10, back=True), "leadership", side)

    def leadership(self, side: str, count: int) -> None:
        self.armies[side].leadership = count

    def start(self) -> None:
        self._next(("begin_round",))

    # -- a round --------------------------------------------------------------------------------------------------

    def begin_round(self) -> None:
        for army in self.armies.values():
            army.new_round()
        stronghold = (("ask_inside",),) if rules.may_go_inside(self.ground) else ()
        throws = [("ask_throw", side) for side in rules.first_to_roll()]
        again = [("ask_re_roll", side) for side in rules.first_to_roll()]
        self._next(*stronghold, ("ask_cards",), *throws, *again, ("casualties",), ("end_of_round",))

    def ask_inside(self) -> None:
        codes = {"fight": None, "siege": None, **self._elsewhere(inside="")}
        self._ask(self._choose("round.stronghold", self.seat(DEFENDER), codes), "inside")

    def inside(self, choice: str) -> None:
        if choice == "siege":
            self._end("into-siege")

    def ask_cards(self) -> None:
        codes = {"none": None, "card": None}
        away = self._elsewhere(
            card="", inside=rules.inside_code(self.ground), retreat=rules.retreat_code(self.ground)
        )
        self._next(("ask_second_card",))
        self._ask(self._choose("cards.attacker", self.seat(ATTACKER), {**codes, **away}), "no_card")

    def ask_second_card(self) -> None:
        codes = {"none": None, "card": None, **self._elsewhere(card="")}
        self._ask(self._choose("cards.defender", self.seat(DEFENDER), codes), "no_card")

    def no_card(self, choice: str) -> None:
        assert choice == "none"

    # -- dice -----------------------------------------------------------------------------------------------------

    def to_hit(self, side: str) -> int:
        return self.by_hand.get(side) or rules.number_to_hit(self.ground, side, self.round)

    def _hitting_faces(self, number: int, modifier: int) -> int:
        return sum(rules.hits(face, number, modifier) for face in range(1, 7))

    def _count(self, thrown: list[int] | int, number: int, modifier: int) -> int:
        if isinstance(thrown, int):
            return thrown
        return sum(rules.hits(face, number, modifier) for face in thrown)

    def ask_throw(self, side: str) -> None:
        dice = rules.combat_dice(self.armies[side].units)
        chance = self._hitting_faces(self.to_hit(side), 0)
        question = Question("combat.roll", self.seat(side), "roll", low=dice, high=dice, chance=chance)
        self._ask(question, "throw", side, dice)

    def throw(self, side: str, dice: int, thrown: list[int] | int) -> None:
        army = self.armies[side]
        army.dice, army.faces = dice, [] if isinstance(thrown, int) else thrown
        army.first_hits = self._count(thrown, self.to_hit(side), 0)

    def ask_re_roll(self, side: str) -> None:
        army = self.armies[side]
        allowance = rules.re_rolls(army.leadership, 0, 0, army.dice - army.first_hits)
        if allowance:
            chance = self._hitting_faces(self.to_hit(side), 0)
            seat = self.seat(side)
            question = Question("reroll.roll", seat, "roll", high=allowance, chance=chance, re_roll=True)
            self._ask(question, "re_roll", side, allowance)

    def re_roll(self, side: str, allowance: int, thrown: list[int] | int) -> None:
        army = self.armies[side]
        army.allowance = allowance
        army.rerolled = [] if isinstance(thrown, int) else thrown
        army.more_hits = self._count(thrown, self.to_hit(side), 0)

    def scored(self, side: str) -> int:
        """Return the hits of a side in this round."""
        return self.armies[side].first_hits + self.armies[side].more_hits

    # -- casualties -----------------------------------------------------------------------------------------------

    def casualties(self) -> None:
        for side in SIDES:
            self.armies[side].due = self.scored(rules.other(side))
        self._next(*(("lose", side) for side in rules.first_to_lose()))

    def lose(self, side: str) -> None:
        """Take what is forced; ask for what is not."""
        army = self.armies[side]
        if rules.wiped_out(army.due, army.regulars, army.elites):
            army.taken += ["regular"] * army.regulars + ["elite"] * army.elites
            army.lost_regulars += army.regulars
            army.lost_elites += army.elites
            army.regulars = army.elites = army.due = 0
        elif army.due:
            self._next(("lose", side))
            codes = rules.casualty_codes(army.due, army.regulars, army.elites)
            open_ = [loss for loss, code in codes.items() if code is None]
            if open_ == ["regular"]:
                self.take(side, "regular")
            elif open_ == ["reduce"]:
                self.ask_replacement(side, back=False)
            else:
                self.ask_casualty(side, codes)

    def ask_casualty(self, side: str, codes: dict[str, str | None]) -> None:
        self._ask(self._choose("casualty", self.seat(side), {**codes, **self._elsewhere()}), "take", side)

    def take(self, side: str, loss: str) -> None:
        army = self.armies[side]
        if loss == "reduce":
            self._mark()
            self.ask_replacement(side, back=True)
        elif loss == "regular":
            army.regulars -= 1
            army.lost_regulars += 1
            army.due -= rules.cost(loss)
            army.taken.append("regular")
        else:
            self._lose_elite(army, rules.cost(loss))

    def _lose_elite(self, army: Army, cost: int) -> None:
        army.elites -= 1
        army.lost_elites += 1
        army.due -= cost
        army.taken.append("elite")

    def ask_replacement(self, side: str, *, back: bool) -> None:
        codes = rules.replacement_codes(self.armies[side].lost_regulars)
        self._ask(self._choose("casualty.replacement", self.seat(side), codes, back=back), "reduce", side)

    def reduce(self, side: str, replacement: str) -> None:
        army = self.armies[side]
        if rules.replaced(replacement):
            army.taken.append("returned" if rules.from_casualties(replacement, army.lost_regulars) else "reduced")
            self._replace(army, replacement)
            army.due -= rules.cost("reduce")
        else:
            self._lose_elite(army, rules.cost("reduce"))

    def _replace(self, army: Army, replacement: str) -> None:
        army.lost_regulars -= rules.from_casualties(replacement, army.lost_regulars)
        army.elites -= 1
        army.lost_elites += 1
        army.regulars += 1

    # -- the end of a round ---------------------------------------------------------------------------------------

    def end_of_round(self) -> None:
        self.events.append(Event("round-fought", self._numbers()))
        result = rules.eliminated(self.armies[ATTACKER].units, self.armies[DEFENDER].units)
        if result:
            self._end(result)
        elif rules.assault_pays(self.ground, self.assault_pays) and not rules.can_pay(self.armies[ATTACKER].elites):
            self._end("attacker-ceased")
        else:
            self.ask_cease()

    def ask_cease(self) -> None:
        codes = {"on": None, "cease": None, **self._elsewhere(cease="")}
        self._ask(self._choose("round.cease", self.seat(ATTACKER), codes), "cease")

    def cease(self, choice: str) -> None:
        if choice == "cease":
            self._end("attacker-ceased")
        elif rules.assault_pays(self.ground, self.assault_pays):
            self._mark(("ask_cease",))
            army = self.armies[ATTACKER]
            codes = {**rules.replacement_codes(army.lost_regulars), "no": "WR-X15"}
            self._ask(self._choose("siege.replacement", self.seat(ATTACKER), codes, back=True), "pay")
        elif rules.may_retreat(self.ground):
            away = self._elsewhere(inside=rules.inside_code(self.ground), retreat="")
            codes = {"stand": None, "retreat": None, "no-region": "WR-X08", **away}
            self._ask(self._choose("round.retreat", self.seat(DEFENDER), codes), "retreat")
        else:
            self.go_on()

    def pay(self, replacement: str) -> None:
        self._replace(self.armies[ATTACKER], replacement)
        self.go_on()

    def retreat(self, choice: str) -> None:
        if choice == "retreat":
            self._end("defender-retreated")
        else:
            self.go_on()

    def go_on(self) -> None:
        self.round += 1
        self.begin_round()

    def _end(self, result: str) -> None:
        self.result = result
        self.question = None
        self.events.append(Event(result, self._summary(result)))
        units = self.armies[DEFENDER].units
        self.events.extend(map(Event, rules.closing_reminders(result, self.ground, units)))

    # -- the numbers of rulings -----------------------------------------------------------------------------------

    def _numbers(self) -> dict[str, Any]:
        numbers: dict[str, Any] = {"round": self.round, "ground": self.ground}
        return numbers | {side: self._numbers_of(side) for side in SIDES}

    def _numbers_of(self, side: str) -> dict[str, Any]:
        army = self.armies[side]
        names = ("dice", "faces", "first_hits", "leadership", "allowance", "rerolled", "more_hits", "taken")
        return {name: getattr(army, name) for name in names} | {
            "seat": self.seat(side),
            "number": self.to_hit(side),
            "hits": self.scored(side),
            "before": army.began,
            "after": (army.regulars, army.elites),
        }

    def _summary(self, result: str) -> dict[str, Any]:
        summary: dict[str, Any] = {"result": result, "rounds": self.round, "ground": self.ground}
        for side, army in self.armies.items():
            left, lost = (army.regulars, army.elites), (army.lost_regulars, army.lost_elites)
            summary[side] = {"seat": self.seat(side), "left": left, "lost": lost}
        return summary
