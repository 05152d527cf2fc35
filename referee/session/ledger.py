"""The ledger of a session: what was accepted, what of it still counts, and what is remembered from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rulebook import BACK, Event, Over
from referee.session.entries import Entry
from referee.session.log import LogLine, event_line, faces_by_source
from referee.session.run import Position

Faces = tuple[int, ...]
Throw = tuple[Any, ...]
"""What names a roll: the same place in the sequence of play gives the same name."""


@dataclass(slots=True)
class Draft:
    """An entry in the making, with what only this process needs to know of it.

    ``throw``   a roll: its name and the faces that were thrown for it (one number: their sum)
    ``rolled``  the faces that count in the statistics
    """

    kind: str
    text: str
    ask: str = ""
    rule: str = ""
    seat: str = ""
    by: str = ""
    answer: Any = None
    mode: str = ""
    events: Sequence[Event] = ()
    over: Over | None = None
    throw: tuple[Throw, Faces] | None = None
    rolled: Faces = ()


@dataclass(slots=True)
class _Kept:
    entry: Entry
    draft: Draft
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """What one undo takes back: some entries, and the position before them."""

    before: Position
    entries: tuple[int, ...]


class Ledger:
    """Everything a session has accepted, in order. Nothing is taken out of it; voided entries are marked.

    ``strokes``  what can be taken back, oldest first
    """

    def __init__(self) -> None:
        self._kept: list[_Kept] = []
        self.strokes: list[Stroke] = []
        self._throws: dict[Throw, Faces] = {}
        self._last: dict[tuple[str, str], list[Any]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in order."""
        return tuple(kept.entry for kept in self._kept)

    @property
    def latest(self) -> tuple[Event, ...]:
        """Rulings and reminders of the stroke that was added last; pauses and departures do not count."""
        switches = ("pause", "unpause", "leave")
        last = next((kept for kept in reversed(self._kept) if kept.entry.kind not in switches), None)
        if last is None:
            return ()
        first = last.entry.seq if last.entry.group is None else last.entry.group
        return tuple(event for kept in self._kept[first : last.entry.seq + 1] for event in kept.draft.events)

    def add(self, entries: Sequence[Entry], drafts: Sequence[Draft]) -> None:
        """Take note of entries that are durable."""
        self._kept += [_Kept(entry, draft) for entry, draft in zip(entries, drafts, strict=True)]

    def add_stroke(self, before: Position, entries: Sequence[Entry]) -> None:
        """Say that the entries added last are taken back together, and remember what was answered and thrown."""
        self.strokes.append(Stroke(before, tuple(entry.seq for entry in entries)))
        for draft in (self._kept[entry.seq].draft for entry in entries):
            if draft.throw is not None:
                self._throws[draft.throw[0]] = draft.throw[1]
            if _is_choice(draft):
                self._last.setdefault((draft.ask, draft.seat), []).append(draft.answer)

    def void(self, strokes: Sequence[Stroke]) -> None:
        """Mark the latest strokes as taken back. What was thrown stays thrown."""
        del self.strokes[-len(strokes) :]
        for seq in (seq for stroke in strokes for seq in stroke.entries):
            kept = self._kept[seq]
            kept.undone = True
            if _is_choice(kept.draft):
                self._last[kept.draft.ask, kept.draft.seat].pop()

    def take_over(self, recorded: Sequence[Entry]) -> None:
        """Hold the entries as they were recorded, with their times and editions."""
        for kept, entry in zip(self._kept, recorded, strict=True):
            kept.entry = entry

    def text(self, seq: int) -> str:
        """Return the words for an entry."""
        return self._kept[seq].draft.text

    def stands(self, throw: Throw | None) -> Faces | None:
        """Return the faces thrown for that roll before, taken back or not; None if there are none."""
        return None if throw is None else self._throws.get(throw)

    def last_answer(self, ask: str, seat: str | None) -> Any:
        """Return the latest answer that counts to that question by that seat (None: by anybody), else None."""
        if seat is not None:
            answer = self._last.get((ask, seat))
            return answer[-1] if answer else None
        for kept in reversed(self._kept):
            if kept.draft.ask == ask and not kept.undone and _is_choice(kept.draft):
                return kept.draft.answer
        return None

    def dice(self) -> dict[str, tuple[int, ...]]:
        """Return how often each face 1 to 6 fell in the throws that count, by where the dice came from."""
        counting = (k for k in self._kept if k.draft.rolled and not k.undone)
        return faces_by_source((k.entry.source, k.draft.rolled) for k in counting)

    def log(self, newest: int | None) -> list[LogLine]:
        """Return the newest lines of the log (None: all), oldest first."""
        lines: list[LogLine] = []
        for kept in reversed(self._kept):
            lines += reversed(list(_lines(kept)))
            if newest is not None and len(lines) >= newest:
                break
        return lines[:newest][::-1]


def _is_choice(draft: Draft) -> bool:
    return draft.kind == "answer" and draft.answer != BACK


def _lines(kept: _Kept) -> Iterator[LogLine]:
    entry, draft = kept.entry, kept.draft

    def line(seat: str, kind: str, text: str, why: tuple[str, ...], rules: tuple[str, ...]) -> LogLine:
        mode = entry.mode if kind == entry.kind else ""
        return LogLine(entry.seq, seat, kind, text, why, rules, kept.undone, mode, entry.source, entry.at, entry.wall)

    yield line(entry.seat, entry.kind, draft.text, (), (entry.rule,) if entry.rule else ())
    for event in draft.events:
        yield line(entry.seat, *event_line(event))
    if draft.over is not None:
        yield line("", "over", draft.over.text, (), ())
