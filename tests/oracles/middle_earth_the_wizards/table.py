"""Random answers to the rulebook and to the oracle side by side, compared after every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from random import Random
from typing import Any

from referee.errors import Refused
from referee.games import load
from referee.rulebook import Bundle, Odds, OneOf, Ruling
from referee.session import Prompt, Session
from tests.oracles.middle_earth_the_wizards import GAME, rules
from tests.oracles.middle_earth_the_wizards.play import Run
from tests.oracles.middle_earth_the_wizards.state import BACK, Attack, Character, Company, Event, Question, Strike
from tests.oracles.report import Divergence, Parted, Report

RULINGS = (None, None, None, None, None, None, None, None, "strike", "strike", "body-check", "corruption-check")
SEATS = ("attacker", "defender")
ATTACK_FIELDS = tuple(each.name for each in fields(Attack) if each.name not in {"rest_left", "had_excess"})
STRIKE_FIELDS = (
    "target",
    "prowess",
    "body",
    "target_body",
    "hazards",
    "excess",
    "stance",
    "supporters",
    "resources",
    "skills",
)
CHARACTER_FIELDS = tuple(each.name for each in fields(Character))
COMPANY_FIELDS = tuple(each.name for each in fields(Company) if each.name != "members")
RARE = {"over", "leaves", "cancel", "by-attacker", "back", "done", "body", "strike", "limit", "none"}
"""Options that end what random answers should rather reach, or lead away from it."""
USUAL = {"menu": ("attack", 0.4), "attack.source": ("creature", 0.3), "attack.body": ("0", 0.5)}
"""What is answered more often than the rest, and how often."""
LONGEST = 300
"""Answers after which a game is left."""


class Table:
    """One game or ruling played on both, with random answers from ``seed``."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.ruling = self.chance.choice(RULINGS)
        force = self.chance.random() < 0.4
        self.settings: dict[str, object] = {"force_excess": force}
        self.session = Session(load(GAME), self.settings, self.ruling)
        self.run = Run(self.ruling, force_excess=force)
        self.size = self.chance.randint(1, 6)
        self.answers: list[str] = [f"[{self.ruling or 'game'}]"]
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
            while report.answers < most and len(self.answers) < LONGEST:
                question = self.run.question
                if question is None:
                    self.after_the_end()
                    break
                report.questions[question.key] += 1
                report.answers += 1
                self.step(question)
        except Parted as parted:
            report.divergences.append(parted.args[0])
        report.refused += self.refused

    def step(self, question: Question) -> None:
        """Make one move: mostly an answer that is open, now and then one that is not, or the way back."""
        draw = self.chance.random()
        prompt = self.session.prompt
        assert prompt is not None
        if draw < 0.12 and not question.stuck:
            self.refusal(question)
        elif draw < 0.13 and self.run.moves:
            self.undo()
        elif draw < 0.14 and self._game().correctable:
            self.correction()
        elif draw < 0.2 and any(not bar.firm for bar in question.barred.values()):
            self.override(question)
        elif draw < 0.24 and prompt.bundles:
            self.bundle(self.chance.choice(prompt.bundles))
        elif (draw < 0.27 and self.run.back) or question.stuck:
            self.accepted(question, BACK)
        else:
            self.accepted(question, self.open_answer(question))

    def open_answer(self, question: Question) -> Any:
        """Return a random answer that the oracle takes; the question must have one."""
        chance = self.chance
        if question.kind == "choose":
            return self.choice(question)
        if question.kind == "count":
            return chance.choice([n for n in question.numbers if n <= max(8, question.low)])
        assert self.session.prompt is not None
        stands = self.session.prompt.stands
        if stands is not None:
            return list(stands) if len(stands) == 2 else stands[0]
        faces = [chance.randint(1, 6) for _ in range(2)]
        return sum(faces) if chance.random() < 0.2 else faces

    def choice(self, question: Question) -> str:
        """Return an open option; long attacks with few detours teach the most."""
        chance, ids = self.chance, question.open
        members = len(self.run.game.members)
        if question.key == "company.add" and members >= self.size and chance.random() < 0.9:
            return "done"
        if question.key in {"attack.strikes", "change.strikes"}:
            return str(chance.randint(1 if question.key == "attack.strikes" else 0, members + 2))
        if question.key in {"attack.prowess", "strike.prowess"} and chance.random() < 0.9:
            return str(chance.randint(6, 14))
        if question.key == "attack.changes":
            kind = "assign" if self.run.game.attack and self.run.game.attack.kind else "kind"
            return chance.choices([kind, "cancel-attack", self.among(ids)], (5, 1, 4))[0]
        if question.key == "strike.step" and chance.random() < 0.35:
            return chance.choice([id_ for id_ in ids if id_ in {"tap", "stay", "throw"}])
        usual, often = USUAL.get(question.key, ("", 0))
        return usual if usual in ids and chance.random() < often else self.among(ids)

    def among(self, ids: list[str]) -> str:
        usual = [id_ for id_ in ids if id_ not in RARE]
        return self.chance.choice(usual if usual and self.chance.random() < 0.75 else ids)

    def accepted(self, question: Question, value: Any, *, override: bool = False) -> None:
        """Give both an answer that is open, or that a card opens, and compare what follows."""
        by = self.chance.choice([None, question.seat])
        self.answers.append(f"{value!r}{'!' if override else ''}")
        try:
            outcome = self.session.answer(value, seat=by, override=override)
        except Refused as refused:
            self.same(f"{value!r} at {question.key} is refused", "accepted", refused.code, question.key)
            raise
        self.compare_events(self.take(value), outcome.events)
        self.compare()

    def take(self, value: Any) -> list[Event]:
        """Let the oracle take an answer; a throw is faces for it, or a total as its only face."""
        return self.run.answer((value,) if type(value) is int and self.is_roll() else value)

    def is_roll(self) -> bool:
        question = self.run.question
        return question is not None and question.kind == "roll"

    def override(self, question: Question) -> None:
        """Take a barred option, as a card may say."""
        id_ = self.chance.choice([id_ for id_, bar in question.barred.items() if not bar.firm])
        self.accepted(question, int(id_) if question.kind == "count" else id_, override=True)

    def bundle(self, bundle: Bundle) -> None:
        """Send several answers as one; the oracle must take each of them."""
        self.answers.append(f"<bundle {bundle.id}>")
        moves = len(self.run.moves)
        events = []
        for value in bundle.answers:
            question = self.run.question
            open_ = question is not None and value in question.open
            self.same(f"{value!r} of bundle {bundle.id} is open", open_, True, "bundles")
            events += self.take(value)
        self.compare_events(events, self.session.bundle(bundle.id).events)
        self.run.in_one_stroke(moves)
        self.compare()

    def undo(self) -> None:
        """Take one answer back on both."""
        self.answers.append("<undo>")
        self.session.undo()
        self.run.undo()
        self.compare()

    def correction(self) -> None:
        """Let the judge set a field on both."""
        settable = [path for path in self._game().correctable if self.bears_on_nothing_thrown(path)]
        if not settable:
            return
        path = self.chance.choice(settable)
        limits = self._game().correctable[path]
        values = limits.values if isinstance(limits, OneOf) else range(limits.low, min(limits.high, 12) + 1)
        value = self.chance.choice(values)
        self.answers.append(f"<{path}={value}>")
        self.session.correct(path, value)
        self.run.correct(path, value)
        self.compare()

    def bears_on_nothing_thrown(self, path: str) -> bool:
        """Whether the field is none that a body check's strike was thrown with."""
        strike = self._game().strike
        return not (strike and strike.faces) or path.partition(".")[0] not in {"strike", "company", "attack"}

    # -- what must be refused -------------------------------------------------------------------------------------

    def refusal(self, question: Question) -> None:
        """Send what must be refused; nothing may change."""
        value, how, code = self.bad_answer(question)
        self.answers.append(f"<refused {value!r} {how or ''}>")
        self.must_refuse(value, how, code, question.key)
        self.refused += 1
        self.compare()

    def must_refuse(self, value: Any, how: Mapping[str, Any], code: str, where: str) -> None:
        before = self.session.n
        try:
            self.session.answer(value, **how)
        except Refused as refused:
            self.same(f"refusal code of {value!r} at {where}", code, refused.code, "3.3 Refusals")
        else:
            self.same(f"a bad answer {value!r} at {where} is taken", code, "accepted", "3.3 Refusals")
        self.same("number of the question after a refusal", before, self.session.n)

    def bad_answer(self, question: Question) -> tuple[Any, Mapping[str, Any], str]:
        """Return a value, how it is sent, and the code it must be refused with."""
        chance = self.chance
        if question.seat in SEATS and chance.random() < 0.2:
            seat = next(seat for seat in SEATS if seat != question.seat)
            return self.open_answer(question), {"seat": seat}, "ME-X10"
        if question.kind == "roll":
            return self.bad_throw()
        bad: list[tuple[Any, Mapping[str, Any], str]] = []
        for id_, bar in question.barred.items():
            value = int(id_) if question.kind == "count" else id_
            bad.append((value, {}, bar.code))
            if bar.firm:
                bad.append((value, {"override": True}, bar.code))
        if question.kind == "count":
            bad += [(question.low - 1, {}, "out-of-range"), (question.high + 1, {}, "out-of-range")]
            bad.append(("two", {}, "malformed"))
        else:
            bad += [("nothing-of-the-kind", {}, "no-such-option"), (3, {}, "malformed")]
            bad += [] if self.run.back else [(BACK, {}, "no-such-option")]
        bad.append((self.open_answer(question), {"override": True}, "not-barred"))
        return chance.choice(bad)

    def bad_throw(self) -> tuple[Any, Mapping[str, Any], str]:
        """Return faces or a total that cannot be, or that are not those that were thrown."""
        chance = self.chance
        assert self.session.prompt is not None
        stands = self.session.prompt.stands
        if stands is not None and len(stands) == 2 and chance.random() < 0.5:
            return [face % 6 + 1 for face in stands], {}, "thrown"
        if chance.random() < 0.3:
            return chance.choice([1, 13]), {}, "ME-X12"
        while True:
            faces = [chance.choice([0, 1, 2, 3, 4, 5, 6, 7]) for _ in range(chance.choice([1, 2, 2, 2, 3]))]
            code = rules.dice_code(faces)
            if code:
                return faces, {}, code

    def after_the_end(self) -> None:
        """Nothing is answered once it is over."""
        self.must_refuse("attack", {}, "ME-X10", "the end")

    # -- comparing ------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Compare the whole state and the question that stands."""
        self.compare_state()
        question, prompt = self.run.question, self.session.prompt
        self.same("over", question is None, prompt is None, "ME-66")
        if question is None:
            self.compare_end()
        elif prompt is not None:
            self.compare_question(question, prompt)

    def compare_end(self) -> None:
        over = self.session.over
        assert over is not None
        end = self.run.game.over or ("finished", ())
        self.same("why it is over", end, (over.reason, over.winners), "ME-66")

    def compare_state(self) -> None:
        game, there = self.run.game, self._game()
        for name in ("turn", "pile"):
            self.same(name, getattr(game, name), getattr(there, name), "3.2")
        if not self.ruling:
            self.same("company", game.at, there.at, "3.2")
        self.same("companies", len(game.companies), len(there.companies), "3.2")
        for company, stated in zip(game.companies, there.companies, strict=True):
            self.compare_fields(company, stated, COMPANY_FIELDS)
            ids = [each.id for each in company.members]
            self.same("members", ids, [each.id for each in stated.members], "3.2")
            for member, its in zip(company.members, stated.members, strict=True):
                self.compare_fields(member, its, CHARACTER_FIELDS)
        self.compare_part("attack", game.attack, there.attack, ATTACK_FIELDS)
        self.compare_part("strike", game.strike, there.strike, STRIKE_FIELDS)

    def _game(self) -> Any:
        """Return the state with the fields that the drive protocol tells; the session gives it without a copy."""
        return self.session.game

    def compare_part(self, what: str, part: Attack | Strike | None, stated: Any, names: tuple[str, ...]) -> None:
        self.same(f"there is a {what}", part is not None, stated is not None, "3.2")
        if part is not None:
            self.compare_fields(part, stated, names)

    def compare_fields(self, part: object, stated: Any, names: tuple[str, ...]) -> None:
        for name in names:
            value, there = getattr(part, name), getattr(stated, name)
            if value != there:
                self.same(f"{name} of {type(part).__name__}", value, there, "3.2")

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        self.same("question", question.key, prompt.ask, "3.3")
        self.same(f"seat asked {prompt.ask}", question.seat, prompt.seat, "3.3")
        self.same(f"kind of {prompt.ask}", question.kind, prompt.kind)
        if question.kind == "choose":
            self.same(f"open at {prompt.ask}", sorted(question.open), sorted(o.id for o in prompt.options), "3.3")
        else:
            limits = (prompt.low, prompt.dice if question.kind == "roll" else prompt.high)
            self.same(f"limits of {prompt.ask}", (question.low, question.high), limits)
        barred = {each.option.id: (each.bar.code, each.bar.firm) for each in prompt.barred}
        self.same(f"barred at {prompt.ask}", question.barred, barred, "3.3 Refusals")
        self.same(f"way back at {prompt.ask}", self.run.back, prompt.back, "0")
        if question.default is not None:
            self.same(f"proposed at {prompt.ask}", question.default, prompt.default, "ME-50")
        if question.kind == "roll":
            self.same(f"needed at {prompt.ask}", question.need, prompt.need, "3.3")
            self.compare_odds(question, self.session.odds())

    def compare_odds(self, question: Question, odds: Odds | None) -> None:
        stated = {chance.id: chance.chance for chance in odds or () if chance.chance}
        self.same(f"odds of {question.key}", question.odds, stated, "3.4")

    def compare_events(self, expected: list[Event], events: tuple[Any, ...]) -> None:
        names = [event.result if isinstance(event, Ruling) else event.rule for event in events]
        self.same("what is announced", [event.result for event in expected], names, "ME-23, ME-30")
        for event, ruling in zip(expected, events, strict=True):
            self.same(f"{event.result} changes something", event.changed, ruling.changed)
            self.same(f"rules of {event.result}", set(event.rules) - set(ruling.rules), set())
            self.compare_numbers(f"of {event.result}", event.numbers, ruling.data)

    def compare_numbers(self, where: str, numbers: Mapping[str, Any], data: Any) -> None:
        for name, value in numbers.items():
            if isinstance(value, Mapping):
                self.compare_numbers(f"{name} {where}", value, data[name])
            else:
                self.same(f"{name} {where}", value, data[name], "3.4")


def compared(answers: int, seed: int, *, most_divergences: int = 10) -> Report:
    """Play until so many answers are compared, or so many games have come apart."""
    report = Report()
    while report.answers < answers and len(report.divergences) < most_divergences:
        Table(seed * 1_000_003 + report.games).play(report, answers)
    return report
