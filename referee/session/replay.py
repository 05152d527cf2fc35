"""Judging a recorded game again: every entry is given to a fresh session and what comes out is compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from referee.errors import BadSetting, Diverged, JournalDamaged, OtherEdition, RefereeError, UnknownRuling
from referee.rulebook import Book
from referee.session.entries import Archive, Entry, Recorder
from referee.session.extra import Origin, origins_of
from referee.session.session import Former, Session


def resume(book: Book, journal: Archive, game: int, *, wall: Callable[[], float] = lambda: 0.0) -> Session:
    """Take a recorded game up again, at the same question with the same number.

    Every entry is judged again and compared; what is accepted from then on is written to the journal. Raises
    JournalDamaged if the record does not hold, Diverged naming the first entry that comes out otherwise, OtherEdition
    if none does but what follows might, JournalError.
    """
    session = _judged_again(book, list(journal.entries(game)), journal, game, wall)
    same_edition(book, session)
    return session


def judged_again(book: Book, recorded: Sequence[Entry]) -> Session:
    """Return a session that stands where the record ends, with the entries as recorded; it writes nowhere.

    Raises Diverged naming the first entry that comes out otherwise, JournalDamaged if it is no record of this book.
    """
    return _judged_again(book, recorded, None, 0, lambda: 0.0)


def _judged_again(
    book: Book, recorded: Sequence[Entry], journal: Recorder | None, game: int, wall: Callable[[], float]
) -> Session:
    if not recorded or recorded[0].kind != "start" or not isinstance(recorded[0].answer, dict):
        raise JournalDamaged("a game begins with a start entry")
    start = recorded[0].answer
    if start.get("book") != book.id:
        raise JournalDamaged(f"this is a game of {start.get('book')!r}, not of {book.id!r}")
    compared = _Compared(recorded, book, journal, game)
    repeat = bool(start.get("repeat"))
    try:
        session = Session(book, _settings(start), start.get("ruling"), journal=compared, repeat=repeat, wall=wall)
    except (BadSetting, UnknownRuling) as fault:
        raise Diverged(f"{compared.where(0)} the game cannot be started: {fault}") from fault
    for stroke in _strokes(recorded[1:]):
        try:
            _repeat(session, stroke)
        except (Diverged, JournalDamaged):
            raise
        except RefereeError as fault:
            asked = session.prompt.ask if session.prompt else "nothing: the game is over"
            had = f"{compared.where(session.n)} was accepted with {_short(stroke[0].answer)} and is now refused"
            raise Diverged(f"{had}, where {asked} is asked: {fault}") from fault
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            raise JournalDamaged(
                f"entry {stroke[0].seq} ({stroke[0].kind}) is not a valid entry of its kind"
            ) from fault
    session.take_over(recorded)
    return session


def same_edition(book: Book, session: Session) -> None:
    """Raise OtherEdition if a game that is not over was begun, or went on, under another edition than this book's.

    At a desk of single rulings nothing is at stake: the next ruling has nothing to do with those before.
    """
    other = next((entry for entry in session.entries if entry.edition != book.edition), None)
    if other is not None and session.over is None and session.ruling is None:
        raise OtherEdition(
            f"it was begun under edition {other.edition}, but edition {book.edition} is installed:"
            f" its {session.n} entries are judged the same, but later ones may not be"
        )


class _Compared:
    """A recorder that compares what it is given with what has been recorded, and passes on what comes after that."""

    def __init__(self, recorded: Sequence[Entry], book: Book, journal: Recorder | None, game: int) -> None:
        self._recorded = recorded
        self._edition = book.edition
        self._renamed = book.renamed
        self._journal = journal
        self._game = game
        self._seen = 0

    def begin(self, book: str, start: Entry) -> int:
        """Compare the start; ``book`` has been compared before."""
        del book
        self._compare(start)
        return self._game

    def append(self, game: int, entries: Sequence[Entry], *, seal: bool = False) -> None:
        """Compare entries of one stroke; write it once all that was recorded has been compared."""
        if self._seen == len(self._recorded):
            if self._journal is not None:
                self._journal.append(game, entries, seal=seal)
            return
        for entry in entries:
            self._compare(entry)

    def where(self, seq: int) -> str:
        """Return the words that name an entry, with its edition where that is another one."""
        entry = self._recorded[min(seq, len(self._recorded) - 1)]
        named = f"entry {entry.seq} ({entry.ask or entry.kind})"
        other = entry.edition != self._edition
        return f"{named}, judged by edition {entry.edition} and now by {self._edition}," if other else named

    def _compare(self, entry: Entry) -> None:
        if entry.seq >= len(self._recorded):
            raise JournalDamaged(f"entry {entry.seq} is missing from its stroke")
        before = _meaning(self._recorded[entry.seq])
        before["ask"] = self._renamed.get(before["ask"], before["ask"])
        for name, now in _meaning(entry).items():
            if before[name] != now:
                where = self.where(entry.seq)
                raise Diverged(f"{where} had {name} {_short(before[name])} and now has {_short(now)}")
        self._seen = entry.seq + 1


def _meaning(entry: Entry) -> dict[str, Any]:
    """What must come out the same; words for people and times may differ."""
    result = entry.result if isinstance(entry.result, dict) else {}
    answer = entry.answer
    if entry.kind == "start" and isinstance(answer, dict):
        # The settings were taken from the record; a switch that is new or has another name changes no game by itself.
        answer = {name: answer.get(name) for name in ("book", "ruling", "repeat")}
    return {
        "kind": entry.kind,
        "ask": entry.ask,
        "seat": entry.seat,
        "answer": answer,
        "mode": entry.mode,
        "group": entry.group,
        "corrected": entry.extra.get("corrected"),
        "rulings": [r.get("result") for r in result.get("rulings", ())],
        "end": result.get("over"),
    }


def _strokes(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    for _, stroke in groupby(entries, key=lambda entry: entry.seq if entry.group is None else entry.group):
        yield list(stroke)


def _repeat(session: Session, stroke: list[Entry]) -> None:
    first = stroke[0]
    source, by = first.source, first.by or None
    if first.kind == "void" and len(stroke) == 2:
        new = stroke[1]
        right, origins = new.extra["corrected"]["by"], _origins(new)
        session.correct_throw(new.answer, right=right, seat=new.by or None, origins=origins, source=source)
    elif first.kind == "answer" and first.group is not None:
        answers = [_answer(session.book, entry) for entry in stroke]
        session.sequence(answers, source=source)  # whose button: as it was recorded
    elif first.kind == "answer":
        override, reroll = first.mode == "override", first.mode == "reroll"
        answer = _answer(session.book, first)
        seat = None if isinstance(answer, Former) else by
        session.answer(answer, seat=seat, override=override, reroll=reroll, origins=_origins(first), source=source)
    elif first.kind == "correct":
        session.correct_all({entry.answer["path"]: entry.answer["value"] for entry in stroke}, source=source)
    elif first.kind == "concede":
        session.concede(first.seat, source=source)
    elif first.kind == "void":
        session.undo(session.steps_back_to(min(first.answer)), source=source)
    elif first.kind in ("pause", "unpause", "leave"):
        {"pause": session.pause, "unpause": session.unpause, "leave": session.leave}[first.kind](source=source)
    else:
        raise JournalDamaged(f"entry {first.seq} is a {first.kind}, which cannot stand in the middle of a game")


def _origins(entry: Entry) -> tuple[Origin, ...]:
    faces = len(entry.answer) if isinstance(entry.answer, list) else 0
    return origins_of(entry.source, faces, entry.extra) if "faces" in entry.extra else ()


def _answer(book: Book, entry: Entry) -> Any:
    """Return the answer to give again; one that was the only one of its question may find it not asked any more."""
    return Former(entry) if entry.ask in book.dropped and book.dropped[entry.ask] == entry.answer else entry.answer


def _settings(start: Mapping[str, Any]) -> dict[str, Any]:
    settings = start.get("settings")
    if not isinstance(settings, dict) or not isinstance(start.get("ruling"), (str, type(None))):
        raise JournalDamaged("the start entry names no settings or no ruling")
    return settings


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
