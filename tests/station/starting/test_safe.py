"""The safe mode at the running station: what the glass says, what the keys can do, and what they cannot."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from referee import games
from referee.errors import JournalError
from referee.journal import Journal
from referee.journal.export import read, replay
from referee.journal.proof import verify
from referee.session import Session
from referee.station.starting import rescue
from referee.station.starting.starts import BARE, FAILED, STOOD, Starts
from referee.web.hub import Message
from tests.bench.begun import BegunBench
from tests.session.skirmish import BOOK as SKIRMISH


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal with an open ruling desk, its second question standing."""
    path = memory / "journal.db"
    with BegunBench(path) as bench:
        bench.key("1", "2", "1")
    return path


def crash(path: Path, times: int = FAILED) -> None:
    for _ in range(times):
        bench = BegunBench(path)
        bench.wait(2)
        assert bench.misfits == []
        bench.kill()


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


def test_a_crash_loop_ends_in_a_mode_that_shows_the_last_state_and_leaves_the_game_alone(path: Path) -> None:
    with BegunBench(path) as bench:
        stood, asked = bench.read_out, bench.console.table.prompt
    assert asked is not None
    crash(path)
    before = recorded(path)
    with BegunBench(path) as bench:
        tables: list[Message] = []
        bench.hub.subscribe(lambda news: tables.extend(each for each in news if each["type"] == "table"))
        assert bench.read_out == "Safe mode. The box failed to start 3 times. The game is saved. any key"
        assert bench.sounds == ["fault"]
        bench.key("select")
        assert bench.read_out == "Safe mode. no start. 1 Why (lit). 2 State. 3 Export. 4 Retry. 5 New"
        bench.key("1")
        assert "It was killed, hung, or lost power." in pages(bench)
        bench.key("back", "2")
        state = pages(bench)
        assert "Battle of the ring, game 1: 2 entries" in state
        assert asked.text in state
        assert "o-v-o" in state
        bench.key("back")
        for key in ("6", "seat-1", "seat-2", "back"):
            bench.key(key)
        bench.hold("back", 0.6)
        bench.hold("select", 1.2)
        bench.wait(1)
        assert bench.read_out.startswith("Safe mode. no start. 1 Why")
        assert bench.console.table.session is None
        assert tables
        assert all((each["prompt"], each["pools"], each["odds"]) == (None, [], []) for each in tables)
        assert recorded(path) == before
        bench.key("4")
        assert bench.read_out == stood
        assert bench.console.table.prompt == asked
        bench.key("1")
        bench.wait(1)
        assert len(recorded(path)) == len(before) + 1
        assert bench.misfits == []
    assert not Starts(path).path.exists()


def test_a_safe_mode_that_stood_is_there_again_after_a_power_cut_and_counts_no_more(path: Path) -> None:
    crash(path)
    for _ in range(BARE + 2):
        bench = BegunBench(path)
        assert "The box failed to start 3 times" in bench.read_out
        bench.wait(STOOD + 1)
        bench.kill()
    with BegunBench(path) as bench:
        assert bench.start.journal is not None


def test_where_the_safe_mode_fails_too_the_journal_is_not_even_opened(path: Path) -> None:
    crash(path, FAILED + BARE)
    with BegunBench(path) as bench:
        assert bench.start.journal is None
        bench.key("select", "1")
        assert "so the journal was not opened" in pages(bench)
        bench.key("back", "2")
        assert "The journal was not opened. Export copies it." in pages(bench)
        bench.key("back", "5")
        assert "No game can be saved" in bench.read_out
        bench.key("select", "3")
        assert "export-1" in pages(bench).replace(" ", "")
        assert (path.parent / "export-1" / "journal.db").read_bytes() == path.read_bytes()
        bench.key("back", "4")
        assert bench.console.table.current.n == 2
        assert bench.misfits == []


def test_a_retry_that_falls_over_leads_back_to_the_safe_mode(path: Path) -> None:
    crash(path)
    bench = BegunBench(path)
    bench.key("select", "4")
    assert bench.console.table.session is not None
    bench.wait(STOOD / 2)
    bench.kill()
    bench = BegunBench(path)
    assert "The box failed to start" in bench.read_out
    bench.key("select", "4")
    bench.wait(STOOD + 1)
    bench.kill()
    with BegunBench(path) as bench:
        assert bench.console.table.session is not None


def test_another_game_can_be_begun_and_is_the_one_that_is_taken_up_next_time(path: Path) -> None:
    crash(path)
    with BegunBench(path) as bench:
        bench.key("select", "5", "1")
        assert "Resume" not in bench.read_out
        bench.key("back", "back")
        assert bench.read_out.startswith("Safe mode")
        bench.key("5", "1", "2")
        assert bench.console.table.current.game_id == 2
        bench.key("1")
        bench.kill()
    with BegunBench(path) as bench:
        assert bench.console.table.current.game_id == 2
        assert bench.console.table.current.n == 2
        assert len(verify(bench.start.journal)) == 2  # type: ignore[arg-type]
        assert bench.misfits == []


