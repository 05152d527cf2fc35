"""The safe mode at the running station: what the glass says, what the keys can do, and what they cannot."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from referee import games
from referee.files import durable
from referee.journal import Journal
from referee.journal.check import verify
from referee.journal.export import read, replay
from referee.session import Session
from referee.station.safe import rescue, stick
from referee.web.hub import Message
from tests.session.skirmish import BOOK as SKIRMISH
from tests.station.starting.begun import BegunBench

HOME = "1 Why (lit). 2 Try again. 3 Export. 4 Set aside"


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal with an open ruling desk, its second question standing."""
    path = memory / "journal.db"
    with BegunBench(path) as bench:
        bench.key("1", "2", "1")
    return path


def fell(path: Path) -> BegunBench:
    """The start after a fault of the program."""
    return BegunBench(path, IndexError("tuple index out of range"))


def again(bench: BegunBench, *keys: str) -> BegunBench:
    return bench.again(lambda: bench.key(*keys))


def set_aside(bench: BegunBench) -> BegunBench:
    bench.key("4")
    bench.wait(1)
    return bench.again(lambda: bench.hold("select", 1.2))


def pages(bench: BegunBench) -> str:
    """Turn through a page to read; return all of it in one line, without what stands in the band."""
    text: list[str] = []
    for _ in range(40):
        lines = getattr(bench.view, "lines", ())
        if text[-len(lines) :] == list(lines):
            break
        text += lines
        bench.turn(1)
    return " ".join(text)


def recorded(path: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT game, seq, hash FROM entries").fetchall()
    db.close()
    return rows


def test_a_fault_ends_in_a_mode_that_leaves_the_game_alone(path: Path) -> None:
    with BegunBench(path) as bench:
        stood, asked = bench.read_out, bench.console.table.prompt
    assert asked is not None
    before = recorded(path)
    tables: list[Message] = []
    with nullcontext(fell(path)) as bench:
        bench.hub.subscribe(lambda news: tables.extend(each for each in news if each["type"] == "table"))
        assert bench.read_out == "Safe mode. The program failed. The game is saved. any key"
        assert bench.sounds == ["fault"]
        bench.key("select")
        assert bench.read_out == f"Safe mode. fault. {HOME}"
        bench.key("1")
        assert "IndexError: tuple index out of range" in pages(bench)
        bench.key("back")
        for key in ("6", "seat-1", "seat-2", "back"):
            bench.key(key)
        bench.hold("back", 0.6)
        bench.hold("select", 1.2)
        bench.wait(1)
        assert bench.read_out.startswith("Safe mode. fault. 1 Why")
        assert bench.console.table.session is None
        assert tables
        assert all((each["prompt"], each["pools"], each["odds"]) == (None, [], []) for each in tables)
        assert recorded(path) == before
        assert bench.misfits == []
        normal = again(bench, "2")
    with normal as bench:
        assert bench.read_out == stood
        assert bench.console.table.prompt == asked
        bench.key("1")
        bench.wait(1)
        assert len(recorded(path)) == len(before) + 1


def test_a_journal_set_aside_is_kept_whole(path: Path) -> None:
    before = recorded(path)
    bench = fell(path)
    bench.key("select")
    bench = set_aside(bench)
    assert bench.console.table.session is None
    bench.key("1", "2", "1")
    assert bench.console.table.current.game_id == 1
    bench.__exit__()
    assert recorded(path.parent / "aside-1" / path.name) == before
    with Journal(path.parent / "aside-1" / path.name, write=False) as journal:
        assert len(verify(journal)) == 1


def test_the_export_holds_all_that_can_be_read(path: Path) -> None:
    (path.parent / "export-1").write_text("somebody else's")
    with fell(path) as bench:
        bench.key("select", "3")
        assert "export-2" in pages(bench).replace(" ", "")
        bench.key("back", "3")
        assert "export-3" in pages(bench).replace(" ", "")
    folder = path.parent / "export-2"
    assert (path.parent / "export-1").read_text() == "somebody else's"
    assert {each.name for each in folder.iterdir()} >= {"journal.db", "why.txt", "game-1.jsonl"}
    with (folder / "game-1.jsonl").open("rb") as lines:
        assert replay(read(lines), games.load).n == 2
    with Journal(folder / "journal.db", write=False) as copy:
        assert len(verify(copy)) == 1
    assert "The program failed." in (folder / "why.txt").read_text(encoding="utf-8")


def test_an_export_without_room_leaves_nothing_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with fell(path) as bench:
        bench.key("select")

        def full(source: BinaryIO, target: BinaryIO) -> None:
            target.write(b"half")
            raise OSError(28, os.strerror(28))

        monkeypatch.setattr(shutil, "copyfileobj", full)
        bench.key("3")
        assert "the export failed: No space left on device" in bench.read_out.replace(". ", " ")
        assert not (path.parent / "export-1").exists()
        monkeypatch.undo()
        bench.key("select", "3")
        assert (path.parent / "export-1" / "why.txt").exists()
        assert bench.misfits == []


def _aside(path: Path) -> Path:
    return path.with_name("aside")


def _flip(path: Path) -> None:
    data = path.read_bytes()
    at = data.index(b"o-v-o")
    path.write_bytes(data[:at] + b"x" + data[at + 1 :])


def _later(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 9")
    other.close()


def _read_only(path: Path) -> BinaryIO:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))


