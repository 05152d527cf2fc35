"""Judge a recorded game again: give every entry to a fresh session, and compare the results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from referee.errors import (
    BadSetting,
    BrokenRulebook,
    Diverged,
    JournalDamaged,
    OtherEdition,
    RefereeError,
    UnknownRuling,
)
from referee.rulebook import Book
from referee.session.entries import Archive, Entry, Recorder
from referee.session.extra import Mode, Origin, Submission, origins_of, unused_of
from referee.session.session import Outcome, Session, no_wall_clock

Load: TypeAlias = Callable[[str], Book]
"""Returns the rulebook of a game by its id. Raises UnknownGame."""


def resume(book: Book, journal: Archive, game: int, *, wall: Callable[[], float] = no_wall_clock) -> Session:
    """Take a recorded game up again, at the same question with the same number.

    Every entry is judged again and compared; what is accepted from then on is written to the journal. Raises
    JournalDamaged if the record does not hold, Diverged naming the first entry that comes out otherwise, OtherEdition
    if none does but what follows might, JournalError.
    """
    session = judged_again(book, list(journal.entries(game)), (journal, game), wall)
    same_edition(book, session)
    return session


def judged_again(
    book: Book,
    recorded: Sequence[Entry],
    record: tuple[Recorder, int] | None = None,
    wall: Callable[[], float] = no_wall_clock,
) -> Session:
    """Return a session that stands where the record ends, with the entries as recorded.

    ``record``: where it writes from then on, and the number of the game there; None: nowhere. Raises Diverged naming
    the first entry that comes out otherwise, JournalDamaged if it is no record of this book.
    """
    session = _started(book, recorded, wall)
    for _ in _strokes_again(book, session, recorded[1:]):
        pass
    try:
        session.take_over(recorded, record)
    except BrokenRulebook as fault:
        raise Diverged(f"{_where(recorded[-1], book)} now leads to no question: {fault}") from fault
    return session


def step_by_step(book: Book, recorded: Sequence[Entry]) -> Iterator[Session]:
    """Judge a record again; yield the session as it stood at the start, and after each stroke: always the same one.

    Raises as `judged_again`.
    """
    session = _started(book, recorded, no_wall_clock)
    yield session
    yield from _strokes_again(book, session, recorded[1:])


def given_again(book: Book, recorded: Sequence[Entry]) -> Sequence[Entry]:
    """Give the answers of a record again, whatever came of them then; return the entries that they make now.

    Raises Diverged naming the first that is refused, JournalDamaged if it is no record of this book.
    """
    session = _started(book, recorded, no_wall_clock)
    for _ in _strokes_again(book, session, recorded[1:], compared=False):
        pass
    return session.entries


def _strokes_again(
    book: Book, session: Session, recorded: Sequence[Entry], *, compared: bool = True
) -> Iterator[Session]:
    for _, group in groupby(recorded, key=lambda entry: entry.seq if entry.group is None else entry.group):
        stroke = list(group)
        first = stroke[0]
        try:
            entries = _repeat(session, stroke).entries
        except JournalDamaged:
            raise
        except RefereeError as fault:
            asked = session.prompt.ask if session.prompt else "nothing: the game is over"
            had = f"{_where(first, book)} was accepted with {_short(first.answer)} and is now refused"
            raise Diverged(f"{had}, where {asked} is asked: {fault}") from fault
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            raise JournalDamaged(f"entry {first.seq} ({first.kind}) is not a valid entry of its kind") from fault
        if len(entries) != len(stroke):
            raise JournalDamaged(f"entry {first.seq} begins a stroke of {len(entries)}, not of {len(stroke)}")
        if compared:
            for was, now in zip(stroke, entries, strict=True):
                _compare(was, now, book)
        yield session


def _started(book: Book, recorded: Sequence[Entry], wall: Callable[[], float]) -> Session:
    if not recorded or recorded[0].kind != "start" or not isinstance(recorded[0].answer, dict):
        raise JournalDamaged("a game begins with a start entry")
    entry = recorded[0]
    start = entry.answer
    if start.get("book") != book.id:
        raise JournalDamaged(f"this is a game of {start.get('book')!r}, not of {book.id!r}")
    for name, kinds in {"settings": (dict,), "ruling": (str, type(None)), "repeat": (bool,)}.items():
        if name not in start or not isinstance(start[name], kinds):
            raise JournalDamaged(f"the start entry has no {name}, or one of another kind")
    try:
        session = Session(book, start["settings"], start["ruling"], repeat=start["repeat"], wall=wall)
    except (BadSetting, UnknownRuling) as fault:
        raise Diverged(f"{_where(entry, book)} the game cannot be started: {fault}") from fault
    _compare(entry, session.entries[0], book)
    session.defer_questions()
    return session


def same_edition(book: Book, session: Session) -> None:
    """Raise OtherEdition if a game that is not over was begun, or went on, under another edition than this book's.

    At single rulings nothing is at stake: the next ruling has nothing to do with those before.
    """
    other = next((entry for entry in session.entries if entry.edition != book.edition), None)
    if other is not None and session.over is None and session.ruling is None:
        raise OtherEdition(
            f"it was begun under edition {other.edition}, but edition {book.edition} is installed:"
            f" its {session.n} entries are judged the same, but later ones may not be"
        )


def _where(entry: Entry, book: Book) -> str:
    """Return the words that name an entry, with its edition where that is another one."""
    named = f"entry {entry.seq} ({entry.ask or entry.kind})"
    other = entry.edition != book.edition
    return f"{named}, judged by edition {entry.edition} and now by {book.edition}," if other else named


def _compare(was: Entry, now: Entry, book: Book) -> None:
    before = _meaning(was)
    for name, value in _meaning(now).items():
        if before[name] != value:
            raise Diverged(f"{_where(was, book)} had {name} {_short(before[name])} and now has {_short(value)}")


def _meaning(entry: Entry) -> dict[str, Any]:
    """What must come out the same; words for people and times may differ."""
    result = entry.result if isinstance(entry.result, dict) else {}
    return {
        "kind": entry.kind,
        "ask": entry.ask,
        "seat": entry.seat,
        # A start was taken from the record; a switch that is new or has another name changes no game by itself.
        "answer": entry.answer if entry.kind != "start" else None,
        "mode": entry.mode,
        "group": entry.group,
        "corrected": entry.extra.get("corrected"),
        "secret": ("sealed" in entry.extra, "opened" in entry.extra),
        "rulings": [r.get("result") for r in result.get("rulings", ())],
        "end": result.get("over"),
    }


def _repeat(session: Session, stroke: list[Entry]) -> Outcome:
    first, source = stroke[0], stroke[0].source
    match first.kind:
        case "void" if len(stroke) == 2:
            new = stroke[1]
            given = Submission(new.answer, None, new.by or None, "", _origins(new), unused_of(new.extra), source)
            return session.correct_throw(given, new.extra["corrected"]["by"])
        case "answer" if first.group is not None:  # whose button: as recorded
            return session.sequence(Submission([entry.answer for entry in stroke], source=source))
        case "answer":
            mode: Mode = "override" if first.mode == "override" else "reroll" if first.mode == "reroll" else ""
            by = first.seat if "sealed" in first.extra else first.by or None  # whose question it was
            given = Submission(first.answer, None, by, mode, _origins(first), unused_of(first.extra), source)
            return session.answer(given)
        case "correct":
            values = {entry.answer["path"]: entry.answer["value"] for entry in stroke}
            return session.correct_all(values, source=source)
        case "concede":
            return session.concede(first.seat, source=source)
        case "void":
            return session.undo(session.steps_back_to(min(first.answer)), source=source)
        case "pause" | "unpause" | "leave" as switch:
            done: Outcome = getattr(session, switch)(source=source)
            return done
    raise JournalDamaged(f"entry {first.seq} is a {first.kind}, which cannot stand in the middle of a game")


def _origins(entry: Entry) -> tuple[Origin, ...]:
    """Return where its faces came from; nothing where all came from its own source."""
    return origins_of(entry.source, 0, entry.extra)


def _short(value: object) -> str:
    return f"{json.dumps(value):.80}"
