"""What a session has accepted, and what of it still counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from referee.errors import NotNow
from referee.rulebook import BACK, Event, Over, Roll, Ruling, phrase
from referee.session.entries import Entry, withheld_after
from referee.session.extra import Origin, Unused, in_words, origins_of, unused_of
from referee.session.log import LogLine, asked, event_line
from referee.session.prompt import Prompt
from referee.session.run import Position

_MODES = {"": "", "override": " (override: a card says so)", "reroll": " (re-rolled)", "corrected": " (corrected)"}
"""What the log says of the mode of an answer."""

Faces = tuple[int, ...]
Throw = tuple[Any, ...]
"""What names a roll: the same place in the sequence of play gives the same name."""


class RevealedAnswer(NamedTuple):
    """An answer in secret when all are in: whose, to which question, and what in words."""

    seat: str
    ask: str
    answer: Any
    text: str


class RolledFaces(NamedTuple):
    """Dice that were thrown for a roll.

    ``name``    of the roll; ``faces``: what was thrown for it (one number: their sum)
    ``rolled``  the faces, where they are known; ``sides``: how many sides these dice have
    """

    name: Throw
    faces: Faces
    rolled: Faces
    sides: int


@dataclass(slots=True)
class Record:
    """An entry, with what only this process needs to know of it.

    ``words``   what it says in the log, of an answer after its ``question``
    ``place``   where the sequence of play stood before it
    ``events``, ``over``  what followed from it
    ``thrown``  a roll that was answered with faces or their sum
    ``prompt``  a roll that was answered by itself: the question as it was asked
    ``told``    all the answers in secret that are told with it
    ``undone``  whether it was taken back
    """

    entry: Entry
    words: str
    place: tuple[str, ...]
    events: Sequence[Event] = ()
    over: Over | None = None
    thrown: RolledFaces | None = None
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
        return self.thrown.rolled if self.thrown is not None else ()

    @property
    def six_sided(self) -> Faces:
        """The faces of six-sided dice that were thrown, where they are known."""
        return self.thrown.rolled if self.thrown is not None and self.thrown.sides == 6 else ()

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
        before, now = _listed(self.answer), _listed(answer)
        if len(before) != len(now) or len(before) != len(self.origins):
            return not all(origin.by_hand for origin in self.origins)
        pairs = zip(before, now, self.origins, strict=True)
        return any(was != to and not origin.by_hand for was, to, origin in pairs)

    def changes(self, answer: object) -> str:
        """Return in words what becomes of it with this answer in its place: "5→4"."""
        before, now = _listed(self.answer), _listed(answer)
        pairs = zip(before, now, strict=True) if len(before) == len(now) else [(before, now)]
        return ", ".join(f"{_plain(was)}→{_plain(to)}" for was, to in pairs if was != to)

    def mixed(self, answer: object, origins: Sequence[Origin]) -> tuple[Origin, ...]:
        """Return where each face of this answer in its place comes from: one that stays keeps its origin."""
        before, now = _listed(self.answer), _listed(answer)
        if len(before) != len(now) or len(now) != len(origins) or len(before) != len(self.origins):
            return tuple(origins)
        pairs = zip(before, now, self.origins, origins, strict=True)
        return tuple(old if was == to else new for was, to, old, new in pairs)


def _listed(answer: object) -> list[object]:
    return list(answer) if isinstance(answer, (list, tuple)) else [answer]


def _plain(answer: object) -> str:
    if isinstance(answer, Mapping):
        return " ".join(f"{name} {count}" for name, count in answer.items())
    return " ".join(map(str, _listed(answer)))


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
    """What one undo takes back: the numbers of some entries, and the position before them."""

    before: Position
    entries: range


class GameLedger:
    """Everything a session has accepted, in order. Nothing is taken out of it; voided entries are marked.

    ``strokes``  what can be taken back, oldest first
    ``withheld`` number of the first answer in secret that nobody may be told yet, None if there is none
    """

    def __init__(self) -> None:
        self._records: list[Record] = []
        self.strokes: list[Stroke] = []
        self.withheld: int | None = None
        self._throws: dict[Throw, tuple[Faces, tuple[Origin, ...]]] = {}
        self._last: dict[tuple[str, str], list[Any]] = {}

    def __len__(self) -> int:
        return len(self._records)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in order."""
        return tuple(record.entry for record in self._records)

    @property
    def last(self) -> Entry:
        """The newest entry."""
        return self._records[-1].entry

    @property
    def latest(self) -> tuple[Event, ...]:
        """Rulings and reminders of the stroke that was added last; pauses and departures do not count."""
        switches = ("pause", "unpause", "leave")
        last = next((record for record in reversed(self._records) if record.entry.kind not in switches), None)
        if last is None:
            return ()
        first = last.entry.seq if last.entry.group is None else last.entry.group
        return tuple(event for record in self._records[first : last.entry.seq + 1] for event in record.events)

    def rulings(self) -> Iterator[Ruling]:
        """Yield every ruling that counts, the latest first."""
        counting = (record for record in reversed(self._records) if not record.undone)
        events = (event for record in counting for event in reversed(record.events))
        return (event for event in events if isinstance(event, Ruling))

    def add(self, records: Sequence[Record]) -> None:
        """Take note of entries that are durable."""
        self._records += records
        for record in records:
            self.withheld = withheld_after(record.entry, self.withheld)

    def add_stroke(self, before: Position, records: Sequence[Record]) -> None:
        """Say that the entries added last are taken back together, and remember what was answered and thrown."""
        first = records[0].entry.seq
        self.strokes.append(Stroke(before, range(first, first + len(records))))
        for record in records:
            entry = record.entry
            if record.thrown is not None:
                name, faces = record.thrown.name, record.thrown.faces
                self._throws[name] = faces, origins_of(entry.source, len(faces), entry.extra)
            if record.remembered:
                self._last.setdefault((entry.ask, entry.seat), []).append(entry.answer)

    def void(self, strokes: Sequence[Stroke]) -> None:
        """Mark the latest strokes as taken back. What was thrown stays thrown."""
        del self.strokes[-len(strokes) :]
        for seq in (seq for stroke in strokes for seq in stroke.entries):
            record = self._records[seq]
            record.undone = True
            if record.remembered:
                self._last[record.entry.ask, record.entry.seat].pop()

    def take_over(self, recorded: Sequence[Entry]) -> None:
        """Hold the entries as they were recorded, with their times and editions."""
        for record, entry in zip(self._records, recorded, strict=True):
            record.entry = entry

    def events(self, seq: int) -> tuple[Event, ...]:
        """Return what followed from an entry."""
        return tuple(self._records[seq].events)

    def text(self, seq: int) -> str:
        """Return the words for an entry."""
        return self._records[seq].text

    def earlier_faces(self, throw: Throw | None) -> Faces | None:
        """Return the faces thrown for that roll before, taken back or not; None if there are none."""
        return self._throws.get(throw, (None,))[0] if throw is not None else None

    def origins(self, throw: Throw) -> tuple[Origin, ...]:
        """Return where the faces that stand for that roll came from; nothing where none stand."""
        return self._throws[throw][1] if throw in self._throws else ()

    def last_throw(self) -> LastThrow | None:
        """Return the roll answered last; None if anything that counts was accepted after it, or together with it."""
        if not self.strokes:
            return None
        last = self._records[self.strokes[-1].entries[0]]
        entry = last.entry
        if last.prompt is None or entry.answer == BACK:
            return None
        count = len(_listed(entry.answer))
        return LastThrow(last.prompt, entry.answer, origins_of(entry.source, count, entry.extra), entry.seq)

    def last_answer(self, ask: str, seat: str | None) -> Any:
        """Return the latest answer that counts to that question by that seat (None: by anybody), else None."""
        if seat is not None:
            answer = self._last.get((ask, seat))
            return answer[-1] if answer else None
        for record in reversed(self._records):
            if record.entry.ask == ask and not record.undone and record.remembered:
                return record.entry.answer
        return None

    def dice(self) -> tuple[int, ...]:
        """Return how often each face 1 to 6 of six-sided dice fell in the throws that count."""
        fell = Counter(face for each in self._records if not each.undone for face in each.six_sided)
        return tuple(fell[face] for face in range(1, 7))

    def throws(self) -> list[Rolled]:
        """Return the throws of six-sided dice whose faces are known; those that were taken back are marked."""
        return [
            Rolled(each.entry.seat, each.rolled, _origins(each), unused_of(each.entry.extra), each.undone)
            for each in self._records
            if each.six_sided
        ]

    def unchanged(self, before: int) -> int:
        """Return how many of the first ``before`` entries come before any that was taken back after them."""
        voids = (record.entry for record in self._records[before:] if record.entry.kind == "void")
        voided: Iterator[int] = (seq for void in voids for seq in void.answer)
        return min((before, *voided))

    def log(self, newest: int | None, since: int = 0) -> list[LogLine]:
        """Return the newest lines of the log (None: all), oldest first, of the entries from ``since`` on."""
        records = islice(reversed(self._records), len(self._records) - since)
        backwards = (line for record in records for line in reversed([*_lines(record)]))
        return [*islice(backwards, newest)][::-1]