def test_a_disk_that_is_read_only_at_the_start_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(durable, "shared", _read_only)
        bench = BegunBench(path)
        assert bench.read_out.startswith("Safe mode. The journal is read-only. Nothing was changed.")
    with again(bench, "select", "2") as bench:
        assert bench.console.table.current.n == 2


def test_a_card_that_is_full_at_the_start_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("referee.journal.database.sqlite3.connect", full)
    with BegunBench(path) as bench:
        assert bench.read_out.startswith("Safe mode. The SD card is full. Nothing was changed.")


WRONG: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "gone": (lambda path: path.unlink(), "missing", "The journal is missing."),
    "emptied": (lambda path: os.truncate(path, 0), "missing", "The journal is missing."),
    "truncated": (lambda path: os.truncate(path, 9000), "damaged", "The journal is damaged."),
    "noise": (lambda path: path.write_bytes(b"\xa5" * 9000), "damaged", "The journal is damaged."),
    "one bit": (_flip, "damaged", "The journal is damaged."),
    "newer": (_later, "newer", "The journal is from another release."),
    "linked": (lambda path: path.with_name("twin.db").hardlink_to(path), "journal", "The journal cannot be opened."),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_journal_that_cannot_be_opened_is_said_kept_and_mended(path: Path, fault: str) -> None:
    spoil, name, words = WRONG[fault]
    shutil.copy(path, _aside(path))
    spoil(path)
    before = path.read_bytes() if path.exists() else None
    bench = BegunBench(path)
    assert bench.read_out.startswith(f"Safe mode. {words}")
    bench = again(bench, "select", "2")
    bench.key("select")
    assert bench.read_out.startswith(f"Safe mode. {name}. 1 Why")
    bench.key("3")
    pages(bench)
    bench.key("back")
    if before is not None:
        assert (path.parent / "export-1" / "journal.db").read_bytes() == before
    assert (path.read_bytes() if path.exists() else None) == before
    path.with_name("twin.db").unlink(missing_ok=True)
    _aside(path).replace(path)
    assert bench.misfits == []
    with again(bench, "2") as bench:
        assert bench.console.table.current.n == 2, bench.read_out
        bench.key("1")
        assert bench.console.table.current.n == 3
        assert bench.misfits == []


def test_a_journal_in_use_is_said_and_taken_up_once_it_is_free(path: Path) -> None:
    with Journal(path) as other:
        with BegunBench(path) as bench:
            assert bench.read_out.startswith("Safe mode. Another program uses the journal.")
            bench.key("select", "4")
            bench.wait(1)
            bench.hold("select", 1.2)
            assert "in use by another" in bench.read_out
        bench = BegunBench(path)
        other.close()
    with again(bench, "select", "2") as bench:
        assert bench.console.table.current.n == 2


