"""A game, or the desk, on the rulebook and on the oracle side by side."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from referee.games import load
from referee.rulebook import Bundle, Ruling
from referee.session import Prompt, Session
from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.board import BACK, TABLE, Event, Question, State
from tests.oracles.battle_of_the_ring.game import Game
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, DEAD, RING, SARUMAN, SAURON
from tests.oracles.side_by_side import FIRM, BadAnswer, SideBySide, barred, listed


class Taste:
    """What the players of one game like: which open answers they prefer, so that all corners are reached."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        busy = chance.choice([0.1, 0.25, 0.5, 0.75])
        self.busy = {
            "move.menu": busy,
            "attack.attacker": busy * 0.6,
            "build.nation": chance.choice([0.3, 0.6, 0.95]),
        }
        self.victim = chance.choice(["elf", "elf", "orc", "gandalf", "", ""])
        self.liked = {
            "ring-captured": chance.random() * 3,
            "special-hex": 5,
            "fangorn": chance.choice([1, 10]),
            "left": chance.choice([0.5, 8]),
            "paths-of-the-dead": chance.choice([1, 5]),
            "aragorn-and-2-dead": 3,
            DEAD: chance.choice([1, 5]),
            "yes": chance.choice([1, 5]),
            "isengard": 2,
            "check": 2,
            "elven-hex": 2,
            "removed": 2 if self.victim else 0.3,
            RING: 5,
            "done": 0,
        }
        self.rare = {"moves": 0.1, "mount-doom": 0.1, "barad-dur": 0.15, "elsewhere": 0.2}
        self.crowd = ""
        self.corrects, self.concedes = chance.random() < 0.4, chance.random() < 0.2

    def choice(self, question: Question) -> Any:
        """Return an open answer; the way back if there is none."""
        open_, chance = question.open(), self.chance
        if not open_:
            return BACK
        if "done" in open_ and chance.random() > self.busy[question.key]:
            return "done"
        if question.key == "removed.piece" and self.victim in open_ and chance.random() < 0.7:
            return self.victim
        weights = [self.weight(each) for each in open_]
        answer = chance.choices(open_, weights)[0] if any(weights) else chance.choice(open_)
        if question.key == "special.hex":
            self.crowd = answer
        return answer

    def weight(self, answer: str) -> float:
        """Return how much an answer is liked; a special hex just entered draws another piece."""
        return self.liked.get(answer, 1) * self.rare.get(answer, 1) * (4 if answer == self.crowd else 1)

    def correction(self) -> tuple[str, Any]:
        """Return a field that the judge can set, and what it is set to."""
        chance = self.chance
        piece, number, yes_no = chance.choice(rules.PIECES), chance.choice("123456"), chance.choice((True, False))
        return chance.choice(
            [
                (f"on_board.{piece}", chance.randint(0, rules.CAPS[piece])),
                ("round", chance.randint(1, 6)),
                ("ring_hex", chance.choice(("ordinary", *rules.ELVEN_HEXES))),
                ("ring_hex", chance.choice(rules.RING_HEXES)),
                ("ring_owner", chance.choice((ALLIANCE, SAURON, SARUMAN))),
                ("ring_moved", yes_no),
                ("shire_owner", chance.choice(("hobbits", "saruman"))),
                ("shire_third", yes_no),
                ("isengard", chance.choice(("special", "ordinary"))),
                ("fangorn", chance.choice(("dormant", "active", "dead"))),
                ("fangorn_hex", chance.choice(("open", "closed"))),
                ("gandalf_in", chance.choice(("none", "moria", "fangorn"))),
                ("moria_used", yes_no),
                ("paths", chance.choice(("dormant", "aragorn-inside", "closed"))),
                (f"elven_closed.{number}", yes_no),
                (f"elven_stay.{number}", chance.randint(0, 2)),
                (f"attacks.{piece}", chance.randint(0, 3)),
                (f"moved.{chance.choice((piece, 'gandalf', RING))}", chance.randint(0, 6)),
            ]
        )


FIELDS = tuple(name for name in State.__dataclass_fields__ if name not in {"movers", "ring_began"})
PLACES = {"end.isengard", "move.where", "special.hex", "special.piece", "ring.destination"}
"""Where a card could put a piece on a hex that no rule speaks of; overrides are left out there."""


