"""A game, or a ruling, on the rulebook and on the oracle side by side."""

from __future__ import annotations

from typing import Any

from referee.games import load
from referee.rulebook import Ruling
from referee.session import Prompt, Session
from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.game import Game
from tests.oracles.riddle_of_the_ring.rules import CHARACTERS, FIRM
from tests.oracles.riddle_of_the_ring.state import ANYBODY, BACK, BY_PLAYER, PLAIN, Event, Question
from tests.oracles.side_by_side import BadAnswer, SideBySide, barred, listed

BATTLE = ("attacker", "defender", "attacker_kind", "defender_kind", "att_total", "def_total", "mover")
SELDOM = {"game-over": 0.02, "end-turn": 0.35, "stop": 0.3, "surrender": 0.3}
"""How often an option that ends something is taken where chance falls on it: games that go on teach more."""
OFTEN = {"battle": 0.7, "left-halls": 0.2, "move": 0.15, "done": 0.4, "character": 0.3, "give": 0.4}
"""How often an option is preferred where it is open."""


class Table(SideBySide):
    """One game, or one ruling, played on both."""

    closed = "RR-X21"
    oracle: Game

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        chance = self.chance
        overshoot, return_first = chance.random() < 0.4, chance.random() < 0.4
        ruling = chance.choice(["", "", "", "", "battle", "battle", "riddle"])
        settings = {"overshoot": overshoot, "return_first": return_first}
        self.session = Session(load("riddle-of-the-ring"), settings, ruling or None)
        self.oracle = Game(ruling, overshoot=overshoot, return_first=return_first)
        self.near = chance.choice([0.3, 0.5, 0.9])
        self.past: list[Game] = []
        self.answers.append(ruling or "game")

    def stroke(self, what: str) -> None:
        super().stroke(what)
        self.past.append(self.oracle.copy())

    def take_back(self) -> None:
        self.oracle = self.past.pop()

    # -- answers ----------------------------------------------------------------------------------------------

    def step(self, question: Question) -> None:
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

    def overridden(self, question: Question) -> None:
        """The card says otherwise: take what is barred but not firmly."""
        bars = [option for option, code in question.barred.items() if not code.endswith(FIRM)]
        if not bars:
            self.accepted(question, self.open_answer(question))
        elif question.kind == "pick":
            self.accepted(question, bars, override=True)
        else:
            self.accepted(question, self.chance.choice(bars), override=True)

    def correction(self) -> None:
        """The judge sets a counter; the question that stands must see it."""
        path, value = self.chance.choice([*self._corrections()])
        self.stroke(f"<{path}={value}>")
        self.compare_events([], self.session.correct(path, value).events)
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
            self.stroke(f"<{seat} concedes>")
            self.compare_events(self.oracle.concede(seat), self.session.concede(seat).events)
            self.compare()
        elif not self.oracle.players:
            self.bad("concession of gollum", lambda: self.session.concede("gollum"), "no-such-seat", "concession")

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
        self.bad(f"{path}={value}", lambda: self.session.correct(path, value), "correction", path)

    def bad_answer(self, question: Question) -> BadAnswer:
        chance = self.chance
        if question.seat != ANYBODY and chance.random() < 0.15:
            battle = self.oracle.battle
            foe = chance.choice([each for each in self.oracle.players if each != question.seat])
            code = rules.foreign_code(question.key, foe, battle.attacker, battle.defender)
            return self.open_answer(question), {"seat": foe}, code
        firm = [(option, code.removesuffix(FIRM)) for option, code in question.barred.items() if code.endswith(FIRM)]
        bars = [(option, question.code(option)) for option in question.barred]
        if chance.random() < 0.2 and (firm or question.kind == "choose"):
            openly = [] if question.kind == "pick" else [(each, "not-barred") for each in question.open]
            value, code = chance.choice([*firm, *openly])
            return ([value] if question.kind == "pick" else value), {"mode": "override"}, code
        if question.kind == "pick":
            bars = [([option], code) for option, code in bars]
        assert self.session.prompt is not None
        value, code = chance.choice([*bars, *bars, *self.wrong_answers(question, self.session.prompt)])
        return value, {}, code

    # -- comparing --------------------------------------------------------------------------------------------

    def compare_state(self) -> None:
        self.same_fields("the game", (*PLAIN, *BY_PLAYER), self.oracle, self.state)
        self.same("cards of the hand riddled", self.oracle.cards, self.state.entry.cards, "RR-21")
        self.compare_battle(self.state.battle)

    def ending(self) -> tuple[str, tuple[str, ...]]:
        return self.oracle.over, tuple(self.oracle.winners)

    def compare_battle(self, there: Any) -> None:
        battle = self.oracle.battle
        self.same_fields("the battle", BATTLE, battle, there)
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
            self.same("status", f"{left} PP left", self.state.status(), "RR-2")

    def way_back(self, question: Question) -> bool:
        return self.oracle.back

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        super().compare_question(question, prompt)
        self.same(f"barred at {prompt.ask}", listed(prompt, question.barred), barred(prompt))
        if question.guesses is not None:
            self.same("guesses", str(question.guesses), prompt.head.split()[0], "RR-21")
        self.compare_shown()

    def compare_ruling(self, event: Event, ruling: Ruling) -> None:
        stated = {name: ruling.data.get(name, "unstated") for name in event.numbers}
        self.same(f"numbers of {event.what}", event.numbers, stated)
        self.same(f"whether {event.what} changes anything", event.changed, ruling.changed)
        self.same(f"rules of {event.what}", event.rests_on, rules.TELLING & {*ruling.rules})
