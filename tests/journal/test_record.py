"""The record proves itself: no bit can turn over unseen, and a game written anew shows."""

from __future__ import annotations

import io
import runpy
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from referee import games
from referee.cli import main
from referee.errors import JournalDamaged, JournalError, OtherEdition
from referee.journal import Journal, seal
from referee.journal.chain import canonical, digest, first_link
from referee.journal.database import Database
from referee.journal.export import export
from referee.journal.proof import verify
from referee.rulebook import Bar
from referee.session import Origin, Session, Submission, resume
from referee.session.entries import Entry
from tests.journal import flips
from tests.journal.reference import put_away
from tests.journal.tampering import tampered
from tests.session.skirmish import BOOK, Skirmish

TOOL = Path(__file__).parents[2] / "tools" / "verify_export.py"
READER: dict[str, Any] = runpy.run_path(str(TOOL))


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal with a game of two turns that was put away."""
    path = memory / "journal.db"
    with Journal(path) as journal:
        put_away(journal)
    return path


def lines(path: Path) -> list[bytes]:
    with Journal(path, write=False) as journal:
        return [line.encode("ascii") for line in export(journal, 1)]


# -- bits


@pytest.mark.parametrize("share", [30, pytest.param(1, marks=pytest.mark.long)])
def test_no_bit_turns_over_unseen(share: int) -> None:
    """Some of the bits; `python -m tests.journal.flips` turns over all of them."""
    counted = flips.run(every=31 * share, every_of_file=61 * share)
    for what in ("export", "export, by the other reader"):
        assert set(counted[what]) <= {"detected", "says the same"}, counted[what]
        assert counted[what]["detected"] > 1000 // share
    assert set(counted["file"]) == {"detected", "says the same"}, counted["file"]
    assert counted["file"]["detected"] > 500 // share


# -- seals


def test_a_game_is_sealed_at_its_start_at_every_turn_and_when_it_is_put_away(path: Path) -> None:
    with Journal(path) as journal:
        assert [each.seq for each in journal.seals(1)] == [0, 4, 5, 7]
        session = Session(BOOK, {"limit": 2}, journal=journal)
        session.concede("north")
        session.undo()
        session.answer("shoot")
        session.concede("north")
        assert [each.seq for each in journal.seals(2)] == [0, 1, 4]
        assert len(verify(journal)) == 2


def test_a_seal_is_part_of_the_commit_it_seals(path: Path) -> None:
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        assert "seals" in tables_of_one_commit(journal, lambda: session.answer("pass"))


def test_what_stands_beside_an_entry_is_part_of_its_commit(path: Path) -> None:
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        session.bundle("both-near")
        origins = Origin("keys"), Origin("serial-dice", "A7")
        tables = tables_of_one_commit(journal, lambda: session.answer(Submission([1, 1], origins=origins)))
        assert {"entries", "extras"} <= tables


def tables_of_one_commit(journal: Journal, deed: Callable[[], object]) -> set[str]:
    """Return what a deed wrote into, all of it between one BEGIN and one COMMIT."""
    assert isinstance(journal._db, Database)
    statements: list[str] = []
    journal._db.connection.set_trace_callback(statements.append)
    deed()
    journal._db.connection.set_trace_callback(None)
    words = [statement.split()[:3] for statement in statements if not statement.startswith("--")]
    first = [word[0] for word in words]
    assert (first[0], first[-1], first.count("COMMIT")) == ("BEGIN", "COMMIT", 1)
    return {word[2] for word in words if word[0] == "INSERT"}


def test_a_start_that_names_no_book_is_no_game(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.begin("skirmish", Entry(0, "start", "1", answer=["skirmish"])) == 2
        with pytest.raises(JournalDamaged, match="game 2 is listed with another game than in its entry 0"):
            verify(journal)


@pytest.mark.parametrize("table", ["seals VALUES (1, 99, '', '')", "extras VALUES (2, 0, '{}')"])
def test_nothing_is_written_beside_an_entry_that_is_not_there(path: Path, table: str) -> None:
    with Journal(path) as journal:
        before = verify(journal)
        with pytest.raises(JournalError, match="FOREIGN KEY"), journal._db.writing():
            journal._db.execute(f"INSERT INTO {table}")
        assert verify(journal) == before


def test_a_seal_that_cannot_be_made_takes_the_stroke_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: seal.Signer, game: int, seq: int, head: str) -> seal.Seal:
        raise JournalError("the key is gone")

    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        before = session.n, session.prompt, session.entries, session.state()
        with monkeypatch.context() as patch:
            patch.setattr(seal.Signer, "seal", failing)
            with pytest.raises(JournalError, match="the key is gone"):
                session.answer("pass")
        assert (session.n, session.prompt, session.entries, session.state()) == before
        session.answer("pass")
        assert tuple(journal.entries(2)) == session.entries


def anew(path: Path, *, signer: seal.Signer | None, keep_seals: bool = False) -> None:
    """Write the whole game anew with another throw in it, as somebody with the file in hands could."""
    with Journal(path) as journal:
        entries, old = journal.entries(1), journal.seals(1)
    path.unlink()
    path.with_name("journal.db.lock").unlink()
    with Journal(path):
        pass
    db = sqlite3.connect(path)
    start = entries[0]
    db.execute("INSERT INTO games VALUES (1, ?, ?, NULL, ?)", (BOOK.id, start.edition, start.wall))
    link: dict[str, Any] | None = first_link([])
    db.execute("INSERT INTO links VALUES (1, 1, 0, ?)", (canonical(link),))
    prev, hashes = "", []
    for entry in entries:
        forged = replace(entry, extra={}).as_json() | ({"answer": [2, 2]} if entry.ask == "shot.dice" else {})
        written = Entry.from_json(forged)
        now, link = digest(1, written, prev, link), None
        row = written.as_json() | {"answer": canonical(written.answer), "result": canonical(written.result)}
        names = ", ".join(f'"{name}"' for name in ("game", *row, "prev", "hash"))
        db.execute(f"INSERT INTO entries ({names}) VALUES ({', '.join('?' * 17)})", (1, *row.values(), prev, now))
        prev = now
        hashes.append(now)
    for each in old:
        new = signer.seal(1, each.seq, hashes[each.seq]) if signer else each
        if signer or keep_seals:
            db.execute("INSERT INTO seals VALUES (1, ?, ?, ?)", (new.seq, new.key, new.signature))
    db.commit()
    db.close()


def test_a_game_written_anew_shows_by_its_seals(path: Path, memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (key,) = seal.known(memory)
    command = ["verify", "--journal", str(path)]
    assert main([*command, "--key", key]) == 0
    anew(path, signer=None, keep_seals=True)
    capsys.readouterr()
    assert main(command) == 1
    assert (
        "game 1, seal of entry 4: does not match; it or an entry before it was rewritten" in capsys.readouterr().err
    )

    other = memory / "other"
    other.mkdir()
    anew(path, signer=seal.signer(other))
    assert main(command) == 1
    assert "game 1, seal of entry 0: was made with another key" in capsys.readouterr().err
    assert main([*command, "--key", key]) == 1
    assert "game 1, seal of entry 0: was made with another key" in capsys.readouterr().err

    anew(path, signer=None)
    assert main(command) == 1
    assert "game 1, seal of entry 0: is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE seals SET signature = upper(signature) WHERE seq = 4", "seal of entry 4: does not match"),
        ("UPDATE seals SET key = replace(key, substr(key, 1, 1), 'x')", "seal of entry 0: does not match"),
        ("UPDATE seals SET seq = 3 WHERE seq = 4", "seal of entry 3: does not match"),
        ("UPDATE seals SET seq = 70 WHERE seq = 4", "seal of entry 70: there is no such entry"),
        ("DELETE FROM seals WHERE seq = 0", "seal of entry 0: is missing"),
        ("DELETE FROM seals WHERE seq = 7", "seal of entry 7: is missing"),
        ("UPDATE seals SET game = 2", "seal of entry 0: is missing"),
        ("UPDATE games SET began = began + 1", "is listed with another game than in its entry 0"),
        ("UPDATE games SET edition = '2'", "is listed with another game than in its entry 0"),
    ],
)
def test_a_seal_or_a_listing_that_was_changed_is_named(path: Path, statement: str, message: str) -> None:
    tampered(path, statement)
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged, match=message):
        verify(journal)


# -- editions


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Today's rulebook wants more on the dice than the one the game was played by."""
    monkeypatch.setattr(games, "load", lambda name: BOOK)
    monkeypatch.setattr("tests.session.skirmish.NEED", {"near": 3, "far": 3})


