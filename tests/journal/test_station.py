"""What the table sees when the journal cannot be written, or holds a game that is judged otherwise today."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from referee import games
from referee.console.views import Refusal
from referee.errors import Diverged
from referee.journal import Journal
from referee.journal.database import Database
from referee.journal.proof import verify
from referee.session import Session
from referee.station.shelf import StationShelf
from referee.station.virtual.bench import Bench
from tests.bench.wired import console_on
from tests.journal.disk import FAILS, Disk
from tests.session.skirmish import BOOK


def test_a_press_that_cannot_be_written_is_told_and_the_same_question_stands(memory: Path) -> None:
    with Disk(memory) as disk, Bench(memory / "journal.db") as bench:
        bench.key("1", "2")
        bench.wait(1)
        asked, glass, entries = bench.view, bench.glass.tobytes(), bench.console.table.current.entries
        disk.refuse = lambda n, op: FAILS.get(op.kind, 0)
        bench.key("1")
        bench.wait(0.5)
        refusal = bench.view
        assert isinstance(refusal, Refusal)
        assert refusal.title == "Not saved"
        assert "Disk error" in refusal.text
        assert bench.sounds[-1] == "fault"
        assert bench.console.table.current.entries == entries
        disk.refuse = None
        bench.key("select")
        bench.wait(1)
        assert bench.view == asked
        assert bench.glass.tobytes() == glass
        bench.key("1")
        assert bench.console.table.current.entries[-1].answer == "o-v-o"
        (proof,) = verify(bench.journal)
        assert proof.game.entries == len(entries) + 1


def test_a_journal_that_cannot_be_read_stops_no_station(memory: Path) -> None:
    with Bench(memory / "journal.db") as bench:
        bench.wait(1)
        bench.journal.close()
        with sqlite3.connect(memory / "journal.db") as db:
            db.execute("DROP TABLE games")
        assert isinstance(bench.journal._db, Database)
        bench.journal._db.connection = db
        bench.key("1")
        assert "table: games" in bench.view.speech().spoken
        bench.key("select")
        bench.wait(1)
        assert "which game?" in bench.view.speech().spoken
        assert bench.misfits == []


def test_a_fault_too_long_for_one_screen_is_read_on_pages(memory: Path) -> None:
    text = 'entry 4 (shot.dice), judged by edition 1 and now by 2, had rulings ["miss"] and now has ["hit"]'
    with Bench(memory / "journal.db") as bench:
        bench.wait(1)
        bench.console.stage.fault("Not resumed", text, bench.clock.now)
        bench.inbox.put(bench.hub.announce)  # the loop shows it
        bench.wait(1)
        words = bench.view.speech().spoken
        for _ in range(3):
            bench.turn(1)
            words += " " + bench.view.speech().spoken
        assert [word for word in text.split() if word not in words] == []
        bench.key("select")
        assert "which game?" in bench.view.speech().spoken
        assert bench.misfits == []


def test_a_game_judged_otherwise_today_is_not_taken_up_but_others_are(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SHELF", {"skirmish": "tests.session.skirmish:BOOK"})
    with Journal(memory / "journal.db") as journal:
        session = Session(BOOK, journal=journal)
        session.bundle("both-near")
        session.answer([1, 2])
        shelf = StationShelf(journal)
        monkeypatch.setattr("tests.session.skirmish.NEED", {"near": 3, "far": 3})
        with pytest.raises(Diverged, match=r"entry 4 \(shot.dice\) had rulings"):
            shelf.latest()
        assert [each.id for each in shelf.unfinished()] == ["1"]
        other = shelf.begin(BOOK, {}, None, "keys")
        console = console_on(journal, shelf.latest())
        assert console.table.current.game_id == other.game_id == 2
        assert len(journal.entries(1)) == len(session.entries)
