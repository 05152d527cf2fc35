"""Everything that can be wrong with a journal's files: told in one clear line, nothing lost, nothing half done."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli import main
from referee.errors import JournalBusy, JournalError
from referee.journal import Journal, database, lock
from referee.session import Session, resume
from referee.station.virtual.bench import Bench
from tests.session.skirmish import BOOK


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal with an open game of five entries."""
    path = memory / "state" / "journal.db"
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        session.bundle("both-near")
        session.answer([1, 2])
    return path


def _later(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 9")
    other.close()


def _flip(path: Path) -> None:
    data = path.read_bytes()
    at = data.index(b"shot.dice")
    path.write_bytes(data[:at] + b"r" + data[at + 1 :])


def _cut_to(size: int) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, size)


FAULTS: dict[str, tuple[Callable[[Path], object], int, str]] = {
    "missing": (Path.unlink, 74, "is missing, but it had games: put it back, or remove journal.db.lock"),
    "emptied": (_cut_to(0), 74, "is empty, but it had games"),
    "truncated": (_cut_to(8192), 1, "malformed"),
    "noise": (lambda path: path.write_bytes(b"\xa5" * 20000), 1, "not a database"),
    "one bit": (_flip, 1, "game 1, entry 4: was changed"),
    "a later version": (_later, 74, "written by another release: expected version 1, got 9"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_file_is_named_in_one_line_and_left_alone(
    path: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, code, message = FAULTS[fault]
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    assert main(["verify", "--journal", str(path)]) == code
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("referee: ")
    assert output.err.count("\n") == 1
    with pytest.raises(JournalError, match=message), Journal(path) as journal:
        resume(BOOK, journal, 1)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_files_taken_away_are_noticed_at_the_next_press(path: Path, memory: Path) -> None:
    aside = memory / "aside"
    with Journal(path) as store:
        session = resume(BOOK, store, 1)
        for removed in (path, path.with_name("journal.db-wal"), path.parent):
            before = session.n, session.prompt, session.entries
            removed.rename(aside)
            with pytest.raises(JournalError, match="was removed while it was in use: No such file"):
                session.answer("pass")
            assert (session.n, session.prompt, session.entries) == before
            aside.rename(removed)
            session.answer("pass")
        shutil.copy(path, aside)
        aside.replace(path)
        with pytest.raises(JournalError, match="replaced by another file"):
            session.answer("pass")


def test_another_program_that_holds_the_file_is_waited_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.02)
    with Journal(path) as store:
        session = resume(BOOK, store, 1)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        before = session.n, session.prompt, session.entries
        strokes: tuple[Callable[[], object], ...] = (
            lambda: session.answer("pass"), lambda: session.bundle("both-near"), session.undo
        )  # fmt: skip
        for stroke in strokes:
            with pytest.raises(JournalBusy, match=r"journal\.db: database is locked"):
                stroke()
            assert (session.n, session.prompt, session.entries) == before
        other.execute("ROLLBACK")
        other.close()
        session.bundle("both-near")
        assert tuple(store.entries(1)) == session.entries


def test_a_journal_with_two_names_is_refused_by_either(path: Path) -> None:
    twin = path.with_name("twin.db")
    with Journal(path) as store:
        session = resume(BOOK, store, 1)
        twin.hardlink_to(path)
        with pytest.raises(JournalError, match=r"twin\.db has 2 names \(hard links\)"):
            Journal(twin)
        session.answer("pass")
    before = path.read_bytes()
    for name in (path, twin):
        with pytest.raises(JournalError, match="two stations could write it at once: remove the others"):
            Journal(name)
        with Journal(name, write=False) as read:
            assert read.games()[0].entries == 6
    assert path.read_bytes() == before
    twin.unlink()
    with Journal(path) as store:
        assert resume(BOOK, store, 1).n == 6


def test_a_file_system_without_shared_memory_is_told(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    # This one of SQLite's ways to a file shares no memory, like some network drives.
    monkeypatch.setattr(sqlite3, "connect", lambda name, **how: connect(f"{name}&vfs=unix-none", **how))
    path = memory / "journal.db"
    with pytest.raises(JournalError, match=r"does not support a write-ahead log \(mode 'delete'\)"):
        Journal(path)
    monkeypatch.undo()
    with Journal(path) as journal:
        assert journal.games() == []


class Full(io.FileIO):
    """A file on a full disk that reads as empty."""

    def read(self, size: int | None = -1, /) -> bytes:
        del size
        return b""


def test_a_full_disk_keeps_the_mark_that_a_journal_was_made(path: Path) -> None:
    message = f"^{path} cannot be written: No space left on device$"
    with Full("/dev/full", "r+") as full, pytest.raises(JournalError, match=message):
        lock.mark(full, path)


def test_the_mark_is_on_the_disk_before_anything_is_accepted(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    sync = os.fsync

    def watched(file: int) -> None:
        synced.append(os.fstat(file).st_ino)
        sync(file)

    monkeypatch.setattr(os, "fsync", watched)
    Journal(memory / "journal.db").close()
    assert (memory / "journal.db.lock").stat().st_ino in synced


# -- what the table sees


def test_a_journal_that_cannot_be_read_stops_no_station(memory: Path) -> None:
    with Bench(memory / "journal.db") as bench:
        bench.wait(1)
        bench.journal.close()
        with sqlite3.connect(memory / "journal.db") as db:
            db.execute("DROP TABLE games")
        assert isinstance(bench.journal._db, database.Database)
        bench.journal._db.connection = db
        bench.key("1")
        assert "table: games" in bench.view.speech().spoken
        bench.key("select")
        bench.wait(1)
        assert "which game?" in bench.view.speech().spoken
        assert bench.misfits == []
