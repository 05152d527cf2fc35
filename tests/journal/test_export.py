"""A game carried away in a file is read as it was written; what was changed in it is named."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalDamaged, JournalError, Malformed, UnknownGame
from referee.journal import Journal
from referee.journal.chain import canonical, digest
from referee.journal.export import FORMAT, Export, export, plain_log, read, replay
from referee.rulebook import Book
from referee.session import Entry, Session
from tests.journal import old
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
        entries, seals = journal.entries(1), journal.seals(1)
    assert (exported.game, exported.book) == (1, BOOK.id)
    assert list(exported.entries) == entries
    assert list(exported.seals) == seals
    assert len(seals) >= 2
    session = replay(exported, shelf)
    assert [entry.answer for entry in session.entries] == [entry.answer for entry in entries]


def test_a_game_that_is_not_there_is_not_exported(path: Path) -> None:
    with Journal(path, write=False) as journal, pytest.raises(JournalError, match="there is no game 2"):
        list(export(journal, 2))


def seals(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["type"] == "seal"]


CHANGES: dict[str, tuple[Callable[[list[dict[str, Any]]], object], type[Exception], str]] = {
    "another kind of file": (
        lambda r: r[0].update(type="entry"),
        Malformed,
        f"line 1: expected an export of format 1 to {FORMAT}",
    ),
    "format 0": (lambda r: r[0].update(format=0), Malformed, f"expected an export of format 1 to {FORMAT}"),
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
    "a seal less": (
        lambda r: r.remove(seals(r)[0]),
        JournalDamaged,
        r"game 1: (\d) seals were written, (?!\1)\d are here",
    ),
    "seals that were not announced": (
        lambda r: r[0].pop("seals"),
        JournalDamaged,
        r"game 1: 0 seals were written, \d are here",
    ),
    "a seal of another game": (
        lambda r: seals(r)[0].update(game=2),
        JournalDamaged,
        "a seal that names no entry of this game",
    ),
    "a seal of no entry": (lambda r: seals(r)[0].update(seq="0"), JournalDamaged, "a seal that names no entry"),
    "a seal of an entry to come": (
        lambda r: seals(r)[0].update(seq=70),
        JournalDamaged,
        "seal of entry 70: there is no such entry",
    ),
    "a seal without a key": (lambda r: seals(r)[0].update(key=3), JournalDamaged, "no key or no signature"),
    "a seal without a signature": (lambda r: seals(r)[0].pop("signature"), JournalDamaged, "no key or no signature"),
    "a seal that does not fit": (
        lambda r: seals(r)[0].update(signature=seals(r)[1]["signature"]),
        JournalDamaged,
        "does not match",
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
        read_back([head | {"entries": 1, "seals": 0, "head": last, "edition": "2"}, record])


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


def test_an_export_of_the_first_format_which_had_no_seals_is_read() -> None:
    head, *rest = (json.loads(line) for line in old.GAME.read_text(encoding="ascii").splitlines())
    del head["seals"]
    entries = [record for record in rest if record["type"] == "entry"]
    exported = read_back([head | {"format": 1}, *entries])
    assert (len(exported.entries), exported.seals) == (len(entries), ())