def test_a_game_judged_otherwise_today_is_named_refused_and_still_read(
    path: Path, later: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(path) as journal:
        Session(BOOK, journal=journal).answer("pass")
    message = 'entry 4 (shot.dice) had rulings ["miss"] and now has ["hit"]'
    where = ["--journal", str(path)]
    assert main(["check", *where]) == 1
    output = capsys.readouterr()
    assert output.out.splitlines()[0] == f"game 1, skirmish, edition 1: diverged: {message}"
    assert output.out.splitlines()[1].startswith("game 2, skirmish, edition 1: 2 entries judged the same")
    assert output.err == "referee: 1 of 2 games cannot be resumed; `log` and `export` can still read it\n"
    assert main(["log", "--game", "1", *where]) == 0
    output = capsys.readouterr()
    assert message in output.err
    assert "shot.dice: [1,2]" in output.out
    assert main(["export", "--game", "1", *where]) == 0
    assert READER["verify"](BytesIO(capsys.readouterr().out.encode()))


def test_a_game_in_progress_under_another_edition_is_named_before_it_is_resumed_and_stopped(
    memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing has come out otherwise yet; what follows might, and the players would not know."""
    path = memory / "own.db"
    later = replace(BOOK, edition="2")
    monkeypatch.setattr(games, "load", lambda name: later)
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        session.bundle("both-near")
        entries = session.n
        with pytest.raises(OtherEdition):
            resume(later, journal, 1)
        desk = Session(BOOK, ruling="shot", journal=journal, repeat=True)
        resumed = resume(later, journal, desk.game_id or 0)
        assert resumed.prompt == desk.prompt, "single rulings go on"
        resumed.leave()
    where = ["--journal", str(path)]
    message = (
        f"it was begun under edition 1, but edition 2 is installed: its {entries} entries are judged the same,"
        " but later ones may not be"
    )
    assert main(["check", *where]) == 1
    output = capsys.readouterr()
    assert output.out.splitlines()[0] == f"game 1, skirmish, edition 1: other edition: {message}"
    assert output.out.splitlines()[1].endswith("judged the same by edition 2")
    assert output.err == "referee: 1 of 2 games cannot be resumed; `log` and `export` can still read it\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"answer":"pass"}\n')))
    assert main(["drive", "skirmish", *where, "--resume"]) == 1
    assert main(["log", "--game", "1", *where]) == 0
    assert capsys.readouterr().out.startswith("Game 1")
    with Journal(path) as journal:
        assert len(journal.entries(1)) == entries
        monkeypatch.setattr(games, "load", lambda name: BOOK)
        assert resume(BOOK, journal, 1).n == entries, "its own release finishes it"


def test_what_is_asked_now_is_named_where_an_answer_no_longer_fits(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(games, "load", lambda name: BOOK)
    barred = Bar("SK-X9", "No shots", firm=True)
    monkeypatch.setattr(Skirmish, "bar", lambda self, option: barred if option == "shoot" else None)
    assert main(["check", "--journal", str(path)]) == 1
    message = 'entry 1 (turn.menu) was accepted with "shoot" and is now refused, where turn.menu is asked: SK-X9: '
    assert message in capsys.readouterr().out


def test_who_asks_for_the_key_of_a_new_box_at_the_same_time_gets_the_same_key(tmp_path: Path) -> None:
    asking = 8
    together = Barrier(asking)

    def ask(_: int) -> str:
        together.wait()
        return seal.signer(tmp_path).public

    with ThreadPoolExecutor(asking) as threads:
        keys = set(threads.map(ask, range(asking)))
    assert list(keys) == seal.known(tmp_path)