def _origins(record: Record) -> tuple[Origin, ...]:
    """Return where each of the faces came from that count in the statistics."""
    return origins_of(record.entry.source, len(record.rolled), record.entry.extra)


def _dice(record: Record) -> str:
    """Return in words where the faces of a throw came from, and what else dice told for it."""
    faces, unused = record.rolled, unused_of(record.entry.extra)
    return in_words(faces, _origins(record), unused) if faces or unused else ""


def _lines(record: Record) -> Iterator[LogLine]:
    entry = record.entry
    corrects = entry.kind == "void" and entry.group is not None  # the throw that it takes back
    own = "correct" if corrects else entry.kind

    def line(seat: str, kind: str, text: str, why: tuple[str, ...], rules: tuple[str, ...]) -> LogLine:
        times = entry.at, entry.wall
        shared = LogLine(
            entry.seq, seat, kind, text, why, rules, record.undone, "", entry.source, *times, place=record.place
        )
        return replace(shared, mode=entry.mode, by=entry.by, dice=_dice(record)) if kind == own else shared

    rules = (entry.rule,) if entry.rule else ()
    yield line(entry.seat, own, record.text, (), rules)
    for each in record.told:
        yield line(each.seat, "told", each.text, (), rules)
    for event in record.events:
        yield replace(line(entry.seat, *event_line(event)), event=event)
    if record.over is not None:
        yield line("", "over", record.over.text, (), ())


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
