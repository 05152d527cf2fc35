"""The journal: durable before it returns, one writer, never changed, and any damage told by its name."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalBusy, JournalDamaged, JournalError
from referee.journal import Journal
from referee.journal.check import verify
from referee.session import Session, Submission, resume
from tests.journal.reference import tampered
from tests.session.skirmish import BOOK


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


def played(journal: Journal) -> Session:
    session = Session(BOOK, journal=journal, source="keys", at=1.5, wall=lambda: 1_700_000_000.25)
    session.bundle(Submission("both-near", source="keys", at=2.5))
    session.answer(Submission([6, 6], source="tray", at=3.5))
    session.undo()
    session.answer(Submission([2, 1], mode="reroll", source="judge"))
    session.correct("hits.south", 2)
    return session


def test_game_goes_on_where_it_was(path: Path) -> None:
    with Journal(path) as journal:
        first = played(journal).entries
    with Journal(path) as journal:
        session = resume(BOOK, journal, 1)
        session.undo(2)
        assert session.prompt is not None
        assert session.prompt.stands == (2, 1)
        session.answer([2, 1])
        assert journal.entries(1)[: len(first)] == list(first)
        assert [proof.game.entries for proof in verify(journal)] == [len(first) + 2]


def test_second_station_is_told_and_readers_are_welcome(path: Path) -> None:
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        with pytest.raises(JournalBusy, match="another station"):
            Journal(path)
        with Journal(path, write=False) as reader:
            session.answer("pass")
            assert tuple(reader.entries(1)) == session.entries
            with pytest.raises(JournalError, match="readonly"):
                Session(BOOK, journal=reader)
    Journal(path).close()


COPIED = (
    "game, seq, kind, edition, ask, rule, 'south', by, answer, mode, \"group\","
    " source, at, wall, result, extra, prev, hash"
)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET seat = 'south'",
        "UPDATE games SET book = 'chess'",
        "DELETE FROM entries",
        "DELETE FROM games",
        "INSERT OR REPLACE INTO games SELECT game, 'chess', edition, ruling, began FROM games",
        f"INSERT OR REPLACE INTO entries SELECT {COPIED} FROM entries",
    ],
)
def test_nothing_is_ever_changed(path: Path, statement: str) -> None:
    with Journal(path) as journal:
        played(journal)
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        other.execute(statement)
    other.close()
    with Journal(path, write=False) as journal:
        assert len(verify(journal)) == 1


def test_entry_that_does_not_follow_is_refused(path: Path) -> None:
    with Journal(path) as journal:
        session = played(journal)
        other = resume(BOOK, journal, 1)
        session.answer("pass")
        with pytest.raises(JournalError, match="stands at entry 8, so 8 cannot follow"):
            other.answer("pass")
        with pytest.raises(JournalError, match="no game 7"):
            journal.append(7, session.entries[:1])
        with pytest.raises(JournalError, match="no game 7"):
            journal.entries(7)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE entries SET answer = '[6,5]' WHERE seq = 4", "entry 4: was changed"),
        ("UPDATE entries SET wall = wall + 1 WHERE seq = 2", "entry 2: was changed"),
        ("UPDATE entries SET answer = '[6, 6]' WHERE seq = 4", "entry 4: its answer is not JSON as it was written"),
        ("UPDATE entries SET result = '{' WHERE seq = 4", "entry 4: its result is not JSON"),
        ("UPDATE entries SET hash = 'ff' WHERE seq = 3", "entry 3: was changed"),
        ("UPDATE entries SET prev = 'ff' WHERE seq = 3", "entry 3: does not follow entry 2"),
        ("UPDATE entries SET kind = 'wish' WHERE seq = 3", "entry 3: kind: expected one of"),
        ("DELETE FROM entries WHERE seq = 3", "entry 3: is missing; entry 4 is in its place"),
        ("DELETE FROM entries", "entry 0: is missing"),
        ("UPDATE games SET book = 'chess'", "game 1 is listed with another game"),
        ("DELETE FROM games", "game 1, entry 0: belongs to no listed game"),
        ("DELETE FROM entries WHERE game = 2; DELETE FROM games WHERE game = 2", "game 2: is missing"),
        ("CREATE TABLE guests (name TEXT)", "the tables are not those of"),
    ],
)
def test_first_damaged_entry_is_named(path: Path, statement: str, message: str) -> None:
    with Journal(path) as journal:
        for _ in range(3):
            played(journal)
    tampered(path, *statement.split(";"))
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged, match=message):
        verify(journal)


def test_what_is_no_journal_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name)")
    other.close()
    with pytest.raises(JournalError, match="not a referee journal"):
        Journal(path)
    with pytest.raises(JournalError, match="there is no journal"):
        Journal(path.with_name("absent.db"), write=False)
    (path.parent / "folder.db").mkdir()
    with pytest.raises(JournalError, match="unable to open"):
        Journal(path.parent / "folder.db")
    with pytest.raises(JournalError):
        Journal(path / "below" / "a.db")


def test_journal_on_a_read_only_medium_is_read() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with Journal(path) as journal:
            session = played(journal)
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        root = os.geteuid() == 0  # whom no mode keeps out
        if root:
            os.seteuid(65534)
        try:
            with Journal(path, write=False) as journal:
                assert tuple(journal.entries(1)) == session.entries
            with pytest.raises(JournalError, match=r"cannot be written|readonly database"):
                Journal(path)
        finally:
            if root:
                os.seteuid(0)
            Path(folder).chmod(0o755)


KILLED = """
import sys
from referee.journal import Journal
from referee.session import Session
from tests.session.skirmish import BOOK
journal = Journal(sys.argv[1])
session = Session(BOOK, journal=journal)
print(session.n, flush=True)
while True:
    session.bundle("both-near")
    print(session.n, flush=True)
    session.answer([1, 1])
    print(session.n, flush=True)
