"""The record proves itself: no bit can turn over unseen, and a game that is judged otherwise today is named."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.cli import main
from referee.errors import OtherEdition, RefereeError, UnknownGame
from referee.journal import Journal
from referee.journal.check import check as judge
from referee.journal.check import verify
from referee.journal.export import export, read, replay
from referee.rulebook import Book
from referee.session import Session, Submission, resume
from tests.journal.reference import EDITIONS, check, put_away
from tests.session import skirmish
from tests.session.skirmish import BOOK


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal with a game of two turns that was put away."""
    path = memory / "journal.db"
    with Journal(path) as journal:
        put_away(journal)
    return path


# -- bits


PLACE = r"\b(game|line|entry) (\d|None)|there are no entries|a name is given twice"
"""How a reader of exports names what it found."""


def flipped(read_it: Callable[[bytes], Any], data: bytes, every: int, named: str) -> int:
    """Read data with one bit turned over, every so manieth in turn; return how often that was refused by name.

    Where it is not, what is read must be what it was before.
    """
    whole, refusals = read_it(data), []
    for bit in range(0, len(data) * 8, every):
        at = bit // 8
        try:
            assert read_it(data[:at] + bytes((data[at] ^ 1 << bit % 8,)) + data[at + 1 :]) == whole, bit
        except RefereeError as fault:
            refusals.append(str(fault))
    assert [each for each in refusals if not re.search(named, each)] == []
    return len(refusals)


@pytest.mark.parametrize("share", [30, pytest.param(1, marks=pytest.mark.long)])
def test_no_bit_turns_over_unseen(path: Path, share: int) -> None:
    """Bits of its rows, as an export holds them, and of the database file."""

    def opened(data: bytes) -> Any:
        path.write_bytes(data)
        with Journal(path, write=False) as journal:
            return [(proof, list(journal.records(proof.game.game))) for proof in verify(journal)]

    with Journal(path, write=False) as journal:
        lines = "\n".join(export(journal, 1)).encode("ascii")
    assert flipped(lambda data: read(io.BytesIO(data)), lines, 23 * share, PLACE) > 1000 // share
    assert flipped(opened, path.read_bytes(), 53 * share, rf"^{re.escape(str(path))}|\bgame \d") > 500 // share


# -- editions


def missing(name: str) -> Book:
    raise UnknownGame(name)


def hard(_: str) -> Book:
    """Another rule: what was a turn is a shot at once."""
    return replace(BOOK, edition="2", play=lambda game: skirmish.shot(game))  # noqa: PLW0108 - another procedure


@pytest.mark.parametrize(
    ("load", "outcome", "text", "today"),
    [
        (lambda _: BOOK, "same", "", BOOK.edition),
        (missing, "unknown", BOOK.id, ""),
        (hard, "diverged", "entry 1 (turn.menu), judged by edition 1 and now by 2, was accepted", "2"),
        (lambda _: replace(BOOK, edition="2"), "other edition", "it was begun under edition 1", "2"),
        (lambda _: replace(BOOK, id="chess"), "damaged", "not of 'chess'", BOOK.edition),
    ],
)
def test_the_verdict_names_what_came_of_it(
    memory: Path, load: Callable[[str], Book], outcome: str, text: str, today: str
) -> None:
    with Journal(memory / "journal.db") as journal:
        for _ in range(2):
            Session(BOOK, journal=journal).sequence(Submission(["pass", "pass"]))
        verdicts = list(judge(journal, load))
    assert [(each.game.game, each.outcome, each.today) for each in verdicts] == [(n, outcome, today) for n in (1, 2)]
    assert all(text in each.text and bool(each.text) == (outcome != "same") for each in verdicts)


def test_a_game_judged_otherwise_today_can_still_be_read(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Today's rulebook wants more on the dice than the one the game was played by."""
    monkeypatch.setattr(games, "load", lambda name: BOOK)
    monkeypatch.setattr("tests.session.skirmish.NEED", {"near": 3, "far": 3})
    with Journal(path) as journal:
        Session(BOOK, journal=journal).answer("pass")
    message = 'entry 4 (shot.dice) had rulings ["miss"] and now has ["hit"]'
    where = ["--journal", str(path)]
    assert main(["check", *where]) == 1
    output = capsys.readouterr()
    assert output.out.splitlines()[0] == f"game 1, skirmish, edition 1: diverged: {message}"
    assert output.out.splitlines()[1].startswith("game 2, skirmish, edition 1: 2 entries judged the same")
    assert output.err == "referee: 1 of 2 games cannot be resumed; `log` and `export` can still read it\n"
    assert main(["log", "1", *where]) == 0
    output = capsys.readouterr()
    assert message in output.err
    assert "shot.dice: [1,2]" in output.out
    assert main(["export", "1", *where]) == 0
    assert check(capsys.readouterr().out.splitlines())


def test_a_game_in_progress_of_another_edition_is_not_resumed(
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
    assert main(["log", "1", *where]) == 0
    assert capsys.readouterr().out.startswith("Game 1")
    with Journal(path) as journal:
        assert len(journal.entries(1)) == entries
        monkeypatch.setattr(games, "load", lambda name: BOOK)
        assert resume(BOOK, journal, 1).n == entries, "its own release finishes it"


@pytest.mark.parametrize("name", games.SHELF)
def test_a_kept_game_comes_out_the_same(name: str) -> None:
    """A rulebook that judges it otherwise needs another edition."""
    book = games.load(name)
    with (EDITIONS / f"{name}-{book.edition}.jsonl").open("rb") as stream:
        exported = read(stream)
    assert replay(exported, lambda _: book).entries == exported.entries
    assert len(exported.entries) > 40
    assert {"answer", "void"} <= {entry.kind for entry in exported.entries}
