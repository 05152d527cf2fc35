"""The record proves itself: no bit can turn over unseen, and a game that is judged otherwise today is named."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee import games
from referee.cli import main
from referee.errors import JournalDamaged, OtherEdition
from referee.journal import Journal
from referee.journal.proof import verify
from referee.session import Session, resume
from referee.session.entries import Entry
from tests.journal import flips
from tests.journal.reader import check
from tests.journal.reference import put_away
from tests.session.skirmish import BOOK


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal with a game of two turns that was put away."""
    path = memory / "journal.db"
    with Journal(path) as journal:
        put_away(journal)
    return path


# -- bits


@pytest.mark.parametrize("share", [30, pytest.param(1, marks=pytest.mark.long)])
def test_no_bit_turns_over_unseen(share: int) -> None:
    """Some of the bits."""
    counted = flips.run(every=31 * share, every_of_file=61 * share)
    assert set(counted["export"]) <= {"detected", "says the same"}, counted["export"]
    assert counted["export"]["detected"] > 1000 // share
    assert set(counted["file"]) == {"detected", "says the same"}, counted["file"]
    assert counted["file"]["detected"] > 500 // share


# -- strokes


def test_a_bundle_is_one_commit(path: Path) -> None:
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        assert written_by(journal, lambda: session.bundle("both-near")) == {"entries"}


def written_by(journal: Journal, deed: Callable[[], object]) -> set[str]:
    """Return the tables that a deed wrote into, all of it between one BEGIN and one COMMIT."""
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
    assert check(capsys.readouterr().out.splitlines())


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