def test_the_export_holds_copies_and_all_that_can_be_read_and_writes_over_nothing(path: Path) -> None:
    (path.parent / "export-1").write_text("somebody else's")
    crash(path)
    with BegunBench(path) as bench:
        bench.key("select", "3")
        assert "export-2" in pages(bench).replace(" ", "")
        bench.key("back", "3")
        assert "export-3" in pages(bench).replace(" ", "")
    folder = path.parent / "export-2"
    assert (path.parent / "export-1").read_text() == "somebody else's"
    assert {each.name for each in folder.iterdir()} >= {"journal.db", "why.txt", "game-1.txt"}
    with (folder / "game-1.jsonl").open("rb") as lines:
        assert replay(read(lines), games.load).n == 2
    with Journal(folder / "journal.db", write=False) as copy:
        assert len(verify(copy)) == 1
    assert "o-v-o" in (folder / "game-1.txt").read_text(encoding="utf-8")
    assert "failed to start 3 times" in (folder / "why.txt").read_text(encoding="utf-8")


def test_an_export_that_finds_no_room_is_told_and_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash(path)
    with BegunBench(path) as bench:
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
def test_a_journal_that_cannot_be_opened_is_said_kept_and_mended_without_a_restart(path: Path, fault: str) -> None:
    spoil, name, words = WRONG[fault]
    shutil.copy(path, _aside(path))
    spoil(path)
    before = path.read_bytes() if path.exists() else None
    with BegunBench(path) as bench:
        assert bench.read_out.startswith(f"Safe mode. {words}")
        bench.key("select")
        assert bench.read_out.startswith(f"Safe mode. {name}. 1 Why")
        bench.key("4")
        bench.key("select")
        assert bench.read_out.startswith(f"Safe mode. {name}. 1 Why")
        if fault not in ("truncated", "one bit"):  # there the file itself is one of ours
            bench.key("5")
            assert "No game can be saved" in bench.read_out
            bench.key("select")
        bench.key("2")
        pages(bench)
        bench.key("back", "3")
        pages(bench)
        bench.key("back")
        if before is not None:
            assert (path.parent / "export-1" / "journal.db").read_bytes() == before
        assert (path.read_bytes() if path.exists() else None) == before
        path.with_name("twin.db").unlink(missing_ok=True)
        _aside(path).replace(path)
        bench.key("4")
        assert bench.console.table.current.n == 2, bench.read_out
        bench.key("1")
        assert bench.console.table.current.n == 3
        assert bench.misfits == []


def test_a_journal_in_use_elsewhere_is_said_and_taken_up_once_it_is_free(path: Path) -> None:
    with Journal(path), BegunBench(path) as bench:
        assert bench.read_out.startswith("Safe mode. Another program uses the journal.")
        bench.key("select", "4")
        assert "in use by another" in pages(bench) + bench.read_out
        assert not Starts(path).path.exists(), "that file is the other station's"
    with Journal(path) as other:
        bench = BegunBench(path)
        other.close()
        bench.key("select", "4")
        assert bench.console.table.current.n == 2
        bench.__exit__(None, None, None)


def test_a_half_of_the_journal_is_shown_as_far_as_it_can_be_read(memory: Path) -> None:
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
        bench.key("select", "2")
        state = pages(bench)
        assert "Only part of it can be read" in state
        assert "entry 2: its answer is not JSON" in state
        assert bench.misfits == []


def test_an_export_with_no_name_left_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescue, "_FOLDERS", 2)
    rescue.rescue(None, path, "why")
    with pytest.raises(JournalError, match="1 exports already"):
        rescue.rescue(None, path, "why")


def test_a_game_of_other_rules_than_todays_is_stopped_and_named_on_the_glass(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
            bench.key("back", "2")
            assert "Skirmish, game 1: 5 entries" in pages(bench)
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


def test_whatever_bit_is_turned_over_the_glass_says_something_and_the_keys_work(path: Path) -> None:
    for number, data in enumerate(damaged(path.read_bytes())):
        folder = path.parent / str(number)
        folder.mkdir()
        shutil.copy(path.parent / "journal.db.lock", folder)
        (folder / "journal.db").write_bytes(data)
        with BegunBench(folder / "journal.db") as bench:
            if bench.read_out.startswith("Safe mode"):
                bench.key("select", "1")
                assert pages(bench)
                bench.key("back", "2")
                assert pages(bench)
                bench.key("back", "3")
                assert (folder / "export-1" / "journal.db").read_bytes() == data
            else:
                assert bench.console.table.current.n == 2
            assert bench.misfits == []


def test_a_turned_bit_that_makes_bytes_of_a_name_is_no_end_of_the_safe_mode(path: Path) -> None:
    whole = path.read_bytes()
    types = b"\x00\x31\x19\x19"  # of a row's columns in SQLite's format: its number, and texts of 18, 6 and 6 bytes
    assert whole.count(types) == 1
    path.write_bytes(whole.replace(types, b"\x00\x30\x19\x19"))
    with BegunBench(path) as bench:
        assert bench.read_out.startswith("Safe mode")
        bench.key("select", "2")
        assert "game 1" in pages(bench)
        bench.key("back", "3")
        assert (path.parent / "export-1" / "game-1.txt").read_text(encoding="utf-8").count("\n") > 1
        assert bench.misfits == []


def test_a_result_of_another_shape_is_told_as_far_as_it_can_be(path: Path) -> None:
    with Journal(path, write=False) as journal:
        record = next(journal.records(1))
    assert rescue._in_a_line(record | {"result": {"rulings": 3}}) == rescue._in_a_line(record)
