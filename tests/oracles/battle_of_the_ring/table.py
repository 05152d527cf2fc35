"""Random answers to the rulebook and to the oracle side by side, compared after every one of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from referee.errors import Refused
from referee.games import load
from referee.rulebook import Bundle, Odds, Ruling
from referee.session import Prompt, Session
from tests.oracles.battle_of_the_ring import GAME, rules
from tests.oracles.battle_of_the_ring.game import BACK, TABLE, Event, Game, Question, State
from tests.oracles.battle_of_the_ring.rules import RING
from tests.oracles.report import Divergence, Parted, Report

FIELDS = tuple(name for name in State.__dataclass_fields__ if name not in {"movers", "ring_began"})
PLACES = {"end.isengard", "move.where", "special.hex", "special.piece", "ring.destination"}
"""Where a card could put a piece on a hex that no rule speaks of; overrides are left out there."""
LONGEST, LONGEST_DESK = 500, 120
"""Answers after which a game, or a desk, is left."""


class Table:
    """One game, or one desk, played on both, with random answers from ``seed``."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = Random(seed)
        desk = seed % 8 == 0
        self.settings: dict[str, object] = {
            "players": self.chance.choice([2, 3]),
            "evil_pact": self.chance.random() < 0.3,
            "crowns[harad]": self.chance.choice([1, 2]),
            "crowns[iron-mountains]": self.chance.choice([1, 2]),
        }
        self.session = Session(load(GAME), self.settings, "attack" if desk else None, repeat=desk)
        self.desk = desk
        self.game = self.fresh()
        self.moves: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self.answers: list[str] = []
        self.refused = 0
        self.taste = Taste(self.chance)
        self.longest = LONGEST_DESK if desk else LONGEST

    def fresh(self) -> Game:
        crowns = {name: int(str(self.settings[f"crowns[{name}]"])) for name in ("harad", "iron-mountains")}
        players, pact = int(str(self.settings["players"])), bool(self.settings["evil_pact"])
        return Game(players, pact=pact, crowns=crowns, desk=self.desk)

    def same(self, what: str, oracle: Any, rulebook: Any) -> None:
        """Raise Parted unless both have the same."""
        if oracle != rulebook:
            raise Parted(Divergence(self.seed, what, oracle, rulebook, self.settings, tuple(self.answers)))

    # -- answers --------------------------------------------------------------------------------------------------

    def play(self, report: Report, most: int) -> None:
        """Play to the end, or until ``most`` answers are compared; note the first divergence."""
        report.games += 1
        try:
            self.compare()
            while self.game.question is not None and report.answers < most and len(self.answers) < self.longest:
                report.questions[self.game.question.key] += 1
                report.answers += 1
                self.step()
            if self.game.question is None:
                self.closed()
        except Parted as parted:
            report.divergences.append(parted.args[0])
        report.refused += self.refused

    def closed(self) -> None:
        """Nothing is taken once the game is over (BR-X20)."""
        try:
            self.session.answer("done")
        except Refused as refused:
            self.same("refusal code after the end", "BR-X20", refused.code)
        else:
            self.same("an answer after the end", "refused", "accepted")

    def step(self) -> None:
        """Make one move: mostly an answer that is open, now and then one that is not, or the way back."""
        draw = self.chance.random()
        assert self.game.question is not None
        ending = self.game.question.key.startswith("end.")
        assert self.session.prompt is not None
        if draw < 0.1:
            self.refusal()
        elif draw < 0.11 and self.moves:
            self.undo()
        elif draw < 0.125 and not self.desk and not ending and self.taste.corrects:
            self.correction()
        elif draw < 0.135 and self.taste.corrects:
            self.overridden()
        elif draw < 0.1365 and self.taste.concedes and self.game.seat == self.game.question.seat != TABLE:
            self.concession()
        elif draw < 0.2 and self.session.prompt.bundles:
            self.bundle(self.chance.choice(self.session.prompt.bundles))
        else:
            self.accepted(self.open_answer())

    def open_answer(self) -> Any:
        """Return a random answer that the oracle takes."""
        question = self.game.question
        assert question is not None
        assert self.session.prompt is not None
        if question.back and self.chance.random() < 0.02:
            return BACK
        if question.kind == "roll":
            stands = self.session.prompt.stands
            if stands is not None:
                return list(stands) if len(stands) > 1 else stands[0]
            faces = [self.chance.randint(1, 6) for _ in range(2)]
            return sum(faces) if self.chance.random() < 0.2 else faces
        return self.taste.choice(question)

    def accepted(self, value: Any, *, override: bool = False) -> None:
        """Give both an answer and compare what follows."""
        question = self.game.question
        assert question is not None
        by = self.chance.choice([None, question.seat]) if question.seat != TABLE else None
        self.answers.append(f"!{value}" if override else repr(value))
        try:
            outcome = self.session.answer(value, seat=by, override=override)
        except Refused as refused:
            self.same(f"an open answer to {question.key} is refused", "accepted", refused.code)
            raise
        self.compare_events(self.apply(value), outcome.events)
        self.compare()

    def apply(self, value: Any) -> list[Event]:
        heard = [value] if type(value) is int and self.game.question and self.game.question.kind == "roll" else value
        return self.move(Game.answer, heard)

    def move(self, method: Callable[..., list[Event]], *args: Any) -> list[Event]:
        self.moves.append((method, args))
        return method(self.game, *args)

    def overridden(self) -> None:
        """A card says otherwise: an answer that is barred, but not firmly."""
        question = self.game.question
        assert question is not None
        barred = [answer for answer, code in question.codes().items() if code and not code.endswith("!")]
        if barred and question.key not in PLACES:
            self.accepted(self.chance.choice(barred), override=True)
        else:
            self.accepted(self.open_answer())

    def bundle(self, bundle: Bundle) -> None:
        """Send several answers as one; the oracle must take each of them."""
        self.answers.append(f"<bundle {bundle.id}>")
        events: list[Event] = []
        before = len(self.moves)
        for value in bundle.answers:
            standing = self.game.question
            self.same(
                f"{value!r} of bundle {bundle.id} is open", True, standing is not None and value in standing.open()
            )
            events += self.apply(value)
        steps = self.moves[before:]
        del self.moves[before:]
        self.moves.append((lambda game: [event for method, args in steps for event in method(game, *args)], ()))
        self.compare_events(events, self.session.bundle(bundle.id).events)
        self.compare()

    def undo(self) -> None:
        """Take one stroke back on both."""
        self.answers.append("<undo>")
        self.session.undo()
        self.moves.pop()
        self.game = self.fresh()
        for method, args in self.moves:
            method(self.game, *args)
        self.compare()

    def correction(self) -> None:
        """The judge sets a field; the question is asked again."""
        path, value = self.taste.correction()
        if path == "ring_hex" and self.game.state.ring_moved:
            return
        self.answers.append(f"<{path}={value}>")
        outcome = self.session.correct(path, value)
        self.compare_events(self.move(Game.correct, path, value), outcome.events)
        self.compare()

    def concession(self) -> None:
        """A seat gives up that has not yet."""
        seats = [seat for seat in rules.seats(self.game.players) if seat not in self.game.state.conceded]
        seat = self.chance.choice(seats)
        self.answers.append(f"<{seat} concedes>")
        outcome = self.session.concede(seat)
        self.compare_events(self.move(Game.concede, seat), outcome.events)
        self.compare()

    def refusal(self) -> None:
        """Send what must be refused; nothing may change."""
        question = self.game.question
        assert question is not None
        value, seat, code = self.bad_answer(question)
        before = self.session.n
        self.answers.append(f"<refused {value!r} by {seat or 'anybody'}>")
        try:
            self.session.answer(value, seat=seat)
        except Refused as refused:
            self.same(f"refusal code at {question.key}", code, refused.code)
        else:
            self.same(f"a bad answer at {question.key} is taken", code, "accepted")
        self.refused += 1
        self.same("number of the question after a refusal", before, self.session.n)
        self.compare()

    def bad_answer(self, question: Question) -> tuple[Any, str | None, str]:
        """Return a value, whose it is, and the code it must be refused with."""
        chance = self.chance
        if question.seat != TABLE and chance.random() < 0.2:
            others = [seat for seat in rules.seats(self.game.players) if seat != question.seat]
            return self.open_answer(), chance.choice(others), "BR-X01"
        bad: list[tuple[Any, str]] = [] if question.back else [(BACK, "no-such-option")]
        if question.kind == "roll":
            bad = [([0, 6], "BR-X19"), ([7, 1], "BR-X19"), ([3], "BR-X19"), ([1, 2, 3], "BR-X19"), (1, "BR-X19")]
            bad += [(13, "BR-X19")]
        elif question.kind == "count":
            bad = [(-1, "out-of-range"), (7, "out-of-range"), ("two", "malformed")]
        else:
            bad += [("nothing-of-the-kind", "no-such-option"), (3, "malformed")]
        barred = [(answer, code.rstrip("!")) for answer, code in question.codes().items() if code]
        value, code = chance.choice(barred if barred and chance.random() < 0.7 else bad)
        return value, None, code

    # -- comparing ------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Compare the whole state and the question that stands."""
        game, session = self.game, self.session
        over = session.over
        self.same("over", game.over, None if over is None else (over.reason, tuple(over.winners)))
        if not self.desk:
            for name in FIELDS:
                self.same(f"state: {name}", getattr(game.state, name), getattr(session.game, name))
            self.same("pools", game.pools(), [(pool.id, pool.side, pool.value, pool.cap) for pool in session.pools])
        question, prompt = game.question, session.prompt
        self.same("a question stands", question is not None, prompt is not None)
        if question is not None and prompt is not None:
            self.compare_question(question, prompt)

    def compare_question(self, question: Question, prompt: Prompt) -> None:
        self.same("question", question.key, prompt.ask)
        self.same(f"seat asked at {prompt.ask}", question.seat, prompt.seat)
        self.same(f"kind of {prompt.ask}", question.kind, prompt.kind)
        self.same(f"way back at {prompt.ask}", question.back, prompt.back)
        barred: dict[Any, str] = {}
        for option, bar in prompt.barred:
            barred[int(option.id) if prompt.kind == "count" else option.id] = bar.code + ("!" if bar.firm else "")
        codes = question.codes()
        self.same(f"barred at {prompt.ask}", {answer: code for answer, code in codes.items() if code}, barred)
        if question.kind == "choose":
            self.same(f"open at {prompt.ask}", sorted(question.open()), sorted(o.id for o in prompt.options))
        elif question.kind == "count":
            self.same(f"limits of {prompt.ask}", (min(codes), max(codes)), (prompt.low, prompt.high))
        else:
            self.same(f"dice of {prompt.ask}", (2, 2, True), (prompt.low, prompt.dice, prompt.total))
            self.compare_odds(question, self.session.odds())

    def compare_odds(self, question: Question, odds: Odds | None) -> None:
        exact = {name: Fraction(n, 36) for name, n in rules.ways(question.column, question.row).items() if n}
        self.same("odds", exact, {chance.id: chance.chance for chance in odds or () if chance.chance})

    def compare_events(self, expected: list[Event], events: tuple[Any, ...]) -> None:
        names = [event.result if isinstance(event, Ruling) else event.rule for event in events]
        self.same("what is announced", [event.what for event in expected], names)
        for event, ruling in zip(expected, events, strict=True):
            if isinstance(ruling, Ruling):
                self.same(f"rules of {event.what}", event.rules, ruling.rules)
                self.same(f"change by {event.what}", event.changed, ruling.changed)
                for name, value in event.data.items():
                    self.same(f"{name} of {event.what}", value, ruling.data[name])


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
        self.liked = {"ring-captured": chance.random() * 3, "special-hex": 5, "check": 2, "elven-hex": 2, "done": 0}
        self.victim = chance.choice(["elf", "elf", "orc", "gandalf", "", ""])
        self.liked |= {"removed": 2 if self.victim else 0.3, "fangorn": 2, "isengard": 2, RING: 5}
        self.rare = {"moves": 0.1, "mount-doom": 0.1, "barad-dur": 0.15, "elsewhere": 0.2}
        self.corrects, self.concedes = chance.random() < 0.3, chance.random() < 0.2

    def choice(self, question: Question) -> Any:
        """Return an open answer; the way back if there is none."""
        open_, chance = question.open(), self.chance
        if not open_:
            return BACK
        if "done" in open_ and chance.random() > self.busy[question.key]:
            return "done"
        if question.key == "removed.piece" and self.victim in open_ and chance.random() < 0.7:
            return self.victim
        weights = [self.liked.get(each, 1) * self.rare.get(each, 1) for each in open_]
        return chance.choices(open_, weights)[0] if any(weights) else chance.choice(open_)

    def correction(self) -> tuple[str, Any]:
        chance = self.chance
        number = chance.choice("123456")
        return chance.choice(
            [
                (f"on_board.{(piece := chance.choice(rules.PIECES))}", chance.randint(0, rules.CAPS[piece])),
                ("round", chance.randint(1, 6)),
                ("ring_hex", chance.choice(("ordinary", *rules.ELVEN_HEXES))),
                ("shire_owner", chance.choice(("hobbits", "saruman"))),
                ("shire_third", chance.choice((True, False))),
                ("isengard", chance.choice(("special", "ordinary"))),
                (f"elven_closed.{number}", chance.choice((True, False))),
                (f"elven_stay.{number}", chance.randint(0, 2)),
                (f"attacks.{chance.choice(rules.PIECES)}", chance.randint(0, 3)),
                ("moved.ring-bearer", chance.randint(0, 3)),
                ("moved.gandalf", chance.randint(0, 6)),
                ("ring_moved", chance.choice((True, False))),
                ("paths", chance.choice(("dormant", "aragorn-inside", "closed"))),
            ]
        )


def compared(answers: int, seed: int, *, most_divergences: int = 10) -> Report:
    """Play games until so many answers are compared, or so many games have come apart."""
    report = Report()
    while report.answers < answers and len(report.divergences) < most_divergences:
        Table(seed * 1_000_003 + report.games).play(report, answers)
    return report
