"""A game, or a ruling, on the rulebook and on the oracle side by side."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from referee.games import load
from referee.rulebook import Bundle, Range, Ruling
from referee.session import Prompt, Session
from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.play import Run
from tests.oracles.middle_earth_the_wizards.state import BACK, Attack, Character, Company, Event, Question
from tests.oracles.side_by_side import BadAnswer, SideBySide, listed

RULINGS = (None, None, None, None, None, None, None, None, "strike", "strike", "body-check", "corruption-check")
ATTACK_FIELDS = tuple(each.name for each in fields(Attack) if each.name not in {"rest_left", "had_excess", "locked"})
STRIKE_FIELDS = (
    *("target", "prowess", "body", "target_body", "hazards", "excess"),
    *("stance", "supporters", "resources", "skills"),
)
CHARACTER_FIELDS = tuple(each.name for each in fields(Character))
WHOLE_FIELDS = ("turn", "at", "player", "attacking", "lost", "conceded", "marshalling")
COMPANY_FIELDS = tuple(each.name for each in fields(Company) if each.name != "members")
RARE = {"over", "leaves", "cancel", "back", "done", "body", "strike", "limit", "none"}
"""Options that end what random answers should rather reach, or lead away from it."""
USUAL = {"menu": ("attack", 0.4), "attack.source": ("creature", 0.3), "attack.body": ("0", 0.5)}
"""What is answered more often than the rest, and how often."""


class Table(SideBySide):
    """One game or ruling played on both."""

    closed = "ME-X10"
    longest = 300
    oracle: Run

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.ruling = self.chance.choice(RULINGS)
        force = self.chance.random() < 0.4
        players = self.chance.choice((2, 2, 2, 3, 4, 5))
        settings = {"force_excess": force, "players": players}
        self.session = Session(load("middle-earth-the-wizards"), settings, self.ruling)
        self.oracle = Run(self.ruling, force_excess=force, players=players)
        self.size = self.chance.randint(1, 6)
        self.answers.append(f"[{self.ruling or 'game'}]")

    # -- answers --------------------------------------------------------------------------------------------------

    def step(self, question: Question) -> None:
        draw = self.chance.random()
        prompt = self.session.prompt
        assert prompt is not None
        if draw < 0.12 and not question.stuck:
            self.refusal(question)
        elif draw < 0.13 and self.oracle.moves:
            self.undo()
        elif draw < 0.131 and self.session.seats():
            self.concession()
        elif draw < 0.15 and self.state.correctable:
            self.correction()
        elif draw < 0.2 and any(not bar.firm for bar in question.barred.values()):
            self.override(question)
        elif draw < 0.24 and prompt.bundles:
            self.bundle(self.chance.choice(prompt.bundles))
        elif (draw < 0.27 and self.oracle.back) or question.stuck:
            self.accepted(question, BACK)
        else:
            self.accepted(question, self.open_answer(question))

    def open_answer(self, question: Question) -> Any:
        chance = self.chance
        if question.kind == "choose":
            return self.choice(question)
        if question.kind == "count":
            return chance.choice([n for n in question.numbers if n <= max(8, question.low)])
        return self.two_dice()

    def choice(self, question: Question) -> str:
        """Return an open option; long attacks with few detours teach the most."""
        chance, ids = self.chance, question.open
        members = len(self.oracle.game.members)
        if question.key == "company.add" and members >= self.size and chance.random() < 0.9:
            return "done"
        if question.key in {"attack.strikes", "change.strikes"}:
            return str(chance.randint(1 if question.key == "attack.strikes" else 0, members + 2))
        if question.key in {"attack.prowess", "strike.prowess"} and chance.random() < 0.9:
            return str(chance.randint(6, 14))
        if question.key == "attack.changes":
            kind = "assign" if self.oracle.game.attack and self.oracle.game.attack.kind else "kind"
            return chance.choices([kind, "cancel-attack", self.among(ids)], (5, 1, 4))[0]
        if question.key == "strike.step" and chance.random() < 0.35:
            return chance.choice([id_ for id_ in ids if id_ in {"tap", "stay", "throw"}])
        usual, often = USUAL.get(question.key, ("", 0))
        return usual if usual in ids and chance.random() < often else self.among(ids)

    def among(self, ids: list[str]) -> str:
        usual = [id_ for id_ in ids if id_ not in RARE]
        return self.chance.choice(usual if usual and self.chance.random() < 0.75 else ids)

    def take(self, value: Any) -> list[Event]:
        """Let the oracle take an answer; a throw is faces for it, or a total as its only face."""
        question = self.oracle.question
        thrown = question is not None and question.kind == "roll"
        return self.oracle.answer((value,) if type(value) is int and thrown else value)

    def override(self, question: Question) -> None:
        """Take a barred option, as a card may say."""
        id_ = self.chance.choice([id_ for id_, bar in question.barred.items() if not bar.firm])
        self.accepted(question, int(id_) if question.kind == "count" else id_, override=True)

    def bundle(self, bundle: Bundle) -> None:
        """One undo takes all of it back."""
        moves = len(self.oracle.moves)
        super().bundle(bundle)
        self.oracle.in_one_stroke(moves)

    def take_back(self) -> None:
        self.oracle.undo()

    def concession(self) -> None:
        """Let somebody give up; with three players and more the others play on."""
        seat = self.chance.choice([seat for seat in self.session.seats() if seat not in self.oracle.game.conceded])
        self.stroke(f"<{seat} concedes>")
        self.compare_events([], self.session.concede(seat).events)
        self.oracle.concede(seat)
        self.compare()

    def correction(self) -> None:
        """Let the judge set a field on both."""
        path, limits = self.chance.choice([*self.state.correctable.items()])
        value = self.number_within(limits)
        self.stroke(f"<{path}={value}>")
        self.compare_events([], self.session.correct(path, value).events)
        self.oracle.correct(path, value)
        self.compare()

    def number_within(self, limits: Range) -> int:
        """Return a usual number or, now and then, the least or the largest."""
        if self.chance.random() < 0.2:
            return self.chance.choice((limits.low, limits.high))
        return self.chance.randint(max(limits.low, -12), min(limits.high, 12))

    # -- what must be refused -------------------------------------------------------------------------------------

    def bad_answer(self, question: Question) -> BadAnswer:
        chance = self.chance
        if question.seat in self.session.seats() and chance.random() < 0.2:
            seat = chance.choice([seat for seat in self.session.seats() if seat != question.seat])
            return self.open_answer(question), {"seat": seat}, "ME-X10"
        if question.kind == "roll":
            return self.bad_throw()
        bad: list[BadAnswer] = []
        for id_, bar in question.barred.items():
            value = int(id_) if question.kind == "count" else id_
            bad.append((value, {}, bar.code))
            if bar.firm:
                bad.append((value, {"mode": "override"}, bar.code))
        assert self.session.prompt is not None
        bad += [(value, {}, code) for value, code in self.wrong_answers(question, self.session.prompt)]
        bad.append((self.open_answer(question), {"mode": "override"}, "not-barred"))
        return chance.choice(bad)

    def bad_throw(self) -> BadAnswer:
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

    # -- comparing ------------------------------------------------------------------------------------------------

    def ending(self) -> tuple[str, tuple[str, ...]]:
        return self.oracle.game.over or super().ending()

    def compare_state(self) -> None:
        game, there = self.oracle.game, self.state
        self.same_fields("the game", ("turn",) if self.ruling else WHOLE_FIELDS, game, there)
        self.same("companies", len(game.companies), len(there.companies))
        for company, stated in zip(game.companies, there.companies, strict=True):
            self.same_fields("the company", COMPANY_FIELDS, company, stated)
            self.same("members", [each.id for each in company.members], [each.id for each in stated.members])
            for member, its in zip(company.members, stated.members, strict=True):
                self.same_fields(member.id, CHARACTER_FIELDS, member, its)
        self.compare_part("attack", ATTACK_FIELDS)
        self.compare_part("strike", STRIKE_FIELDS)

    def compare_part(self, what: str, names: tuple[str, ...]) -> None:
        part, stated = getattr(self.oracle.game, what), getattr(self.state, what)
        self.same(f"there is a {what}", part is not None, stated is not None)
        if part is not None:
            self.same_fields(f"the {what}", names, part, stated)

    def way_back(self, question: Question) -> bool:
        return self.oracle.back

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        super().compare_question(question, prompt)
        bars = {each.option.id: (each.bar.code, each.bar.firm) for each in prompt.barred}
        self.same(f"barred at {prompt.ask}", listed(prompt, question.barred), bars)
        if question.default is not None:
            self.same(f"proposed at {prompt.ask}", question.default, prompt.default, "ME-50")
        if question.kind == "roll":
            self.same(f"needed at {prompt.ask}", question.need, prompt.need)
            self.same_odds(question.key, question.odds, self.session.odds())

    def compare_ruling(self, event: Event, ruling: Ruling) -> None:
        self.same(f"{event.what} changes something", event.changed, ruling.changed)
        self.same(f"rules of {event.what}", set(event.rules) - set(ruling.rules), set())
        self.same_numbers(event.what, event.numbers, ruling.data)
