"""A rulebook and its oracle side by side: random answers to both, compared after every one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from referee.errors import Refused
from referee.rulebook import BACK, Bundle, Odds, Ruling
from referee.session import Prompt, Session, Submission


@dataclass(frozen=True)
class Divergence:
    """Where the two part: what each has, and the answers since the start of the game that lead there."""

    seed: int
    what: str
    oracle: Any
    rulebook: Any
    settings: Mapping[str, object]
    answers: tuple[str, ...]
    rule: str = ""

    def __str__(self) -> str:
        way = " ".join(self.answers)
        rule = f" ({self.rule})" if self.rule else ""
        return (
            f"seed {self.seed}: {self.what}{rule}\n  oracle    {self.oracle}\n"
            f"  rulebook  {self.rulebook}\n  settings  {self.settings}\n  answers   {way}"
        )


@dataclass
class Report:
    """What was compared. ``games``: games, battles or rulings begun; ``refused``: answers sent to be refused."""

    answers: int = 0
    games: int = 0
    refused: int = 0
    questions: Counter[str] = field(default_factory=Counter)
    met: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """In how many games each of the combinations came up that the game counts (`SideBySide.met`)."""
    divergences: list[Divergence] = field(default_factory=list)


class Parted(Exception):
    """The two have come apart (`Divergence`); nothing after it can be compared."""


BadAnswer = tuple[Any, Mapping[str, Any], str]
"""A value, how it is sent (``seat``, ``override``), and the code it must be refused with."""
FIRM = "!"
"""Ends the code of what not even a card can open."""


def barred(prompt: Prompt, firm: str = FIRM) -> dict[Any, str]:
    """Return the code of every barred option, or number of a count."""
    bars = {each.option.id: each.bar.code + (firm if each.bar.firm else "") for each in prompt.barred}
    return {int(id_): code for id_, code in bars.items()} if prompt.kind == "count" else {**bars}


def listed(prompt: Prompt, bars: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the bars that a prompt must list; it may leave out what belongs to another question, which is firm."""
    there = {option.id for option in prompt.among}
    firm = {id_ for id_, bar in bars.items() if (bar.endswith(FIRM) if isinstance(bar, str) else bar.firm)}
    return {id_: bar for id_, bar in bars.items() if id_ in there or id_ not in firm or not prompt.among}


