"""Random answers to the rulebook and to the oracle side by side, compared after every one of them."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.errors import Refused
from referee.games import load
from referee.rulebook import Bundle, Ruling
from referee.session import Prompt, Session
from tests.oracles.report import Divergence, Parted, Report
from tests.oracles.riddle_of_the_ring import GAME, rules
from tests.oracles.riddle_of_the_ring.game import Game
from tests.oracles.riddle_of_the_ring.question import ANYBODY, BACK, Event, Question
from tests.oracles.riddle_of_the_ring.rules import CHARACTERS, FIRM
from tests.oracles.riddle_of_the_ring.state import BY_PLAYER, PLAIN

BATTLE = ("attacker", "defender", "attacker_kind", "defender_kind", "att_total", "def_total", "mover")
LONGEST = 400
"""Answers after which a game is left."""
SELDOM = {"game-over": 0.02, "end-turn": 0.35, "stop": 0.3, "surrender": 0.3, "everybody": 0.8}
"""How often an option that ends something is taken where chance falls on it: games that go on teach more."""
OFTEN = {"battle": 0.7, "left-halls": 0.2, "move": 0.15, "done": 0.4, "character": 0.3, "give": 0.4}
"""How often an option is preferred where it is open."""


class Table:
    """One game, or one ruling, played on both with random answers from ``seed``."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = chance = Random(seed)
        self.settings: dict[str, object] = {name: chance.random() < 0.4 for name in ("overshoot", "return_first")}
        ruling = chance.choice(["", "", "", "", "battle", "battle", "riddle"])
        self.session = Session(load(GAME), self.settings, ruling or None)
        self.oracle = Game(
            ruling, overshoot=bool(self.settings["overshoot"]), return_first=bool(self.settings["return_first"])
        )
        self.near = chance.choice([0.3, 0.5, 0.9])
        self.past: list[Game] = []
        self.answers: list[str] = [ruling or "game"]
        self.refused = 0

    def same(self, what: str, oracle: Any, rulebook: Any, rule: str = "") -> None:
        """Raise Parted unless both have the same."""
        if oracle != rulebook:
            way = tuple(self.answers)
            raise Parted(Divergence(self.seed, what, oracle, rulebook, self.settings, way, rule))

    # -- answers ----------------------------------------------------------------------------------------------

    def play(self, report: Report, most: int) -> None:
        """Play to the end, or until ``most`` answers are compared; note the first divergence."""
        report.games += 1
        try:
            self.compare()
            while report.answers < most and len(self.answers) < LONGEST:
                question = self.oracle.question
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
        """Make one move: mostly an answer that is open, now and then one that is not, or a look behind the rules."""
        draw = self.chance.random()
        assert self.session.prompt is not None
        if draw < 0.12:
            self.refusal(question)
        elif draw < 0.14 and self.past:
            self.undo()
        elif draw < 0.16:
            self.correction()
        elif draw < 0.18:
            self.overridden(question)
        elif draw < 0.185:
            self.bad_correction()
        elif draw < 0.19:
            self.concession()
        elif draw < 0.25 and self.session.prompt.bundles:
            self.bundle(self.chance.choice(self.session.prompt.bundles))
        else:
            self.accepted(question, self.open_answer(question))

    def open_answer(self, question: Question) -> Any:
        """Return a random answer that the oracle takes."""
        chance = self.chance
        if self.oracle.back and (chance.random() < 0.04 or not question.open):
            return BACK
        if question.kind == "pick":
            return [each for each in chance.sample(question.open, len(question.open)) if chance.random() < self.near]
        if question.kind == "count":
            return chance.choice(question.open[:6] if chance.random() < 0.9 else question.open)
        for option, share in OFTEN.items():
            if option in question.open and chance.random() < share:
                return option
        while True:
            option = chance.choice(question.open)
            if len(question.open) == 1 or chance.random() < SELDOM.get(option, 1):
                return option

    def _before(self, what: str) -> None:
        self.answers.append(what)
        self.past.append(self.oracle.copy())

    def accepted(self, question: Question, value: Any, *, override: bool = False) -> None:
        """Give both an answer and compare what follows."""
        by = self.chance.choice([None, question.seat])
        self._before(repr(value) + ("!" if override else ""))
        try:
            outcome = self.session.answer(value, seat=by, override=override)
        except Refused as refused:
            self.same(f"answer to {question.key}", "accepted", refused.code)
            raise
        self.compare_events(self.oracle.answer(value), outcome.events)
        self.compare()

    def overridden(self, question: Question) -> None:
        """The card says otherwise: take what is barred but not firmly."""
        barred = [option for option, code in question.barred.items() if not code.endswith(FIRM)]
        if not barred:
            self.accepted(question, self.open_answer(question))
        elif question.kind == "pick":
            self.accepted(question, barred, override=True)
        else:
            self.accepted(question, self.chance.choice(barred), override=True)

    def bundle(self, bundle: Bundle) -> None:
        """Send several answers as one; the oracle must take each of them."""
        self._before(f"<bundle {bundle.id}>")
        events: list[Event] = []
        for value in bundle.answers:
            question = self.oracle.question
            if question is None or (question.kind == "choose" and value not in question.open):
                self.same(f"{value!r} of bundle {bundle.id}", "barred", "open")
            events += self.oracle.answer(value)
        self.compare_events(events, self.session.bundle(bundle.id).events)
        self.compare()

    def undo(self) -> None:
        """Take one answer back on both."""
        self.answers.append("<undo>")
        self.session.undo()
        self.oracle = self.past.pop()
        self.compare()

    def correction(self) -> None:
        """The judge sets a counter; the question that stands must see it."""
        path, value = self.chance.choice([*self._corrections()])
        self._before(f"<{path}={value}>")
        self.session.correct(path, value)
        where, _, who = path.partition(".")
        if where == "battle":
            setattr(self.oracle.battle, who, value)
        elif where == "entry":
            self.oracle.cards = value
        elif who:
            getattr(self.oracle, where)[who] = value
        else:
            setattr(self.oracle, where, value)
        self.compare()

    def _corrections(self) -> list[tuple[str, Any]]:
        chance = self.chance
        likely = [each for each in (self.oracle.card, self.oracle.target, self.oracle.seat) if each in CHARACTERS]
        who = chance.choice(likely if likely and chance.random() < 0.4 else self.oracle.players or CHARACTERS)
        paths: list[tuple[str, Any]] = [
            ("pp_used", chance.choice([0, 0, 1, 2, 3])),
            ("stops", chance.choice([0, 1, 5])),
            ("round", chance.randint(1, 20)),
            (f"near.{who}", chance.random() < 0.7),
            (f"fe.{who}", chance.choice(["unset", "done", "no-cards"])),
            (f"battled.{who}", chance.random() < 0.5),
            (f"in_halls.{who}", chance.random() < 0.5),
            (f"halls_turns.{who}", chance.randint(1, 4)),
        ]
        if self.oracle.won or self.oracle.cards:
            paths += [("entry.cards", chance.randint(0, 6))] * 5
        if self.oracle.battle.attacker:
            paths += [("battle.att_total", chance.randint(0, 5)), ("battle.def_total", chance.randint(0, 5))] * 3
        return paths

    def concession(self) -> None:
        """A player gives up, or somebody who cannot."""
        in_play = self.oracle.in_play() if self.oracle.seat != ANYBODY else []
        if len(in_play) > rules.PLAYERS_LEAST or (in_play and self.chance.random() < 0.1):
            question = self.oracle.question
            asked = question.seat if question and question.seat in in_play else in_play[0]
            seat = self.chance.choice([*in_play, asked, asked])
            self._before(f"<{seat} concedes>")
            self.compare_events(self.oracle.concede(seat), self.session.concede(seat).events)
            self.compare()
        elif not self.oracle.players:
            self.answers.append("<gollum concedes>")
            self._refused(lambda: self.session.concede("gollum"), "no-such-seat", "concession")

    def bad_correction(self) -> None:
        """What cannot be set is refused, and nothing changes."""
        path, value = self.chance.choice(
            [
                ("pp_used", -1),
                ("in_halls.gollum", True),
                ("fe.frodo", "maybe"),
                ("battle.att_total", True),
                ("seat", 1),
            ]
        )
        self.answers.append(f"<bad {path}={value}>")
        self._refused(lambda: self.session.correct(path, value), "correction", path)

    def refusal(self, question: Question) -> None:
        """Send what must be refused; nothing may change."""
        value, seat, override, code = self.bad_answer(question)
        self.answers.append(f"<refused {value!r} by {seat or 'anybody'}{'!' if override else ''}>")
        self._refused(lambda: self.session.answer(value, seat=seat, override=override), code, question.key)

    def _refused(self, send: Any, code: str, where: str) -> None:
        before = self.session.n
        try:
            send()
        except Refused as refused:
            self.same(f"refusal code at {where}", code, refused.code, "1.3")
        else:
            self.same(f"a bad answer at {where}", code, "accepted", "1.3")
        self.refused += 1
        self.same("number of the question after a refusal", before, self.session.n)
        self.compare()

    def bad_answer(self, question: Question) -> tuple[Any, str | None, bool, str]:
        """Return a value, whose it is, whether a card says otherwise, and the code it must be refused with."""
        chance = self.chance
        if question.seat != ANYBODY and chance.random() < 0.15:
            battle = self.oracle.battle
            foe = chance.choice([each for each in self.oracle.players if each != question.seat])
            code = rules.foreign_code(question.key, foe, battle.attacker, battle.defender)
            return self.open_answer(question), foe, False, code
        firm = [(option, code.removesuffix(FIRM)) for option, code in question.barred.items() if code.endswith(FIRM)]
        barred = [(option, question.code(option)) for option in question.barred]
        if chance.random() < 0.2 and (firm or question.kind == "choose"):
            openly = [] if question.kind == "pick" else [(each, "not-barred") for each in question.open]
            value, code = chance.choice([*firm, *openly])
            return ([value] if question.kind == "pick" else value), None, True, code
        if question.kind == "choose":
            other = [("nothing-of-the-kind", "no-such-option"), (3, "malformed"), (None, "malformed")]
            value, code = chance.choice([*barred, *barred, *other])
            return value, None, False, code
        if question.kind == "pick":
            lists = [([option], code) for option, code in barred]
            other = [(["gollum"], "no-such-option"), ("frodo", "malformed"), (["sam", "sam"], "malformed")]
            value, code = chance.choice([*lists, *other])
            return value, None, False, code
        beyond = [(question.low - 1, "out-of-range"), (question.high + 1, "out-of-range"), ("two", "malformed")]
        value, code = chance.choice([*barred, *beyond])
        return value, None, False, code

    def after_the_end(self) -> None:
        """Nothing is answered any more."""
        self._refused(lambda: self.session.answer("end-turn"), "RR-X21", "the end")

    # -- comparing --------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Compare the whole state and the question that stands."""
        oracle, game = self.oracle, self._game()
        for name in PLAIN:
            value, there = getattr(oracle, name), getattr(game, name)
            self.same(name, value, list(there) if isinstance(there, tuple) else there, "1.2")
        for name in BY_PLAYER:
            self.same(name, getattr(oracle, name), getattr(game, name), "1.2")
        self.same("cards of the hand riddled", oracle.cards, game.entry.cards, "RR-21")
        self.compare_battle(game.battle)
        question, prompt = oracle.question, self.session.prompt
        over = self.session.over
        self.same("over", oracle.over, over.reason if over else "")
        self.same("winners", oracle.winners, list(over.winners) if over else [])
        if question is not None:
            assert prompt is not None
            self.compare_question(question, prompt)
            self.compare_shown()

    def _game(self) -> Any:
        """Return the state with the fields that the drive protocol tells; the session gives it without a copy."""
        return self.session.game

    def compare_battle(self, there: Any) -> None:
        battle = self.oracle.battle
        for name in BATTLE:
            self.same(f"battle: {name}", getattr(battle, name), getattr(there, name), "1.2")
        forces = [(force.owner, force.name, force.kind, force.points, force.city) for force in battle.forces]
        stated = [(force.owner, force.name, force.kind, force.points, force.city) for force in there.forces]
        self.same("forces on the table", forces, stated, "RR-60")

    def compare_shown(self) -> None:
        """What stands beside the glass: Power Plays left, and the totals of a battle."""
        if self.oracle.seat != ANYBODY:
            left = rules.power_plays_left(self.oracle.pp_used)
            battle = self.oracle.battle
            totals = [(battle.attacker, battle.att_total), (battle.defender, battle.def_total)]
            pools = [(pool.side, pool.value) for pool in self.session.pools]
            counters = [(self.oracle.seat, left), *(totals if battle.attacker else ())]
            self.same("counters", counters, pools, "RR-2")
            self.same("status", f"{left} PP left", self._game().status(), "RR-2")

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        self.same("question", question.key, prompt.ask, "1.3")
        self.same(f"seat asked at {prompt.ask}", question.seat, prompt.seat, "1.3")
        self.same(f"kind of {prompt.ask}", question.kind, prompt.kind)
        self.same(f"way back at {prompt.ask}", self.oracle.back, prompt.back, "0")
        if question.kind != "choose":
            self.same(f"limits of {prompt.ask}", (question.low, question.high), (prompt.low, prompt.high))
        if question.kind != "count":
            self.same(f"open at {prompt.ask}", sorted(question.open), sorted(o.id for o in prompt.options), "1.3")
        number = question.kind == "count"
        barred = {
            int(b.option.id) if number else b.option.id: b.bar.code + (FIRM if b.bar.firm else "")
            for b in prompt.barred
        }
        self.same(f"barred at {prompt.ask}", question.barred, barred, "1.3 Refusals")
        if question.guesses is not None:
            self.same("guesses", str(question.guesses), prompt.head.split()[0], "RR-21")

    def compare_events(self, expected: list[Event], events: tuple[Any, ...]) -> None:
        names = [event.result if isinstance(event, Ruling) else event.rule for event in events]
        self.same("what is announced", [event.what for event in expected], names)
        for event, ruling in zip(expected, events, strict=True):
            if isinstance(ruling, Ruling):
                stated = {name: ruling.data.get(name) for name in event.numbers}
                self.same(f"numbers of {event.what}", event.numbers, stated, "1.3")
                self.same(f"whether {event.what} changes anything", event.changed, ruling.changed)
                self.same(f"rules of {event.what}", event.rests_on, rules.TELLING & {*ruling.rules}, "1.1")


def compared(answers: int, seed: int, *, most_divergences: int = 10) -> Report:
    """Play games until so many answers are compared, or so many games have come apart."""
    report = Report()
    while report.answers < answers and len(report.divergences) < most_divergences:
        Table(seed * 1_000_003 + report.games).play(report, answers)
    return report