class Table(SideBySide):
    """One game, or one desk, played on both."""

    closed = "BR-X20"
    longest = 500
    oracle: Game

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.desk = seed % 8 == 0
        settings = {
            "players": self.chance.choice([2, 3]),
            "evil_pact": self.chance.random() < 0.3,
            "crowns[harad]": self.chance.choice([1, 2]),
            "crowns[iron-mountains]": self.chance.choice([1, 2]),
        }
        self.session = Session(
            load("battle-of-the-ring"), settings, "attack" if self.desk else None, repeat=self.desk
        )
        self.oracle = self.fresh()
        self.moves: list[Callable[[Game], list[Event]]] = []
        self.taste = Taste(self.chance)
        if self.desk:
            self.longest = 120

    def fresh(self) -> Game:
        settings = self.session.settings
        crowns = {name: settings[f"crowns[{name}]"] for name in ("harad", "iron-mountains")}
        return Game(settings["players"], pact=settings["evil_pact"], crowns=crowns, desk=self.desk)

    def move(self, move: Callable[[Game], list[Event]]) -> list[Event]:
        """Make a move of the oracle's that can be made again after an undo."""
        self.moves.append(move)
        return move(self.oracle)

    def take(self, value: Any) -> list[Event]:
        question = self.oracle.question
        thrown = question is not None and question.kind == "roll"
        return self.move(lambda game: game.answer([value] if type(value) is int and thrown else value))

    def take_back(self) -> None:
        self.moves.pop()
        self.oracle = self.fresh()
        for move in self.moves:
            move(self.oracle)

    def bundle(self, bundle: Bundle) -> None:
        """One undo takes all of it back."""
        before = len(self.moves)
        super().bundle(bundle)
        steps = self.moves[before:]
        self.moves[before:] = [lambda game: [event for step in steps for event in step(game)]]

    # -- answers --------------------------------------------------------------------------------------------------

    def step(self, question: Question) -> None:
        draw = self.chance.random()
        ending = question.key.startswith("end.")
        assert self.session.prompt is not None
        if draw < 0.1:
            self.refusal(question)
        elif draw < 0.11 and self.moves:
            self.undo()
        elif draw < 0.125 and not self.desk and not ending and self.taste.corrects:
            self.correction()
        elif draw < 0.135 and self.taste.corrects:
            self.overridden(question)
        elif draw < 0.1365 and self.taste.concedes and self.oracle.seat == question.seat != TABLE:
            self.concession()
        elif draw < 0.2 and self.session.prompt.bundles:
            self.bundle(self.chance.choice(self.session.prompt.bundles))
        else:
            self.accepted(question, self.open_answer(question))

    def open_answer(self, question: Question) -> Any:
        if question.back and self.chance.random() < 0.02:
            return BACK
        if question.kind == "roll":
            return self.two_dice()
        return self.taste.choice(question)

    def sender(self, question: Question) -> str | None:
        return super().sender(question) if question.seat != TABLE else None

    def overridden(self, question: Question) -> None:
        """A card says otherwise: an answer that is barred, but not firmly."""
        bars = [answer for answer, code in question.codes().items() if code and not code.endswith(FIRM)]
        if bars and question.key not in PLACES:
            self.accepted(question, self.chance.choice(bars), override=True)
        else:
            self.accepted(question, self.open_answer(question))

    def correction(self) -> None:
        """The judge sets a field; the question is asked again."""
        path, value = self.taste.correction()
        self.stroke(f"<{path}={value}>")
        outcome = self.session.correct(path, value)
        self.compare_events(self.move(lambda game: game.correct(path, value)), outcome.events)
        self.compare()

    def concession(self) -> None:
        """A seat gives up that has not yet."""
        seats = [seat for seat in rules.seats(self.oracle.players) if seat not in self.oracle.state.conceded]
        seat = self.chance.choice(seats)
        self.stroke(f"<{seat} concedes>")
        outcome = self.session.concede(seat)
        self.compare_events(self.move(lambda game: game.concede(seat)), outcome.events)
        self.compare()

    def bad_answer(self, question: Question) -> BadAnswer:
        chance = self.chance
        if question.seat != TABLE and chance.random() < 0.2:
            others = [seat for seat in rules.seats(self.oracle.players) if seat != question.seat]
            return self.open_answer(question), {"seat": chance.choice(others)}, "BR-X01"
        assert self.session.prompt is not None
        bad = self.wrong_answers(question, self.session.prompt)
        if question.kind == "roll":
            bad = [([0, 6], "BR-X19"), ([7, 1], "BR-X19"), ([3], "BR-X19"), ([1, 2, 3], "BR-X19"), (1, "BR-X19")]
            bad += [(13, "BR-X19")]
        bars = [(answer, code.removesuffix(FIRM)) for answer, code in question.codes().items() if code]
        value, code = chance.choice(bars if bars and chance.random() < 0.7 else bad)
        return value, {}, code

    # -- comparing ------------------------------------------------------------------------------------------------

    def compare_state(self) -> None:
        if not self.desk:
            self.same_fields("the state", FIELDS, self.oracle.state, self.state)
            pools = [(pool.id, pool.side, pool.value, pool.cap) for pool in self.session.pools]
            self.same("pools", self.oracle.pools(), pools)

    def ending(self) -> tuple[str, tuple[str, ...]]:
        assert self.oracle.over is not None
        return self.oracle.over

    def open_options(self, question: Question) -> list[Any]:
        return question.open()

    def limits(self, question: Question) -> tuple[int, int]:
        codes = question.codes()
        return (2, 2) if question.kind == "roll" else (min(codes), max(codes))

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        super().compare_question(question, prompt)
        bars = {answer: code for answer, code in question.codes().items() if code}
        self.same(f"barred at {prompt.ask}", listed(prompt, bars), barred(prompt))
        if question.kind == "roll":
            self.same(f"sum taken at {prompt.ask}", True, prompt.total)
            exact = {name: Fraction(n, 36) for name, n in rules.ways(question.column, question.row).items()}
            self.same_odds(question.key, exact, self.session.odds())

    def compare_ruling(self, event: Event, ruling: Ruling) -> None:
        self.same(f"rules of {event.what}", event.rules, ruling.rules)
        self.same(f"change by {event.what}", event.changed, ruling.changed)
        self.same(
            f"data of {event.what}", event.data, {name: ruling.data.get(name, "unstated") for name in event.data}
        )
