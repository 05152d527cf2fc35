"""A game carried away in a file is read as it was written; what was changed in it is named."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalDamaged, Malformed, Refused, UnknownGame
from referee.journal import Journal
from referee.journal.export import FORMAT, Export, export, plain_log, read, replay
from referee.journal.proof import verify
from referee.rulebook import Book
from referee.session import Entry, Session
from referee.session.chain import canonical, digest
from tests.journal.reader import check
from tests.session.skirmish import BOOK


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal with a game that was put away: a start, a bundle, a throw, a pass."""
    path = memory / "journal.db"
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal, wall=lambda: 1_700_000_000.25)
        session.bundle("both-near")
        session.answer([5, 4])
        session.answer("pass")
        session.leave()
    return path


@pytest.fixture
def written(path: Path) -> list[dict[str, Any]]:
    with Journal(path, write=False) as journal:
        return [json.loads(line) for line in export(journal, 1)]


def read_back(records: list[dict[str, Any]]) -> Export:
    return read(io.BytesIO("".join(canonical(record) + "\n" for record in records).encode()))


def shelf(name: str) -> Book:
    if name != BOOK.id:
        raise UnknownGame(name)
    return BOOK


def test_what_is_read_is_the_game(path: Path, written: list[dict[str, Any]]) -> None:
    exported = read_back(written)
    with Journal(path, write=False) as journal:
        entries = journal.entries(1)
    assert (exported.game, exported.book) == (1, BOOK.id)
    assert list(exported.entries) == entries
    session = replay(exported, shelf)
    assert [entry.answer for entry in session.entries] == [entry.answer for entry in entries]


CHANGES: dict[str, tuple[Callable[[list[dict[str, Any]]], object], type[Exception], str]] = {
    "another kind of file": (
        lambda r: r[0].update(type="entry"),
        Malformed,
        f"line 1: expected an export of format {FORMAT}",
    ),
    "format 0": (lambda r: r[0].update(format=0), Malformed, f"expected an export of format {FORMAT}"),
    "a later format": (lambda r: r[0].update(format=FORMAT + 1), Malformed, "expected an export of format"),
    "a format of truth": (lambda r: r[0].update(format=True), Malformed, "expected an export of format"),
    "no number": (lambda r: r[0].update(game="1"), Malformed, "line 1: expected the number of the game"),
    "no book": (lambda r: r[0].update(book=None), Malformed, "the id of its book"),
    "no count": (lambda r: r[0].pop("entries"), Malformed, "how many entries follow"),
    "an entry less": (lambda r: r.pop(2), JournalDamaged, "entry 2"),
    "another count": (lambda r: r[0].update(entries=3), JournalDamaged, "game 1: 3 entries were written, 7 are here"),
    "another end": (lambda r: r[0].update(head="0" * 64), JournalDamaged, "names a different last entry"),
    "another edition": (
        lambda r: r[0].update(edition="9"),
        JournalDamaged,
        "the first line says of edition what entry 0",
    ),
    "no settings": (lambda r: r[0].pop("settings"), JournalDamaged, "the first line says of settings what entry 0"),
    "a member more": (
        lambda r: r[3].update(note="x"),
        JournalDamaged,
        "game 1, entry 2: has unknown fields",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_named(written: list[dict[str, Any]], change: str) -> None:
    spoil, error, message = CHANGES[change]
    spoil(written)
    with pytest.raises(error, match=message):
        read_back(written)


def test_an_export_without_entries_and_a_start_that_names_nothing_are_refused(written: list[dict[str, Any]]) -> None:
    head = written[0]
    with pytest.raises(JournalDamaged, match="the first line names a different last entry"):
        read_back([head | {"entries": 0}])
    start = Entry(0, "start", BOOK.edition, answer=[BOOK.id])
    last = digest(1, start, "")
    record = start.as_json() | {"type": "entry", "game": 1, "prev": "", "hash": last}
    with pytest.raises(JournalDamaged, match="the first line says of edition what entry 0 does not"):
        read_back([head | {"entries": 1, "head": last, "edition": "2"}, record])


def test_a_line_that_is_no_object_is_named_by_its_number(written: list[dict[str, Any]]) -> None:
    text = [canonical(record) for record in written]
    text[2] = "[]"
    with pytest.raises(Malformed, match="line 3: "):
        read(io.BytesIO("\n".join(text).encode()))
    with pytest.raises(Malformed, match="line 1: "):
        read(io.BytesIO(b""))


def test_a_game_that_cannot_be_judged_any_more_is_still_told(written: list[dict[str, Any]]) -> None:
    lines = list(plain_log(read_back(written).entries))
    assert lines[1] == '    1  north       turn.menu: "shoot"'
    assert lines[4].startswith("    4  north       shot.dice: [5,4]  ")
    assert lines[4].endswith("Hit")
    assert lines[-1] == "    6              leave: null"


def test_a_few_lines_without_this_project_check_an_export(written: list[dict[str, Any]]) -> None:
    lines = [canonical(record) for record in written]
    assert check(lines) == written[0]["head"]
    for spoilt, named in (
        ([line.replace("[5,4]", "[5,5]") for line in lines], "entry 4 was changed"),
        ([*lines[:3], *lines[4:]], "entry 3 was changed"),
        (lines[:-1], "the end is missing"),
    ):
        with pytest.raises(ValueError, match=named):
            check(spoilt)


def stroke_of(session: Session, chance: random.Random) -> None:
    """Let something happen to a game: an answer, several, counters, a throw that is corrected, or an undo."""
    prompt = session.prompt
    if chance.random() < 0.2 and session.undoable:
        session.undo(chance.randint(1, min(3, session.undoable)))
    elif chance.random() < 0.3 and session.last_throw is not None:
        session.correct_throw([chance.randint(1, 6) for _ in range(2)], right="judge")
    elif prompt is None:
        session.undo()
    elif chance.random() < 0.1:
        session.correct_all({f"hits.{seat}": chance.randint(0, 1) for seat in session.seats()})
    elif prompt.bundles and chance.random() < 0.5:
        session.bundle(chance.choice(prompt.bundles).id)
    elif prompt.kind == "roll":
        session.answer(list(prompt.stands or [chance.randint(1, 6) for _ in range(prompt.dice)]))
    elif prompt.kind == "count":
        session.answer(prompt.low)
    else:
        session.answer(chance.choice(prompt.options).id)


def test_games_played_side_by_side_come_out_the_same(memory: Path) -> None:
    chance = random.Random(11)
    with Journal(memory / "journal.db") as journal:
        sessions = [Session(BOOK, journal=journal) for _ in range(3)]
        for _ in range(300):
            with suppress(Refused):
                stroke_of(chance.choice(sessions), chance)
        strokes = {(each.kind, each.mode, each.group is None) for session in sessions for each in session.entries}
        assert {("answer", "corrected", False), ("answer", "", False), ("correct", "", False)} <= strokes
        assert len(verify(journal)) == 3
        for session in sessions:
            lines = list(export(journal, session.game_id or 0))
            assert check(lines) == journal.head(session.game_id or 0)[1]
            exported = read(io.BytesIO("\n".join(lines).encode()))
            assert replay(exported, shelf).state() == session.state()
