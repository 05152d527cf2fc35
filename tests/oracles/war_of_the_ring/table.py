"""A battle on the rulebook and on the oracle side by side."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from referee.games import load
from referee.rulebook import Bundle, Ruling
from referee.session import Prompt, Session
from tests.oracles.side_by_side import BadAnswer, Report, SideBySide, barred
from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.cards import EFFECTS, WHOSE
from tests.oracles.war_of_the_ring.rounds import begin
from tests.oracles.war_of_the_ring.state import BACK, Battle, Event, Question

ARMY = ("regulars", "elites", "leadership", "lost_regulars", "lost_elites", "dice", "faces", "first_hits")
CARDS = ("card", "forfeited", "cancelled", "turned_hits", "cancelled_hits")
ARMY_FIELDS = (*ARMY, *CARDS, "allowance", "rerolled", "more_hits", "due", "taken")
MOMENTS = ("dice", "before", "hits", "after")
"""When an effect works: it changes dice of the round, or has its turn before them, at the hits, after the losses."""
TIMED = {"leader", "losses"}
"""What a card does at the moment that its player names."""
ELSEWHERE = {"card", "re-roll", "cease", "retreat", "siege", "no-region", "no"}
"""What a prompt need not list where another question takes it."""
LIKELY = {"modifier", "dice", "attack-before", "attack-after", "enemy-combat"}
"""Of what a card does, what bears on most rules."""


def never_met(report: Report) -> list[tuple[str, ...]]:
    """Return what two cards can do in one round and did not: whose effect, its kind, its moment and the other's.

    Both orders of the moments count: (side, kind, moment of the attacker's effect, moment of the defender's).
    """
    kinds = [kind for kind in EFFECTS if kind != "done"]
    own = {(kind, rules.window(kind, on) or "dice") for kind in kinds for on in (WHOSE if kind in TIMED else [""])}
    cells = {("attacker", kind, when, other) for kind, when in own for other in MOMENTS if kind != "retreat"}
    cells |= {("defender", kind, other, when) for kind, when in own for other in MOMENTS}
    return sorted(cells - report.met.keys())


class Table(SideBySide):
    """One battle played on both."""

    closed = "WR-X14"
    oracle: Battle

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        entry, pays = self.chance.choice(["hits", "faces"]), self.chance.random() < 0.7
        self.session = Session(load("war-of-the-ring"), {"dice_entry": entry, "assault_pays": pays}, "battle")
        self.oracle = begin(assault_pays=pays)
        self.largest = self.chance.choice([1, 2, 4, 10])
        self.cards = self.chance.random() < 0.7
        self.past: list[int] = []
        self.told: list[Event] = []

    def compare(self) -> None:
        """Note which effects of both cards meet in a round, each with its moment (`MOMENTS`)."""
        super().compare()
        told = [*self.oracle.effects, *self.oracle.held]
        mine, theirs = ([each for each in told if each.side == side] for side in rules.SIDES)
        for one, other in product(mine, theirs):
            moments = one.window or "dice", other.window or "dice"
            self.met |= {("attacker", one.kind, *moments), ("defender", other.kind, *moments)}

    def stroke(self, what: str) -> None:
        super().stroke(what)
        self.past.append(len(self.oracle.moves))

    def take(self, value: Any) -> list[Event]:
        return self.oracle.answer(value["hits"] if isinstance(value, dict) else value)

    def take_back(self) -> None:
        self.oracle.take_back(self.past.pop())

    # -- answers --------------------------------------------------------------------------------------------------

    def step(self, question: Question) -> None:
        draw = self.chance.random()
        if draw < 0.12:
            self.refusal(question)
        elif draw < 0.14 and self.past:
            self.undo()
        elif draw < 0.2 and self.session.prompt is not None and self.session.prompt.bundles:
            self.bundle(self.chance.choice(self.session.prompt.bundles))
        else:
            self.accepted(question, self.open_answer(question))

    def bundle(self, bundle: Bundle) -> None:
        """The bundles of casualties are named for what they leave, before further losses without a question."""
        question = self.oracle.question
        super().bundle(bundle)
        if question is not None and question.key == "casualty":
            told = [part for event in self.told for part in (event.numbers, *map(event.numbers.get, rules.SIDES))]
            left = [part["after"] for part in told if part and "after" in part]
            ends = {f"r{r}-e{e}" for r, e in (*left, *(army.left for army in self.oracle.armies.values()))}
            self.same(f"bundle {bundle.id} leads where it says", True, bool(self.oracle.result) or bundle.id in ends)

    def compare_events(self, expected: list[Event], events: tuple[Any, ...]) -> None:
        self.told = expected
        super().compare_events(expected, events)

    def open_answer(self, question: Question) -> Any:
        chance = self.chance
        if question.back and chance.random() < 0.03:
            return BACK
        if question.kind == "choose":
            return self.choice(question)
        if question.kind == "count":
            if question.key == "card.amount":
                return chance.randint(-5, 5)
            high = min(question.high, max(question.low + self.largest, 0))
            return chance.choice([n for n in range(question.low, high + 1) if n not in question.barred])
        assert self.session.prompt is not None
        stands = self.session.prompt.stands
        if stands is not None:
            return list(stands)
        count = question.high if chance.random() < 0.8 else chance.randint(question.low, question.high)
        faces = [chance.randint(1, 6) for _ in range(count)]
        return {"hits": chance.randint(0, question.high)} if chance.random() < 0.2 else faces

    def choice(self, question: Question) -> str:
        """Return an open option; battles that go on teach more than those that end."""
        usual = {"round.cease": "on", "round.retreat": "stand", "round.stronghold": "fight"}
        if question.key.startswith("cards."):
            return "card" if self.cards and self.chance.random() < 0.8 else "none"
        if question.key == "card.effect" and self.oracle.draft and self.chance.random() < 0.3:
            return "done"
        if question.key in usual and self.chance.random() < 0.8:
            return usual[question.key]
        likely = [id_ for id_ in question.open if id_ in LIKELY]
        return self.chance.choice(likely if likely and self.chance.random() < 0.3 else [*question.open])

    def bad_answer(self, question: Question) -> BadAnswer:
        chance = self.chance
        if question.seat != "table" and chance.random() < 0.2:
            seat = next(seat for seat in ("shadow", "free-peoples") if seat != question.seat)
            cards = question.key.startswith("cards.")
            return self.open_answer(question), {"seat": seat}, "WR-X11" if cards else "WR-X14"
        if question.kind == "roll":
            return self.bad_throw(question)
        bad: list[tuple[Any, str]] = [*question.barred.items()]
        assert self.session.prompt is not None
        bad += self.wrong_answers(question, self.session.prompt)
        value, code = chance.choice(bad)
        return value, {}, code

    def bad_throw(self, question: Question) -> BadAnswer:
        """Return faces that cannot be, or too few or too many of them."""
        chance = self.chance
        while True:
            count = chance.randint(0, question.high + 2)
            faces = [chance.randint(1, 6) for _ in range(count)]
            if faces and chance.random() < 0.5:
                faces[chance.randrange(count)] = chance.choice([0, 7])
            code = rules.dice_code(faces, question.low, question.high, re_roll=question.re_roll)
            if code:
                return faces, {}, code

    # -- comparing ------------------------------------------------------------------------------------------------

    def compare_state(self) -> None:
        self.same("round", self.oracle.round, self.state.round, "WR-1")
        self.same("result", self.oracle.result, self.state.result, "WR-56")
        for side in rules.SIDES:
            self.same_fields(f"the {side}", ARMY_FIELDS, self.oracle.armies[side], self.state.armies[side])

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        super().compare_question(question, prompt)
        there = {option.id for option in prompt.among}
        bars = {id_: code for id_, code in question.barred.items() if id_ in there or id_ not in ELSEWHERE}
        self.same(f"barred at {prompt.ask}", bars, barred(prompt, firm=""))
        if question.key == "casualty":
            self.compare_ends(prompt)
        if question.kind == "roll":
            share, count = Fraction(question.chance, 6), question.high
            exact = {str(k): comb(count, k) * share**k * (1 - share) ** (count - k) for k in range(count + 1)}
            self.same_odds(question.key, exact, self.session.odds(), "WR-26")

    def compare_ends(self, prompt: Prompt) -> None:
        """WR-T13: the ends that can be chosen in one press are all that are possible."""
        army = next(army for army in (self.oracle.armies[side] for side in rules.first_to_lose()) if army.due)
        ends = {f"r{left[0]}-e{left[1]}" for left in rules.ends(army.due, army.regulars, army.elites)}
        self.same("ends that can be chosen", sorted(ends), sorted(b.id for b in prompt.bundles), "WR-33")

    def compare_ruling(self, event: Event, ruling: Ruling) -> None:
        self.same_numbers(event.what, event.numbers, ruling.data)
