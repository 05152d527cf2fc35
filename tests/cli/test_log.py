"""`referee log`: the game as it was played, and what was taken back."""

from __future__ import annotations

import json
import os
import pydoc
import re
import shutil
import sys
from pathlib import Path

import pytest

from referee import games
from referee.config import Config, Table
from referee.console.views import Notice, Ruling
from referee.journal import Journal
from referee.session import Origin, Session
from referee.testing.station import Bench
from tests.cli.running import Run, Terminal
from tests.kernel import attack
from tests.kernel.sitting import Differs
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
    logged = [json.loads(line) for line in run("log", "--json", "--game", "1").out.splitlines()]
    assert [line["undone"] for line in logged if line["seq"] == 4] == [True, True]
    assert "open" in run("log", "--list").out
    assert json.loads(run("log", "--list", "--json").out)["game"] == 1


def test_the_log_has_in_whole_words_what_the_glass_ruled(tmp_path: Path) -> None:
    headlines = []
    with Bench(tmp_path / "games.db", Config(table=Table(ruling_seconds=0))) as bench:
        bench.key("1", "1", "select")
        bench.wait(0.4)
        bench.hold("select", 0.6)  # all pieces are placed
        while isinstance(bench.view, Notice) or bench.console.top.wakes:
            bench.key("select")
        bench.key("5", "1", "1", "1")  # end of phase; Orc, Gondor, no helper on open ground
        for faces in (("3", "3"), ("5", "4"), ("6", "5")):
            bench.key(*faces)
            assert isinstance(bench.view, Ruling)
            headlines.append(bench.view.headline)
            bench.wait(0.4)
            bench.hold("select", 0.6)  # the same again
    assert headlines == ["No effect", "Gondor out", "Gondor out"]
    attack.read(tmp_path / "games.db", headlines)
    with pytest.raises(Differs, match="Gondor is out"):
        attack.read(tmp_path / "games.db", headlines[:2])


def test_log_of_a_game_that_is_gone_from_the_shelf_is_shown_as_written(
    run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SHELF", {})
    shown = run("log")
    assert shown.code == 0
    assert "cannot be judged again" in shown.err
    assert 'shot.range: "near"' in shown.out


def test_the_log_of_rulings_alone_and_of_the_last_one(run: Run, journal: Path) -> None:
    def kinds(*arguments: str) -> list[tuple[str, bool]]:
        return [
            (line["kind"], line["undone"]) for line in map(json.loads, run(*arguments, "--json").out.splitlines())
        ]

    rulings = [each for each in kinds("log") if each[0] == "ruling"]
    assert len(rulings) > 1
    assert kinds("log", "--rulings") == rulings
    assert kinds("log", "--last") == [("ruling", False)]
    assert run("log", "1", "--last").out.count("=>") == 1


def test_the_log_says_where_each_face_came_from_and_what_was_corrected(run: Run, journal: Path) -> None:
    with Journal(journal) as opened:
        session = Session(BOOK, journal=opened)
        session.bundle("both-near", source="keys")
        session.answer([5, 1], origins=[Origin("keys"), Origin("serial-dice", "A7")], source="keys")
        session.correct_throw([6, 2], right="judge", source="judge")
    shown = run("log").out
    assert "5, 1  [5 keyed, 1 serial dice A7]" in shown
    assert "The judge corrects the throw: 5→6, 1→2  [judge]" in shown
    assert "6, 2 (corrected)  [judge]" in shown


def test_a_game_of_the_journal_is_named_by_its_number(run: Run, journal: Path) -> None:
    assert run("log", "1").out == run("log", "--game", "1").out == run("log", "1", "--game", "1").out
    assert run("export", "1").out == run("export").out


def test_a_long_log_is_paged_at_a_terminal(run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paged: list[str] = []
    monkeypatch.setattr(pydoc, "pager", paged.append)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((80, 3)))
    whole = run("log").out
    assert paged == []
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Terminal())
        run("log")
    assert paged == [whole]