def test_an_export_goes_to_a_stick_that_can_be_written(path: Path, memory: Path) -> None:
    mounts = memory / "mounts"
    mounts.write_text("/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /media/no\\040such vfat rw 0 0\n")
    assert stick(mounts) is None
    (memory / "stick").mkdir()
    folder = rescue(path, "why", memory / "stick")
    assert folder == memory / "stick" / "export-1"
    assert (folder / "game-1.jsonl").exists()


def test_a_game_that_is_not_whole_is_copied_and_named(memory: Path) -> None:
    path = memory / "journal.db"
    with BegunBench(path) as bench:
        bench.key("1", "1", "1", *["select"] * 3)
        bench.hold("select", 0.6)
        bench.key("select")
        entries = bench.console.table.current.n
    assert entries > 2
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER entries_keep")
        db.execute("UPDATE entries SET answer = 'not JSON' WHERE seq = 2")
    db.close()
    with BegunBench(path) as bench:
        assert "The journal is damaged" in bench.read_out
        bench.key("select", "1")
        assert "entry 2: its answer is not JSON" in pages(bench)
        bench.key("back", "3")
        assert (path.parent / "export-1" / "journal.db").exists()
        assert not (path.parent / "export-1" / "game-1.jsonl").exists()
        assert bench.misfits == []


def test_a_game_of_other_rules_is_stopped_and_named(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "SHELF", {"skirmish": "tests.session.skirmish:BOOK"})
    path = memory / "journal.db"
    with Journal(path) as journal:
        session = Session(SKIRMISH, journal=journal)
        session.bundle("both-near")
        session.answer([1, 2])
    before = recorded(path)
    with monkeypatch.context() as patch:
        patch.setattr("tests.session.skirmish.BOOK", replace(SKIRMISH, edition="2"))
        with BegunBench(path) as bench:
            assert bench.read_out.startswith("Safe mode. The last game uses another edition of the rules.")
            bench.key("select", "1")
            texts = pages(bench)
            assert "begun under edition 1, but edition 2 is installed" in texts
            assert bench.misfits == []
        patch.setattr("tests.session.skirmish.NEED", {"near": 3, "far": 3})
        with BegunBench(path) as bench:
            assert bench.read_out.startswith("Safe mode. The installed rules judge the last game differently.")
            bench.key("select", "1")
            assert "entry 4 (shot.dice), judged by edition 1 and now by 2, had rulings" in pages(bench)
            assert bench.misfits == []
    assert recorded(path) == before
    with BegunBench(path) as bench:
        assert bench.console.table.current.n == 5, "under its own rules it goes on"


def damaged(data: bytes) -> Iterator[bytes]:
    """Yield a journal with one bit turned over, in what SQLite itself quotes where it complains, then anywhere."""
    for at, bit in ((data.index(b"CREATE TABLE entries") + 13, 0x80), (data.index(b"CREATE TABLE games") + 19, 0x60)):
        yield data[:at] + bytes((data[at] ^ bit,)) + data[at + 1 :]
    chance = random.Random(5)
    used = [at for at, byte in enumerate(data) if byte]
    for at in chance.sample(used, 24):
        yield data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]


def test_whatever_bit_is_turned_over_the_keys_work(path: Path) -> None:
    for number, data in enumerate(damaged(path.read_bytes())):
        folder = path.parent / str(number)
        folder.mkdir()
        shutil.copy(path.parent / "journal.db.lock", folder)
        (folder / "journal.db").write_bytes(data)
        with BegunBench(folder / "journal.db") as bench:
            if bench.read_out.startswith("Safe mode"):
                bench.key("select", "1")
                assert pages(bench)
                bench.key("back", "3")
                assert (folder / "export-1" / "journal.db").read_bytes() == data
            else:
                assert bench.console.table.current.n == 2
            assert bench.misfits == []
