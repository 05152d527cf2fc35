"""What a session has accepted, what of it still counts, and the log of it in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from referee.errors import NotNow
from referee.rulebook import (
    BACK,
    Ask,
    Choose,
    Count,
    Event,
    Over,
    Pick,
    Roll,
    Ruling,
    Short,
    after,
    joined,
    phrase,
    whole,
)
from referee.rulebook.wording import shortened
from referee.session.entries import Entry
from referee.session.extra import Origin, Unused, in_words, origins_of, plain_answer, unused_of
from referee.session.prompt import Prompt

_MODES = {"": "", "override": " (override: a card says so)", "reroll": " (re-rolled)", "corrected": " (corrected)"}
"""What the log says of the mode of an answer."""

Faces = tuple[int, ...]
Throw = tuple[Any, ...]
"""What names a roll: the same place in the sequence of play gives the same name."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log.

    ``seq``     number of the entry it belongs to
    ``kind``    kind of that entry, ``correct`` where it takes a throw back to correct it; ``told`` for an answer in
                secret that is told with it, ``ruling``, ``reminder`` or ``over`` for what followed from it
    ``why``     what a ruling orders, and the lines that explain it
    ``undone``  whether it has been taken back
    ``by``      seat whose button it was, where that is known
    ``dice``    of a throw: where its faces came from, in words; "" if all were keyed in at the box
    ``place``   where the sequence of play stood before that entry, outermost first
    ``event``   the ruling or the reminder itself; programs do not get it
    """

    seq: int
    seat: str
    kind: str
    text: str
    why: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    undone: bool = False
    mode: str = ""
    source: str = ""
    at: float = 0.0
    wall: float = 0.0
    by: str = ""
    dice: str = ""
    place: tuple[str, ...] = ()
    event: Event | None = field(default=None, compare=False)

    def after(self, seat: str) -> str:
        """Return its whole words as they stand after those of its seat; what followed stands by itself."""
        return whole(self.text) if self.kind in ("ruling", "reminder", "over") else after(seat, self.text)

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {name: plain_answer(getattr(self, name)) for name in self.__slots__ if name != "event"}


def asked(question: str, answer: str) -> str:
    """Return an answer as people would say it, after the question it answers."""
    return shortened(_after(question, answer), _whole_after, question, answer)


def _whole_after(question: str, answer: str) -> str:
    return _after(whole(question), whole(answer))


def _after(question: str, answer: str) -> str:
    return (" " if question.endswith(("?", ":")) else ": ").join(filter(None, (question, answer)))


def answer_words(ask: Ask, answer: Any) -> str:
    """Return an answer to a question as people would say it."""
    if answer == BACK and not (isinstance(ask, Choose) and BACK in ask.among.by_id):
        return "back"
    if isinstance(ask, Choose):
        return ask.among.by_id[answer].text
    if isinstance(ask, Pick):
        return joined(", ", (ask.among.by_id[each].text for each in answer)) if answer else "none"
    if isinstance(ask, Count):
        return joined(" ", (str(answer), ask.one if answer == 1 else ask.unit))
    if isinstance(ask, Roll) and ask.tally and isinstance(answer, (int, Mapping)):
        number = answer[ask.tally] if isinstance(answer, Mapping) else answer
        return f"{number} {ask.tally.removesuffix('s') if number == 1 else ask.tally}"
    return f"total {answer}" if isinstance(answer, int) else joined(Short(" ", ", "), map(str, answer)) or "none"


def plain(value: object) -> str:
    """Return a counter's value as people say it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def event_line(event: Event) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    """Return kind, text, why and rules of a ruling or a reminder."""
    if isinstance(event, Ruling):
        return "ruling", event.headline, (*event.to_do, *event.why), event.rules
    return "reminder", event.text, (), (event.rule,)


def summary(events: Sequence[Event], over: Over | None) -> dict[str, Any] | None:
    """Return what an entry keeps of what followed: rulings and the end, None if neither."""
    if not events and over is None:
        return None
    parts: dict[str, Any] = {}
    rulings = [
        {"result": e.result, "headline": e.headline, "rules": list(e.rules)} for e in events if isinstance(e, Ruling)
    ]
    if rulings:
        parts["rulings"] = rulings
    if over is not None:
        parts["over"] = {"reason": over.reason, "winners": list(over.winners)}
    return parts or None


class RevealedAnswer(NamedTuple):
    """An answer in secret when all are in: whose, to which question, and what in words."""

    seat: str
    ask: str
    answer: Any
    text: str


@dataclass(slots=True)
class Record:
    """An entry, with what only this process needs to know of it.

    ``words``   what it says in the log, of an answer after its ``question``
    ``place``   where the sequence of play stood before it
    ``events``, ``over``  what followed from it
    ``throw``   what names the roll that was answered with faces or their sum, of dice with so many ``sides``
    ``prompt``  a roll that was answered by itself: the question as it was asked
    ``told``    all the answers in secret that are told with it
    ``undone``  whether it was taken back
    """

    entry: Entry
    words: str
    place: tuple[str, ...]
    events: Sequence[Event] = ()
    over: Over | None = None
    throw: Throw | None = None
    sides: int = 6
    prompt: Prompt | None = None
    told: tuple[RevealedAnswer, ...] = ()
    question: str = ""
    undone: bool = False

    @property
    def text(self) -> str:
        """What it says in the log."""
        text = asked(self.question, self.words) if self.question else self.words
        mode = _MODES[self.entry.mode]
        return phrase("{}{}", text, mode) if mode else text

    @property
    def secret(self) -> bool:
        """Whether it is an answer in secret."""
        return "sealed" in self.entry.extra

    @property
    def rolled(self) -> Faces:
        """The faces that were thrown, where they are known."""
        answer = self.entry.answer
        return tuple(answer) if self.throw is not None and isinstance(answer, list) else ()

    @property
    def six_sided(self) -> Faces:
        """The faces of six-sided dice that were thrown, where they are known."""
        return self.rolled if self.sides == 6 else ()

    @property
    def remembered(self) -> bool:
        """Whether it may be proposed when the same is asked again."""
        return self.entry.answer != BACK and "sealed" not in self.entry.extra


