"""The content of a report: rulings by round, counters over time, luck, and turning points."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from referee.errors import BrokenRulebook
from referee.report.luck import Luck, luck
from referee.rulebook import Book, Over, Pool, whole
from referee.session import Entry, LogLine, Session, step_by_step
from referee.session.board import labelled

OUTLOOKS: Final = 200
"""So many rulings at most have their outlook worked out, which takes long."""
TURNS: Final = 3
THE_END: Final = ("The end",)
"""The place of what only ended the game."""
LEAST_CHANGE: Final = Fraction(5, 100)
"""A ruling that changed the chance of every outcome by less is no turn."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How things stood after one stroke.

    ``place``    where in the sequence of play it was made
    ``outlook``  outcome -> its name and its chance from here on; empty where nothing is known of it
    """

    seq: int
    place: tuple[str, ...]
    pools: tuple[Pool, ...]
    outlook: Mapping[str, tuple[str, Fraction]]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A ruling that changed how it would come out: where, and the outcome that changed most, before and after."""

    seq: int
    place: tuple[str, ...]
    headline: str
    outcome: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True, slots=True)
class Story:
    """Everything a report tells.

    ``chapters``  place in the sequence of play -> the lines of the log there, what was taken back left out
    ``battles``   how each battle of a game that names no winner ended: its name, and its last ruling
    ``called``    what people call each seat; ``seats``: with who plays it, too
    ``turns``     None where no two outlooks can be compared
    ``head``      hash of the last entry
    """

    title: str
    edition: str
    began: float
    called: Mapping[str, str]
    seats: Mapping[str, str]
    end: str
    winners: tuple[str, ...]
    chapters: tuple[tuple[tuple[str, ...], tuple[LogLine, ...]], ...]
    battles: tuple[tuple[str, str], ...]
    moments: tuple[Moment, ...]
    luck: tuple[Luck, ...]
    turns: tuple[TurningPoint, ...] | None
    head: str
    entries: int


def tell(book: Book, recorded: Sequence[Entry], head: str, players: Mapping[str, str] | None = None) -> Story:
    """Return the story of a recorded game. Raises as `referee.session.judged_again`.

    ``players``: who plays, by seat; the seats are named after them, too.
    """
    moments: list[Moment] = []
    place: tuple[str, ...] = ()
    left = OUTLOOKS
    for session in step_by_step(book, recorded):
        last, outlook = session.last, None
        if left and session.over is None and isinstance(last.result, dict) and "rulings" in last.result:
            left -= 1
            try:
                outlook = session.outlook()
            except BrokenRulebook:  # no ruling depends on it; it is not tried again
                left = 0
        shares = {each.id: (each.text, each.chance) for each in outlook or ()}
        moments.append(Moment(last.seq, place or session.place, session.pools, shares))
        place = session.place
    lines = [line for line in session.log() if not line.undone and line.kind not in ("void", "pause", "unpause")]
    called = {seat: whole(name) for seat, name in session.seats().items()}
    names = labelled(called, players or {})
    return Story(
        book.title,
        recorded[0].edition,
        recorded[0].wall,
        called,
        names,
        _end(session.over, called, names) if session.over else "",
        tuple(names.get(seat, seat) for seat in (session.over.winners if session.over else ())),
        _chapters(lines, moments),
        _battles(lines, moments) if session.over and not session.over.winners else (),
        tuple(moments),
        _luck(session, names),
        _turns(lines, moments),
        head,
        len(recorded),
    )


def _end(over: Over, called: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Return how it ended, with who plays the seat that it begins with."""
    text = whole(over.text)
    winner = next((seat for seat in over.winners if text.startswith(called[seat])), None)
    return text if winner is None else names[winner] + text.removeprefix(called[winner])


def _chapters(
    lines: Sequence[LogLine], moments: Sequence[Moment]
) -> tuple[tuple[tuple[str, ...], tuple[LogLine, ...]], ...]:
    """Return the lines by the place at which they were made, one after another."""
    seqs = [moment.seq for moment in moments]
    chapters: list[tuple[tuple[str, ...], list[LogLine]]] = []
    for line in lines:
        place = moments[min(bisect_left(seqs, line.seq), len(moments) - 1)].place
        if not chapters or chapters[-1][0] != place:
            chapters.append((place, []))
        chapters[-1][1].append(line)
    last = chapters[-1][1]
    if last[-1].kind == "over" and {(line.seq, line.kind == "ruling") for line in last} == {(last[-1].seq, False)}:
        chapters[-1] = (THE_END, last)  # what would have begun there never did
    return tuple((place, tuple(each)) for place, each in chapters)


def _battles(lines: Sequence[LogLine], moments: Sequence[Moment]) -> tuple[tuple[str, str], ...]:
    """Return the last ruling of each numbered place, where an outlook was known in one of them."""
    names = {moment.seq: whole(moment.place[0]) for moment in moments if moment.place}
    fought = {names[moment.seq].rstrip("0123456789") for moment in moments if moment.outlook}
    battles = {}
    for line in lines:
        name = names.get(line.seq, "")
        if line.kind == "ruling" and name.rstrip("0123456789") in fought - {name}:
            battles[name] = line.text
    return tuple(battles.items())


def _luck(session: Session, names: Mapping[str, str]) -> tuple[Luck, ...]:
    """Return the luck of each seat."""
    faces: dict[str, list[int]] = {}
    for thrown in session.throws():
        if thrown.faces and not thrown.undone:
            faces.setdefault(thrown.seat, []).extend(thrown.faces)
    return tuple(luck(names.get(seat, "Table"), shown) for seat, shown in faces.items())


def _turns(lines: Sequence[LogLine], moments: Sequence[Moment]) -> tuple[TurningPoint, ...] | None:
    """Return the rulings after which the outlook had changed most, in their order; None where none is compared."""
    headlines = {line.seq: line.text for line in lines if line.kind == "ruling"}
    known = [moment for moment in moments if moment.outlook and moment.seq in headlines]
    turns = []
    for one, other in pairwise(known):
        if one.outlook.keys() != other.outlook.keys() or one.place[:1] != other.place[:1]:
            continue  # another battle
        changes = {name: other.outlook[name][1] - one.outlook[name][1] for name in one.outlook}
        name = max(changes, key=lambda each: (abs(changes[each]), each))
        text = other.outlook[name][0]
        before, after = one.outlook[name][1], other.outlook[name][1]
        turns.append(TurningPoint(other.seq, other.place, headlines[other.seq], text, before, after))
    if not turns:
        return None
    large = [turn for turn in turns if abs(turn.after - turn.before) >= LEAST_CHANGE]
    largest = sorted(large, key=lambda turn: (-abs(turn.after - turn.before), turn.seq))[:TURNS]
    return tuple(sorted(largest, key=lambda turn: turn.seq))