class SideBySide(ABC):
    """One game or ruling, played by the rulebook in ``session`` and by ``oracle`` with random answers from ``seed``.

    Each game sets up both, chooses the answers and knows the questions and events of its oracle. ``oracle.question``
    is what must be asked now (with ``key``, ``seat`` and ``kind``), None at the end; ``oracle.answer(value)`` applies
    an open answer and returns the events that must be announced. ``answers`` is what was sent, for a divergence.
    """

    session: Session
    oracle: Any
    closed: ClassVar[str]
    """Refusal code of an answer after the end."""
    longest = 400
    """Answers after which a game is left."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.answers: list[str] = []
        self.refused = 0
        self.met: set[tuple[str, ...]] = set()

    @property
    def state(self) -> Any:
        """The rulebook's state; its fields have the names of the drive protocol."""
        return self.session.game

    # -- playing --------------------------------------------------------------------------------------------------

    def play(self, report: Report, most: int) -> None:
        """Play to the end, or until ``most`` answers are compared; note the first divergence."""
        report.games += 1
        try:
            self.compare()
            question = self.oracle.question
            while question is not None and report.answers < most and len(self.answers) < self.longest:
                report.questions[question.key] += 1
                report.answers += 1
                self.step(question)
                question = self.oracle.question
            if question is None:
                self.after_the_end()
        except Parted as parted:
            report.divergences.append(parted.args[0])
        report.refused += self.refused
        report.met.update(self.met)

    @abstractmethod
    def step(self, question: Any) -> None:
        """Make one move: mostly an answer that is open, now and then one that is not, or the way back."""

    @abstractmethod
    def open_answer(self, question: Any) -> Any:
        """Return a random answer that the oracle takes."""

    @abstractmethod
    def bad_answer(self, question: Any) -> BadAnswer:
        """Return a random answer that must be refused."""

    def two_dice(self) -> Any:
        """Return faces or, more rarely, their total; the dice that lie there for this throw where some do."""
        assert self.session.prompt is not None
        stands = self.session.prompt.stands
        if stands is not None:
            return list(stands) if len(stands) > 1 else stands[0]
        faces = [self.chance.randint(1, 6) for _ in range(2)]
        return sum(faces) if self.chance.random() < 0.2 else faces

    # -- moves ----------------------------------------------------------------------------------------------------

    def stroke(self, what: str) -> None:
        """Note what is about to be sent, and can be taken back with one undo."""
        self.answers.append(what)

    def sender(self, question: Any) -> str | None:
        """Return who answers: anybody, or the seat that is asked."""
        seat: str | None = self.chance.choice([None, question.seat])
        return seat

    def take(self, value: Any) -> list[Any]:
        """Let the oracle take an answer as the session has it."""
        events: list[Any] = self.oracle.answer(value)
        return events

    def accepted(self, question: Any, value: Any, *, override: bool = False) -> None:
        """Give both an answer that is open, or that a card opens, and compare what follows."""
        by = self.sender(question)
        self.stroke(f"{value!r}{'!' if override else ''}")
        try:
            outcome = self.session.answer(Submission(value, seat=by, mode="override" if override else ""))
        except Refused as refused:
            self.same(f"{value!r} at {question.key} is refused", "accepted", refused.code)
            raise
        self.compare_events(self.take(value), outcome.events)
        self.compare()

    def bundle(self, bundle: Bundle) -> None:
        """Send several answers as one; the oracle must take each of them."""
        self.stroke(f"<bundle {bundle.id}>")
        events: list[Any] = []
        for value in bundle.answers:
            question = self.oracle.question
            self.same(f"a question stands for {value!r} of bundle {bundle.id}", question is not None, True)
            picked = set(value if question.kind == "pick" else [value])
            counted = question.kind == "count"
            there = range(question.low, question.high + 1) if counted else self.open_options(question)
            self.same(f"{value!r} of bundle {bundle.id} is open", picked <= {*there}, True)
            events += self.take(value)
        self.compare_events(events, self.session.bundle(bundle.id).events)
        self.compare()

    def wrong_answers(self, question: Any, prompt: Prompt) -> list[tuple[Any, str]]:
        """Return what is no answer to a question, with the code of each."""
        if question.kind == "count":
            beyond = [(prompt.low - 1, "out-of-range"), (prompt.high + 1, "out-of-range")]
            return [*beyond, ("two", "malformed")]
        if question.kind == "pick":
            return [(["gollum"], "no-such-option"), ("frodo", "malformed"), (["sam", "sam"], "malformed")]
        back = [] if prompt.back else [(BACK, "no-such-option")]
        return [("nothing-of-the-kind", "no-such-option"), (3, "malformed"), (None, "malformed"), *back]

    def undo(self) -> None:
        """Take one stroke back on both."""
        self.answers.append("<undo>")
        self.session.undo()
        self.take_back()
        self.compare()

    @abstractmethod
    def take_back(self) -> None:
        """Take the last stroke back on the oracle."""

    # -- what must be refused -------------------------------------------------------------------------------------

    def refusal(self, question: Any) -> None:
        """Send an answer that must be refused."""
        value, how, code = self.bad_answer(question)
        self.bad(f"{value!r} {how or ''}", lambda: self.session.answer(Submission(value, **how)), code, question.key)

    def bad(self, what: str, send: Callable[[], object], code: str, where: str) -> None:
        """Note and send what must be refused."""
        self.answers.append(f"<refused {what}>")
        self.refused += 1
        self.must_refuse(send, code, where)

    def after_the_end(self) -> None:
        """Nothing is answered once it is over."""
        self.must_refuse(lambda: self.session.answer("done"), self.closed, "the end")

    def must_refuse(self, send: Callable[[], object], code: str, where: str) -> None:
        """Send what must be refused with that code; nothing may change."""
        before = self.session.n
        try:
            send()
        except Refused as refused:
            self.same(f"refusal code at {where}", code, refused.code)
        else:
            self.same(f"a bad answer at {where}", code, "accepted")
        self.same("number of the question after a refusal", before, self.session.n)
        self.compare()

    # -- comparing ------------------------------------------------------------------------------------------------

    def same(self, what: str, oracle: Any, rulebook: Any, rule: str = "") -> None:
        """Raise Parted unless both have the same."""
        if oracle != rulebook:
            settings, answers = self.session.settings, tuple(self.answers)
            raise Parted(Divergence(self.seed, what, oracle, rulebook, settings, answers, rule))

    def same_fields(self, of: str, names: Iterable[str], oracle: object, rulebook: object) -> None:
        """Compare fields by name; what is a list for the oracle may be a tuple of the rulebook's."""
        for name in names:
            value, there = getattr(oracle, name), getattr(rulebook, name)
            if value != (list(there) if isinstance(there, tuple) else there):
                self.same(f"{name} of {of}", value, there)

    def same_numbers(self, of: str, numbers: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        """Compare the numbers behind a ruling, which may state more of them."""
        for name, value in numbers.items():
            if isinstance(value, Mapping):
                self.same_numbers(f"{name} of {of}", value, data[name])
            else:
                self.same(f"{name} of {of}", value, tuple(data[name]) if isinstance(value, tuple) else data.get(name))

    def same_odds(self, of: str, exact: Mapping[str, Any], odds: Odds | None, rule: str = "") -> None:
        """Compare the chances of what can happen."""
        stated = {chance.id: chance.chance for chance in odds or () if chance.chance}
        self.same(f"odds of {of}", {name: chance for name, chance in exact.items() if chance}, stated, rule)

    def compare(self) -> None:
        """Compare the whole state and the question that stands."""
        self.compare_state()
        question, prompt, over = self.oracle.question, self.session.prompt, self.session.over
        self.same("a question stands", question is not None, prompt is not None)
        ending = self.ending() if question is None else None
        self.same("why it is over, and who won", ending, over and (over.reason, tuple(over.winners)))
        if question is not None and prompt is not None:
            self.compare_question(question, prompt)

    @abstractmethod
    def compare_state(self) -> None: ...

    def ending(self) -> tuple[str, tuple[str, ...]]:
        """Return why it is over, and who won; a single ruling has just finished."""
        return "finished", ()

    def compare_question(self, question: Any, prompt: Prompt) -> None:
        """Compare what is asked, of whom, and what may be answered."""
        self.same("question", question.key, prompt.ask)
        self.same(f"seat asked at {prompt.ask}", question.seat, prompt.seat)
        self.same(f"kind of {prompt.ask}", question.kind, prompt.kind)
        self.same(f"way back at {prompt.ask}", self.way_back(question), prompt.back)
        if question.kind in {"choose", "pick"}:
            options = sorted(option.id for option in prompt.options)
            self.same(f"open at {prompt.ask}", sorted(self.open_options(question)), options)
        if question.kind != "choose":
            limits = (prompt.low, prompt.dice if question.kind == "roll" else prompt.high)
            self.same(f"limits of {prompt.ask}", self.limits(question), limits)

    def way_back(self, question: Any) -> bool:
        return bool(question.back)

    def open_options(self, question: Any) -> Collection[Any]:
        """Return what a question leaves open: ids, or the numbers of a count."""
        options: Collection[Any] = question.open
        return options

    def limits(self, question: Any) -> tuple[int, int]:
        """Return the least and the largest number, or how few and how many may be picked or thrown."""
        return question.low, question.high

    def compare_events(self, expected: list[Any], events: tuple[Any, ...]) -> None:
        """Compare what is announced: rulings by their result, reminders by their rule."""
        names = [event.result if isinstance(event, Ruling) else event.rule for event in events]
        self.same("what is announced", [event.what for event in expected], names)
        for event, ruling in zip(expected, events, strict=True):
            if isinstance(ruling, Ruling):
                self.compare_ruling(event, ruling)

    @abstractmethod
    def compare_ruling(self, event: Any, ruling: Ruling) -> None:
        """Compare a ruling with the event that the oracle has instead of it."""


def compared(table: Callable[[int], SideBySide], answers: int, seed: int, *, most_divergences: int = 10) -> Report:
    """Play until so many answers are compared, or so many games have come apart."""
    report = Report()
    while report.answers < answers and len(report.divergences) < most_divergences:
        table(seed * 1_000_003 + report.games).play(report, answers)
    return report