@dataclass(frozen=True, slots=True)
class LastThrow:
    """The roll answered last, while nothing that counts was accepted after it: what was undone does not.

    ``prompt``  the roll as it was asked
    ``answer``  the faces; where no faces were entered, their sum or what was counted, as it was sent
    ``origins`` where each face came from; of a sum or a count one, where that came from
    ``seq``     number of its entry
    """

    prompt: Prompt
    answer: Any
    origins: tuple[Origin, ...]
    seq: int

    def needs_judge(self, answer: object) -> bool:
        """Whether this answer in its place changes a face that nobody entered by hand."""
        before, now = listed(self.answer), listed(answer)
        if len(before) != len(now) or len(before) != len(self.origins):
            return not all(origin.by_hand for origin in self.origins)
        pairs = zip(before, now, self.origins, strict=True)
        return any(was != to and not origin.by_hand for was, to, origin in pairs)

    def changes(self, answer: object) -> str:
        """Return in words what becomes of it with this answer in its place: "5→4"."""
        before, now = listed(self.answer), listed(answer)
        pairs = zip(before, now, strict=True) if len(before) == len(now) else [(before, now)]
        return ", ".join(f"{_plain(was)}→{_plain(to)}" for was, to in pairs if was != to)

    def mixed(self, answer: object, origins: Sequence[Origin]) -> tuple[Origin, ...]:
        """Return where each face of this answer in its place comes from: one that stays keeps its origin."""
        before, now = listed(self.answer), listed(answer)
        if len(before) != len(now) or len(now) != len(origins) or len(before) != len(self.origins):
            return tuple(origins)
        pairs = zip(before, now, self.origins, origins, strict=True)
        return tuple(old if was == to else new for was, to, old, new in pairs)


def listed(answer: object) -> list[object]:
    """Return the faces of an answer, or the one thing it is."""
    return list(answer) if isinstance(answer, (list, tuple)) else [answer]


def _plain(answer: object) -> str:
    if isinstance(answer, Mapping):
        return " ".join(f"{name} {count}" for name, count in answer.items())
    return " ".join(map(str, listed(answer)))


class Rolled(NamedTuple):
    """Dice that were thrown for one roll: who was asked, the faces, and where each came from.

    ``unused``: what dice told for it that does not count; ``undone``: whether it was taken back
    """

    seat: str
    faces: Faces
    origins: tuple[Origin, ...]
    unused: tuple[Unused, ...]
    undone: bool


class Stroke(NamedTuple):
    """What one undo takes back: the numbers of some entries, and how many moves had been made before them."""

    before: int
    entries: range


def origins(record: Record) -> tuple[Origin, ...]:
    """Return where each of the faces came from that are known."""
    return origins_of(record.entry.source, len(record.rolled), record.entry.extra)


def lines_of(record: Record) -> Iterator[LogLine]:
    """Yield the lines of the log for an entry and what followed from it."""
    entry, faces, unused = record.entry, record.rolled, unused_of(record.entry.extra)
    corrects = entry.kind == "void" and entry.group is not None  # the throw that it takes back
    beside = LogLine(
        entry.seq,
        entry.seat,
        "correct" if corrects else entry.kind,
        record.text,
        rules=(entry.rule,) if entry.rule else (),
        undone=record.undone,
        source=entry.source,
        at=entry.at,
        wall=entry.wall,
        place=record.place,
    )
    dice = in_words(faces, origins(record), unused) if faces or unused else ""
    yield replace(beside, mode=entry.mode, by=entry.by, dice=dice)
    for each in record.told:
        yield replace(beside, seat=each.seat, kind="told", text=each.text)
    for event in record.events:
        kind, text, why, rules = event_line(event)
        yield replace(beside, kind=kind, text=text, why=why, rules=rules, event=event)
    if record.over is not None:
        yield replace(beside, seat="", kind="over", text=record.over.text, rules=())


def settled(ask: Roll, earlier: tuple[int, ...] | None, value: object, *, reroll: bool) -> object:
    """Return the answer that counts for a roll: dice once thrown stand, whoever asks for them again.

    ``earlier``: what was thrown for it before (one number: the sum). ``reroll``: the judge has them thrown again.
    Raises NotNow (``thrown``, ``nothing-stands``).
    """
    if reroll:
        if earlier is None:
            raise NotNow("nothing-stands", "There is no earlier throw; answer without a re-roll")
        return value
    if earlier is None:
        return value
    total = sum(earlier)
    summed = ask.total and ask.dice > 1 and len(earlier) == 1
    faces = tuple(value) if isinstance(value, (list, tuple)) else value
    if faces == earlier or (ask.total and type(faces) is int and faces == total):
        return total if summed else earlier
    shown = f"a total of {total}" if summed else " ".join(str(face) for face in earlier)
    raise NotNow("thrown", f"{shown} was rolled here; only the judge can re-roll")
