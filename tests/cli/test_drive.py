"""`referee drive`: a game begun and written down."""

from __future__ import annotations

from pathlib import Path

from referee.journal import Journal
from tests.cli.running import Run, drive


def test_a_driven_game_is_written_down(run: Run, journal: Path) -> None:
    drive(run, "drive", "skirmish", "--journal", str(journal), "--set", "limit=2", stdin=b'{"answer":"shoot"}\n')
    assert "game 2" in run("verify").out


def test_a_switch_that_is_set_twice_is_refused(run: Run) -> None:
    done = run("drive", "skirmish", "--set", "limit=2", "--set", "limit=3")
    assert (done.code, done.out) == (2, "")
    assert "--set limit is given twice" in done.err


def test_journal_held_by_a_station_is_told(run: Run, journal: Path) -> None:
    with Journal(journal):
        busy = run("drive", "skirmish", "--journal", str(journal))
        assert (busy.code, "another station" in busy.err) == (74, True)
        assert run("log").code == 0
