"""`referee drive`: a game begun, written down and taken up again."""

from __future__ import annotations

from pathlib import Path

from referee.journal import Journal
from tests.cli.running import Run, drive


def test_drive_writes_and_takes_up_again(run: Run, journal: Path) -> None:
    new = ["drive", "skirmish", "--journal", str(journal), "--set", "limit=2"]
    first = drive(run, *new, stdin=b'{"answer":"shoot"}\n{"answer":"far"}\n')
    again = drive(run, "drive", "skirmish", "--journal", str(journal), "--resume")
    assert again == first[-1:]
    assert first[-1]["n"] == 3
    refused = run("drive", "skirmish", "--resume")
    assert refused.code == 74
    assert "name a journal" in refused.err


def test_taking_up_a_game_makes_no_journal(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    done = run("drive", "skirmish", "--resume", "--journal", str(folder / "typo.db"))
    assert (done.code, done.out) == (74, "")
    assert "typo.db: there is no journal" in done.err
    assert list(folder.iterdir()) == []


def test_a_switch_that_is_set_twice_is_refused(run: Run) -> None:
    done = run("drive", "skirmish", "--set", "limit=2", "--set", "limit=3")
    assert (done.code, done.out) == (2, "")
    assert "--set limit is given twice" in done.err


def test_journal_held_by_a_station_is_told(run: Run, journal: Path) -> None:
    with Journal(journal):
        busy = run("drive", "skirmish", "--journal", str(journal))
        assert (busy.code, "another station" in busy.err) == (74, True)
        assert run("log").code == 0
