"""Names of players on the command line: given, shown, left out and erased."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from referee.files.players import beside
from referee.journal import Journal
from tests.cli.running import Run, drive
from tests.journal.reader import check


def test_names_are_in_log_report_and_export_unless_nobody_wants_them(run: Run, journal: Path, tmp_path: Path) -> None:
    players = beside(journal)
    players.name(1, "north", "Anna")
    telling = ("log", "report", "export")
    for each in telling:
        assert "Anna" in run(each).out
        assert "Anna" not in run(each, "--anonymous").out
    file = tmp_path / "game.jsonl"
    assert run("export", "-o", str(file)).code == 0
    assert run("replay", str(file)).code == 0
    assert check(file.read_text(encoding="ascii").splitlines())
    assert run("players").out == "Anna\n"
    assert run("players", "--json").out == '["Anna"]\n'
    wrong = run("players", "--forget", "Ben")
    assert (wrong.code, wrong.err) == (
        2,
        "referee: --forget 'Ben': no player is called that; `referee players` lists the names\n",
    )
    assert "no player is called that; did you mean 'Anna'?" in run("players", "--forget", "Ana").err
    assert run("players", "--forget", "Anna").out == "erased from 1 seat\n"
    assert "Anna" not in "".join(run(each).out for each in telling)
    assert run("verify").code == 0, "no name is in what is proven"


def test_drive_takes_names_for_seats_of_the_game(run: Run, journal: Path, tmp_path: Path) -> None:
    new = ["drive", "skirmish", "--journal", str(journal)]
    drive(run, *new, "--player", "north=Anna", "--player", "south=Ben")
    assert beside(journal).names(2) == {"north": "Anna", "south": "Ben"}
    for wrong, message in (
        (["--player", "west=Anna"], "--player west: expected a seat of the game: north, south"),
        (["--player", "north=" + 25 * "x"], "--player north: a name has at most 24 letters, this one has 25"),
    ):
        done = run(*new, *wrong)
        assert done.code == 2
        assert message in done.err
        with Journal(journal, write=False) as left:
            assert len(left.games()) == 2, "nothing was begun"
    assert "--player needs --journal" in run("drive", "skirmish", "--player", "north=Anna").err


def test_seats_that_are_chosen_in_play_can_be_named_before(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SHELF", {"riddle-of-the-ring": "referee.games.riddle_of_the_ring:BOOK"})
    journal = tmp_path / "drive.db"
    riddle = ["drive", "riddle-of-the-ring", "--journal", str(journal)]
    named = ("--player", "merry=Anna", "--player", "Frodo=Ben")
    drive(run, *riddle, *named, stdin=b'{"bundle":"players-2"}\n{"answer":"end-turn"}\n')
    assert "Frodo (Ben)" in run("log", "--journal", str(journal)).out
    gone = run(*riddle, "--resume", "--player", "sam=Cleo")
    assert "expected a seat of the game: frodo, br1" in gone.err, "by now it is known who plays"
    ruling = run(*riddle, "--ruling", "battle", "--player", "merry=Anna")
    assert (ruling.code, "this game has no seats" in ruling.err) == (2, True)
