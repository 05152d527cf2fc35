"""Random answers to the rulebook and to the oracle side by side, compared after every one of them."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from referee.errors import Refused
from referee.games import load
from referee.rulebook import Bundle, Odds, Ruling
from referee.session import Prompt, Session
from tests.oracles.report import Divergence, Parted, Report
from tests.oracles.war_of_the_ring import GAME, rules
from tests.oracles.war_of_the_ring.battle import BACK, Army, Battle, Event, Question

ARMY = ("regulars", "elites", "leadership", "lost_regulars", "lost_elites", "dice", "faces", "first_hits")
CARDS = ("card", "own_combat", "own_reroll", "enemy_combat", "enemy_reroll", "number_combat", "number_reroll")
MORE = ("card_dice", "forfeited", "cancelled", "extra_hits", "cancelled_hits")
ARMY_FIELDS = (*ARMY, *CARDS, *MORE, "allowance", "rerolled", "more_hits", "due", "taken")
LIKELY = {"modifier", "dice", "attack-before", "attack-after", "enemy-combat"}
"""Of what a card does, what bears on most rules."""
LONGEST = 400
"""Answers after which a battle is left."""


class Table:
    """One battle played on both, with random answers from ``seed``."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.settings: dict[str, object] = {
            "dice_entry": self.chance.choice(["hits", "faces"]),
            "assault_pays": self.chance.random() < 0.7,
        }
        self.session = Session(load(GAME), self.settings, "battle")
        self.battle = Battle(assault_pays=bool(self.settings["assault_pays"]))
        self.largest = self.chance.choice([1, 2, 4, 10])
        self.cards = self.chance.random() < 0.7
        self.past: list[Battle] = []
        self.answers: list[str] = []
        self.refused = 0

    def same(self, what: str, oracle: Any, rulebook: Any, rule: str = "") -> None:
        """Raise Parted unless both have the same."""
        if oracle != rulebook:
            way = tuple(self.answers)
            raise Parted(Divergence(self.seed, what, oracle, rulebook, self.settings, way, rule))

    # -- answers --------------------------------------------------------------------------------------------------

    def play(self, report: Report, most: int) -> None:
        """Play to the end, or until ``most`` answers are compared; note the first divergence."""
        report.games += 1
        try:
            self.compare()
            while self.battle.question is not None and report.answers < most and len(self.answers) < LONGEST:
                report.questions[self.battle.question.key] += 1
                report.answers += 1
                self.step()
        except Parted as parted:
            report.divergences.append(parted.args[0])
        report.refused += self.refused

    def step(self) -> None:
        """Make one move: mostly an answer that is open, now and then one that is not, or the way back."""
        draw = self.chance.random()
        if draw < 0.12:
            self.refusal()
        elif draw < 0.14 and self.past:
            self.undo()
        elif draw < 0.2 and self.session.prompt is not None and self.session.prompt.bundles:
            self.bundle(self.chance.choice(self.session.prompt.bundles))
        else:
            self.accepted(self.open_answer())

    def open_answer(self) -> Any:
        """Return a random answer that the oracle takes."""
        question, chance = self.battle.question, self.chance
        assert question is not None
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
            return "card" if self.cards and self.chance.random() < 0.5 else "none"
        if question.key == "card.effect" and self.battle.draft and self.chance.random() < 0.5:
            return "done"
        if question.key in usual and self.chance.random() < 0.8:
            return usual[question.key]
        likely = [id_ for id_ in question.open if id_ in LIKELY]
        return self.chance.choice(likely if likely and self.chance.random() < 0.3 else [*question.open])

    def accepted(self, value: Any) -> None:
        """Give both an open answer and compare what follows."""
        question = self.battle.question
        assert question is not None
        by = self.chance.choice([None, question.seat])
        self.answers.append(repr(value))
        self.past.append(self.battle.copy())
        try:
            outcome = self.session.answer(value, seat=by)
        except Refused as refused:
            self.same("an open answer is refused", "accepted", refused.code, question.key)
            raise
        events = self.battle.answer(value["hits"] if isinstance(value, dict) else value)
        self.compare_events(events, outcome.events)
        self.compare()

    def bundle(self, bundle: Bundle) -> None:
        """Send several answers as one; the oracle must take each of them."""
        question = self.battle.question
        assert question is not None
        self.answers.append(f"<bundle {bundle.id}>")
        self.past.append(self.battle.copy())
        events = []
        for value in bundle.answers:
            standing = self.battle.question
            self.same(
                f"{value!r} of bundle {bundle.id} is open", True, standing is not None and value in standing.open
            )
            events += self.battle.answer(value)
        self.compare_events(events, self.session.bundle(bundle.id).events)
        self.compare()
        if question.key == "casualty":
            ends = {f"r{army.regulars}-e{army.elites}" for army in self.battle.armies.values()}
            self.same(f"bundle {bundle.id} leads where it says", True, bool(self.battle.result) or bundle.id in ends)

    def undo(self) -> None:
        """Take one answer back on both."""
        self.answers.append("<undo>")
        self.session.undo()
        self.battle = self.past.pop()
        self.compare()

    def refusal(self) -> None:
        """Send what must be refused; nothing may change."""
        question = self.battle.question
        assert question is not None
        value, seat, code = self.bad_answer(question)
        before = self.session.n
        self.answers.append(f"<refused {value!r} by {seat or 'anybody'}>")
        try:
            self.session.answer(value, seat=seat)
        except Refused as refused:
            self.same(f"refusal code at {question.key}", code, refused.code, "2.3")
        else:
            self.same(f"a bad answer at {question.key} is taken", code, "accepted", "2.3")
        self.refused += 1
        self.same("number of the question after a refusal", before, self.session.n)
        self.compare()

    def bad_answer(self, question: Question) -> tuple[Any, str | None, str]:
        """Return a value, whose it is, and the code it must be refused with."""
        chance = self.chance
        if question.seat != "table" and chance.random() < 0.2:
            seat = next(seat for seat in ("shadow", "free-peoples") if seat != question.seat)
            cards = question.key.startswith("cards.")
            return self.open_answer(), seat, "WR-X11" if cards else "WR-X14"
        if question.kind == "choose":
            barred = [*question.barred.items(), ("nothing-of-the-kind", "no-such-option"), (3, "malformed")]
            if not question.back:
                barred.append((BACK, "no-such-option"))
            return (*self._either(barred),)
        if question.kind == "count":
            beyond = [(question.low - 1, "out-of-range"), (question.high + 1, "out-of-range"), ("two", "malformed")]
            return (*self._either([*question.barred.items(), *beyond]),)
        return self.bad_throw(question)

    def _either(self, bad: list[tuple[Any, str]]) -> tuple[Any, str | None, str]:
        value, code = self.chance.choice(bad)
        return value, None, code

    def bad_throw(self, question: Question) -> tuple[Any, str | None, str]:
        """Return faces that cannot be, or too few or too many of them."""
        chance = self.chance
        while True:
            count = chance.randint(0, question.high + 2)
            faces = [chance.randint(1, 6) for _ in range(count)]
            if faces and chance.random() < 0.5:
                faces[chance.randrange(count)] = chance.choice([0, 7])
            code = rules.dice_code(faces, question.low, question.high, re_roll=question.re_roll)
            if code:
                return faces, None, code

    # -- comparing ------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Compare the whole state and the question that stands."""
        battle, game = self.battle, self._game()
        self.same("round", battle.round, game.round, "WR-1")
        self.same("result", battle.result, game.result, "WR-56")
        for side in rules.SIDES:
            self.compare_army(side, battle.armies[side], game.armies[side])
        question, prompt = battle.question, self.session.prompt
        self.same("over", question is None, prompt is None, "WR-56")
        if question is not None and prompt is not None:
            self.compare_question(question, prompt)

    def _game(self) -> Any:
        """Return the state with the fields that the drive protocol tells; the session gives it without a copy."""
        return self.session.game

    def compare_army(self, side: str, army: Army, stated: Any) -> None:
        for name in ARMY_FIELDS:
            value, there = getattr(army, name), getattr(stated, name)
            if value != (list(there) if isinstance(there, tuple) else there):
                self.same(f"{name} of the {side}", value, there, "2.2")

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        self.same("question", question.key, prompt.ask, "2.3")
        self.same("seat asked", question.seat, prompt.seat, "2.3")
        self.same(f"kind of {prompt.ask}", question.kind, prompt.kind)
        self.same(f"way back at {prompt.ask}", question.back, prompt.back, "0")
        if question.kind == "choose":
            self.same(f"open at {prompt.ask}", sorted(question.open), sorted(o.id for o in prompt.options), "2.3")
        else:
            limits = (prompt.low, prompt.dice if question.kind == "roll" else prompt.high)
            self.same(f"limits of {prompt.ask}", (question.low, question.high), limits, "WR-20")
        barred = {int(b.option.id) if question.kind == "count" else b.option.id: b.bar.code for b in prompt.barred}
        self.same(f"barred at {prompt.ask}", question.barred, barred, "2.3 Refusals")
        if question.key == "casualty":
            self.compare_ends(prompt)
        if question.kind == "roll":
            self.compare_odds(question, self.session.odds())

    def compare_ends(self, prompt: Prompt) -> None:
        """WR-T13: the ends that can be chosen in one press are all that are possible."""
        army = next(army for army in (self.battle.armies[side] for side in rules.first_to_lose()) if army.due)
        ends = {f"r{left[0]}-e{left[1]}" for left in rules.ends(army.due, army.regulars, army.elites)}
        self.same("ends that can be chosen", sorted(ends), sorted(b.id for b in prompt.bundles), "WR-33")

    def compare_odds(self, question: Question, odds: Odds | None) -> None:
        share = Fraction(question.chance, 6)
        count = question.high
        exact = {str(k): comb(count, k) * share**k * (1 - share) ** (count - k) for k in range(count + 1)}
        stated = {chance.id: chance.chance for chance in odds or ()}
        self.same(f"odds of {question.key}", {k: p for k, p in exact.items() if p}, stated, "WR-26")

    def compare_events(self, expected: list[Event], events: tuple[Any, ...]) -> None:
        names = [event.result if isinstance(event, Ruling) else event.rule for event in events]
        self.same("what is announced", [event.what for event in expected], names, "WR-31, WR-56")
        for event, ruling in zip(expected, events, strict=True):
            if isinstance(ruling, Ruling):
                self.compare_numbers(f"of {event.what}", event.numbers, ruling.data)

    def compare_numbers(self, where: str, numbers: dict[str, Any], data: Any) -> None:
        for name, value in numbers.items():
            if isinstance(value, dict):
                self.compare_numbers(f"{name} {where}", value, data[name])
            else:
                stated = data[name]
                self.same(f"{name} {where}", value, tuple(stated) if isinstance(value, tuple) else stated, "2.3")


def compared(answers: int, seed: int, *, most_divergences: int = 10) -> Report:
    """Play battles until so many answers are compared, or so many battles have come apart."""
    report = Report()
    while report.answers < answers and len(report.divergences) < most_divergences:
        Table(seed * 1_000_003 + report.games).play(report, answers)
    return report
