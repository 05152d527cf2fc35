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
MORE_EFFECTS = ("number", "hits", "cancel-hits", "dice", "leader", "losses")
EFFECTS = ("modifier", "forfeit", "cancel", "attack-before", "attack-after", "retreat", *MORE_EFFECTS, "done")
ROLLS = ("own-combat", "enemy-combat", "own-reroll", "own-both", "enemy-reroll", "enemy-both")
WHOSE = ("own-before", "own-after", "enemy-before", "enemy-after")
NUMBERS = (
    *("dice", "faces", "first_hits", "leadership", "forfeited", "cancelled", "allowance", "rerolled", "more_hits"),
    *(
        "extra_hits",
        "cancelled_hits",
    ),
)
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
    card: str = ""
    own_combat: int = 0
    own_reroll: int = 0
    enemy_combat: int = 0
    enemy_reroll: int = 0
    number_combat: int = 0
    number_reroll: int = 0
    card_dice: int = -1
    forfeited: int = 0
    cancelled: int = 0
    extra_hits: int = 0
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
    def units(self) -> int:
        return self.regulars + self.elites

    def new_round(self) -> Army:
        """Return it as a new round finds it."""
        lasting = ("regulars", "elites", "leadership", "lost_regulars", "lost_elites")
        return Army(**{name: getattr(self, name) for name in lasting}, began=(self.regulars, self.elites))

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
    """One battle from the choice of the attacker to its end."""

    def __init__(self, *, assault_pays: bool = True) -> None:
        self.assault_pays = assault_pays
        self.attacker = SHADOW
        self.ground = "field"
        self.by_hand: dict[str, int] = {}
        self.round = 1
        self.armies = {side: Army() for side in SIDES}
        self.result = ""
        self.draft: list[Effect] = []
        self.effects: list[Effect] = []
        self.events: list[Event] = []
        self.question: Question | None = None
        self.todo: list[Step] = [("set_up",)]
        self.earlier: Battle | None = None
        self.marking = True
        self.in_attack = False
        self._advance()

    def copy(self) -> Battle:
        """Return one that goes on by itself."""
        twin = Battle.__new__(Battle)
        twin.__dict__.update(self.__dict__)
        twin.by_hand, twin.todo, twin.events = dict(self.by_hand), [*self.todo], []
        twin.draft, twin.effects = [*self.draft], [*self.effects]
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
        self.armies = {side: army.new_round() for side, army in self.armies.items()}
        self.draft, self.effects = [], []
        stronghold = (("ask_inside",),) if rules.may_go_inside(self.ground) else ()
        cards: list[Step] = [("ask_card", side) for side in SIDES] + [("declare", side) for side in SIDES]
        throws = [("ask_throw", side) for side in rules.first_to_roll()]
        again = [("ask_re_roll", side) for side in rules.first_to_roll()]
        before: list[Step] = [("ask_initiatives",), ("effects_of", "before")]
        after: list[Step] = [("effects_of", "hits"), ("casualties",), ("end_of_round",)]
        self._next(*stronghold, *cards, *before, *throws, *again, *after)

    def ask_inside(self) -> None:
        codes = {"fight": None, "siege": None, **self._elsewhere(inside="")}
        self._ask(self._choose("round.stronghold", self.seat(DEFENDER), codes), "inside")

    def inside(self, choice: str) -> None:
        if choice == "siege":
            self._end("into-siege")

    # -- Combat cards ---------------------------------------------------------------------------------------------

    def ask_card(self, side: str) -> None:
        codes: dict[str, str | None] = {"none": None, "card": None}
        if side == ATTACKER:
            inside, retreat = rules.inside_code(self.ground), rules.retreat_code(self.ground)
            away = self._elsewhere(card="", inside=inside, retreat=retreat)
        else:
            away = self._elsewhere(card="")
        self._ask(self._choose(f"cards.{side}", self.seat(side), {**codes, **away}), "card", side)

    def card(self, side: str, choice: str) -> None:
        self.armies[side].card = "picked" if choice == "card" else "none"

    def declare(self, side: str) -> None:
        """What the card does is told piece by piece; ``back`` takes the whole card back."""
        army = self.armies[side]
        if army.card == "picked":
            army.card = ""
            self._mark(("ask_card", side), ("declare", side))
            army.card = "picked"
            self.ask_effect(side)

    def ask_effect(self, side: str) -> None:
        codes = {**dict.fromkeys(EFFECTS), "retreat": rules.card_retreat_code(self.ground, side), "no": "WR-X16"}
        self._ask(self._choose("card.effect", self.seat(side), codes, back=True), "effect", side)

    def effect(self, side: str, kind: str) -> None:
        seat = self.seat(side)
        if kind == "done":
            self.play_card(side)
        elif kind in {"modifier", "number", "dice"}:
            where = ROLLS[:2] if kind == "dice" else ROLLS
            self._ask(self._choose("card.dice", seat, dict.fromkeys(where), back=True), "which_dice", side, kind)
        elif kind in {"leader", "losses"}:
            self._ask(self._choose("card.whose", seat, dict.fromkeys(WHOSE), back=True), "add_effect", side, kind)
        elif kind == "hits":
            self._ask(Question("card.hits", seat, "count", low=1, high=6, back=True), "add_number", side, kind, "")
        else:
            self.add_effect(side, kind, "")

    def which_dice(self, side: str, kind: str, on: str) -> None:
        key, low, high = {
            "modifier": ("card.amount", -5, 5),
            "number": ("card.number", 4, 6),
            "dice": ("card.dice-count", 0, 5),
        }[kind]
        question = Question(key, self.seat(side), "count", low=low, high=high, back=True)
        self._ask(question, "add_number", side, kind, on)

    def add_number(self, side: str, kind: str, on: str, value: int) -> None:
        self.draft.append(Effect(side, kind, on, value))
        self.ask_effect(side)

    def add_effect(self, side: str, kind: str, on: str) -> None:
        self.draft.append(Effect(side, kind, on))
        self.ask_effect(side)

    def play_card(self, side: str) -> None:
        self.armies[side].card = "played"
        for effect in self.draft:
            if effect.window:
                self.effects.append(effect)
            else:
                self._apply(effect)
        self.draft = []

    def _apply(self, effect: Effect) -> None:
        """Note what changes the dice of this round."""
        whose, _, roll = effect.on.partition("-")
        army = self.armies[rules.other(effect.side) if whose == "enemy" else effect.side]
        if effect.kind == "hits":
            army.extra_hits += effect.value
        elif effect.kind == "dice":
            army.card_dice = effect.value
        for each in ("combat", "reroll") if roll == "both" else (roll,):
            if effect.kind == "number":
                setattr(army, f"number_{each}", effect.value)
            elif effect.kind == "modifier":
                name = f"{whose}_{each}"
                setattr(army, name, rules.added(getattr(army, name), effect.value))

    def ask_initiatives(self) -> None:
        """Both cards lie open: whatever meets an effect of the other card at the same time needs its initiative."""
        asked = [index for index, effect in enumerate(self.effects) if self._order_matters(effect)]
        self._next(*(("ask_initiative", index) for index in asked))

    def _order_matters(self, effect: Effect) -> bool:
        foes = [foe for foe in self.effects if foe.side != effect.side and foe.window == effect.window]
        return any(rules.order_matters(effect.kind, foe.kind) for foe in foes)

    def ask_initiative(self, index: int) -> None:
        seat = self.seat(self.effects[index].side)
        self._ask(Question("card.initiative", seat, "count", low=1, high=9), "initiative", index)

    def initiative(self, index: int, value: int) -> None:
        self.effects[index] = replace(self.effects[index], initiative=value)

    def effects_of(self, window: str) -> None:
        for effect in reversed(rules.in_order([each for each in self.effects if each.window == window])):
            self._next((f"do_{effect.kind.replace('-', '_')}", effect))

    def do_forfeit(self, effect: Effect) -> None:
        army = self.armies[effect.side]
        left, most = rules.leadership_left(army.leadership, army.forfeited, army.cancelled), max(6, army.leadership)
        barred = {count: code for count in range(most + 1) if (code := rules.forfeit_code(count, left))}
        question = Question("card.forfeit", self.seat(effect.side), "count", barred=barred, high=most)
        self._ask(question, "forfeit", effect.side)

    def forfeit(self, side: str, count: int) -> None:
        self.armies[side].forfeited += count

    def do_cancel(self, effect: Effect) -> None:
        foe = rules.other(effect.side)
        most = max(6, self.armies[foe].leadership)
        question = Question("card.cancel", self.seat(effect.side), "count", high=most)
        self._ask(question, "cancel", foe)

    def cancel(self, side: str, count: int) -> None:
        army = self.armies[side]
        army.cancelled += min(count, rules.leadership_left(army.leadership, army.forfeited, army.cancelled))

    def do_retreat(self, effect: Effect) -> None:
        codes = {"retreat": None, "stay": None, "no-region": "WR-X08"}
        self._ask(self._choose("card.retreat", self.seat(effect.side), codes), "card_retreat")

    def card_retreat(self, choice: str) -> None:
        if choice == "retreat":
            self._end("defender-retreated")

    def do_leader(self, effect: Effect) -> None:
        side = self._hit_by(effect)
        most = self.armies[side].leadership
        if most:
            self._ask(Question("card.leader", self.seat(effect.side), "count", high=most), "leader", side)

    def leader(self, side: str, count: int) -> None:
        self.armies[side].leadership -= count

    def do_losses(self, effect: Effect) -> None:
        side = self._hit_by(effect)
        self._ask(Question("card.losses", self.seat(effect.side), "count", high=10), "losses", side)

    def losses(self, side: str, count: int) -> None:
        if count:
            self.armies[side].due = count
            self._next(("start_losing", side), ("card_losses", side), ("anybody_left",))

    def card_losses(self, side: str) -> None:
        army = self.armies[side]
        self.events.append(Event("card-losses", {"after": (army.regulars, army.elites), "taken": [*army.taken]}))

    def _hit_by(self, effect: Effect) -> str:
        return effect.side if effect.on.startswith("own") else rules.other(effect.side)

    def do_cancel_hits(self, effect: Effect) -> None:
        side = rules.other(effect.side)
        if self.scored(side):
            question = Question("card.cancel-hits", self.seat(effect.side), "count", high=self.scored(side))
            self._ask(question, "cancel_hits", side)

    def cancel_hits(self, side: str, count: int) -> None:
        self.armies[side].cancelled_hits += count

    def do_attack_before(self, effect: Effect) -> None:
        barred = {count: code for count in range(1, 11) if (code := rules.attack_dice_code(count))}
        question = Question("attack.dice", self.seat(effect.side), "count", barred=barred, low=1, high=10)
        self._ask(question, "attack_dice", effect.side)

    do_attack_after = do_attack_before

    def attack_dice(self, side: str, dice: int) -> None:
        question = Question("attack.number", self.seat(side), "count", low=2, high=6)
        self._ask(question, "attack_number", side, dice)

    def attack_number(self, side: str, dice: int, number: int) -> None:
        modifier = rules.attack_modifier(self.armies[side].own_combat, self.armies[side].enemy_combat)
        chance = self._hitting_faces(number, modifier)
        question = Question("attack.roll", self.seat(side), "roll", low=dice, high=dice, chance=chance)
        self._ask(question, "attack_roll", side, dice, number, modifier)

    def attack_roll(self, side: str, dice: int, number: int, modifier: int, thrown: list[int] | int) -> None:
        foe = rules.other(side)
        hits = self._count(thrown, number, modifier)
        self.armies[foe].due = hits
        numbers = {"seat": self.seat(side), "dice": dice, "number": number, "modifier": modifier, "hits": hits}
        self.in_attack = True
        self._next(("start_losing", foe), ("attack_fought", foe, numbers), ("anybody_left",))

    def attack_fought(self, foe: str, numbers: dict[str, Any]) -> None:
        army = self.armies[foe]
        self.in_attack = False
        self.events.append(
            Event("card-attack", {**numbers, "after": (army.regulars, army.elites), "taken": [*army.taken]})
        )

    def anybody_left(self) -> None:
        """WR-56: an Army without units ends the battle there."""
        result = rules.eliminated(self.armies[ATTACKER].units, self.armies[DEFENDER].units)
        if result:
            self._end(result)

    # -- dice -----------------------------------------------------------------------------------------------------

    def to_hit(self, side: str, roll: str = "combat") -> int:
        army = self.armies[side]
        base = self.by_hand.get(side) or rules.number_to_hit(self.ground, side, self.round)
        combat = army.number_combat or base
        return combat if roll == "combat" else rules.re_roll_number(combat, army.number_reroll)

    def modifier(self, side: str, roll: str = "combat") -> int:
        army = self.armies[side]
        return rules.added(getattr(army, f"own_{roll}"), getattr(army, f"enemy_{roll}"))

    def _hitting_faces(self, number: int, modifier: int) -> int:
        return sum(rules.hits(face, number, modifier) for face in range(1, 7))

    def _count(self, thrown: list[int] | int, number: int, modifier: int) -> int:
        if isinstance(thrown, int):
            return thrown
        return sum(rules.hits(face, number, modifier) for face in thrown)

    def ask_throw(self, side: str) -> None:
        army = self.armies[side]
        dice = rules.dice_by_card(rules.combat_dice(army.units), army.card_dice)
        chance = self._hitting_faces(self.to_hit(side), self.modifier(side))
        if dice:
            question = Question("combat.roll", self.seat(side), "roll", low=dice, high=dice, chance=chance)
            self._ask(question, "throw", side, dice)

    def throw(self, side: str, dice: int, thrown: list[int] | int) -> None:
        army = self.armies[side]
        army.dice, army.faces = dice, [] if isinstance(thrown, int) else thrown
        army.first_hits = self._count(thrown, self.to_hit(side), self.modifier(side))

    def ask_re_roll(self, side: str) -> None:
        army = self.armies[side]
        allowance = rules.re_rolls(army.leadership, army.forfeited, army.cancelled, army.dice - army.first_hits)
        if allowance:
            chance = self._hitting_faces(self.to_hit(side, "reroll"), self.modifier(side, "reroll"))
            seat = self.seat(side)
            question = Question("reroll.roll", seat, "roll", high=allowance, chance=chance, re_roll=True)
            self._ask(question, "re_roll", side, allowance)

    def re_roll(self, side: str, allowance: int, thrown: list[int] | int) -> None:
        army = self.armies[side]
        army.allowance = allowance
        army.rerolled = [] if isinstance(thrown, int) else thrown
        army.more_hits = self._count(thrown, self.to_hit(side, "reroll"), self.modifier(side, "reroll"))

    def scored(self, side: str) -> int:
        """Return the hits of a side in this round."""
        army = self.armies[side]
        return rules.scored(army.first_hits, army.more_hits, army.extra_hits, army.cancelled_hits)

    # -- casualties -----------------------------------------------------------------------------------------------

    def casualties(self) -> None:
        for side in SIDES:
            self.armies[side].due = self.scored(rules.other(side))
        self._next(*(("start_losing", side) for side in rules.first_to_lose()))

    def start_losing(self, side: str) -> None:
        self.armies[side].taken = []
        self._next(("lose", side))

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
        re_roll = "WR-X12" if self.in_attack else OUT_OF_STEP
        self._ask(
            self._choose("casualty", self.seat(side), {**codes, **self._elsewhere(re_roll=re_roll)}), "take", side
        )

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
        self._next(("anybody_left",), ("effects_of", "after"), ("go_on_or_not",))

    def go_on_or_not(self) -> None:
        if rules.assault_pays(self.ground, self.assault_pays) and not rules.can_pay(self.armies[ATTACKER].elites):
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
        units, played = self.armies[DEFENDER].units, any(army.card == "played" for army in self.armies.values())
        self.events.extend(map(Event, rules.closing_reminders(result, self.ground, units, card_played=played)))

    # -- the numbers of rulings -----------------------------------------------------------------------------------

    def _numbers(self) -> dict[str, Any]:
        numbers: dict[str, Any] = {"round": self.round, "ground": self.ground}
        return numbers | {side: self._numbers_of(side) for side in SIDES}

    def _numbers_of(self, side: str) -> dict[str, Any]:
        army = self.armies[side]
        return {name: getattr(army, name) for name in NUMBERS} | {
            "taken": [*army.taken],
            "seat": self.seat(side),
            "number": self.to_hit(side),
            "modifier": self.modifier(side),
            "reroll_number": self.to_hit(side, "reroll"),
            "reroll_modifier": self.modifier(side, "reroll"),
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
