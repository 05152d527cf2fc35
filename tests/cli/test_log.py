"""`referee log`: the game as it was played, and what was taken back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee import games
from referee.journal import Journal
from referee.session import Origin, Session, Submission
from tests.cli.running import Run
from tests.session.skirmish import BOOK


def test_log_tells_the_game_with_what_was_taken_back(run: Run, journal: Path) -> None:
    shown = run("log")
    assert shown.code == 0
    lines = [re.sub(r"\s+", " ", line) for line in shown.out.splitlines()]
    assert any(line.startswith("x 4 ") and "Roll: 6, 6 [tray]" in line for line in lines)
    assert any(line.startswith("x => Hit (SK-2, SK-3)") for line in lines)
    assert any("Undone: Roll: 6, 6 [keys]" in line for line in lines)
    assert any("Roll: 1, 2 (re-rolled) [judge]" in line for line in lines)
    assert any(line.strip() == "3 against 7." for line in lines)
    logged = [json.loads(line) for line in run("log", "--json", "1").out.splitlines()]
    assert [line["undone"] for line in logged if line["seq"] == 4] == [True, True]
    assert "open" in run("log", "--list").out
    assert json.loads(run("log", "--list", "--json").out)["game"] == 1


def test_the_log_of_an_unknown_game_is_shown_as_written(
    run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SHELF", {})
    shown = run("log")
    assert shown.code == 0
    assert "cannot be judged again" in shown.err
    assert 'shot.range: "near"' in shown.out


def test_the_log_says_where_each_face_came_from(run: Run, journal: Path) -> None:
    with Journal(journal) as opened:
        session = Session(BOOK, journal=opened)
        session.bundle(Submission("both-near", source="keys"))
        session.answer(Submission([5, 1], origins=(Origin("keys"), Origin("dice-reader", "A7")), source="keys"))
        session.correct_throw(Submission([6, 2], source="judge"), right="judge")
    shown = run("log").out
    assert "5, 1  [5 keyed, 1 dice reader A7]" in shown
    assert "The judge corrects the throw: 5→6, 1→2  [judge]" in shown
    assert "6, 2 (corrected)  [judge]" in shown