"""


def test_power_cut_loses_nothing_that_was_accepted(path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    seen = [int(child.stdout.readline()) for _ in range(25)]
    child.kill()
    child.wait()
    seen += [int(line) for line in child.stdout.read().splitlines() if line.strip()]
    child.stdout.close()
    with Journal(path) as journal:
        session = resume(BOOK, journal, 1)
        assert session.n >= seen[-1]
        expected = {0: "turn.menu", 3: "shot.dice"}[(session.n - 1) % 4]
        assert session.prompt is not None
        assert (session.prompt.ask, session.prompt.n) == (expected, session.n)
        session.undo()
        verify(journal)


def test_a_reader_sees_all_of_a_stroke_or_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(path) as journal, Journal(path, write=False) as reader:
        session = Session(BOOK, journal=journal)
        seen: list[int] = []
        insert = journal._insert

        def watched(*args: Any) -> Any:
            result = insert(*args)
            seen.append(len(reader.entries(1)))
            return result

        monkeypatch.setattr(journal, "_insert", watched)
        session.bundle("both-near")
        assert seen == [1]
        assert len(reader.entries(1)) == 4


def test_unfinished_games_are_listed_newest_first(tmp_path: Path) -> None:
    with Journal(tmp_path / "many.db") as journal:
        for number in range(12):
            session = Session(BOOK, journal=journal)
            if number % 3 == 0:
                session.concede("north")
            elif number % 3 == 1:
                session.leave()
            else:
                session.concede("south")
                session.undo()
        Session(BOOK, {}, "shot", journal=journal)
        assert [row.game for row in journal.unfinished(5)] == [12, 11, 9, 8, 6]
        assert journal.game(7) == journal.games()[6]
        latest = journal.latest("skirmish", only_open=True)
        assert latest is not None
        assert latest.game == 13
        assert journal.latest("another") is None
        with pytest.raises(JournalError, match="no game 99"):
            journal.game(99)
