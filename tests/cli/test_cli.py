"""The command line: what it lists and refuses, and that no fault ends in a traceback."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee import games
from referee.cli.main import command
from referee.cli.options import parser
from referee.cli.places import journal_path
from referee.cli.shelf import book_of
from referee.errors import UnknownGame
from referee.rulebook import Cell, Chance
from tests.cli.running import ROOT, Run, referee
from tests.session.skirmish import BOOK


def test_games_lists_the_shelf(run: Run) -> None:
    shown = run("games")
    assert shown.code == 0
    assert "skirmish  Skirmish, edition 1" in shown.out
    assert "--ruling shot" in shown.out
    assert "--set fog=off | on" in shown.out
    (game,) = json.loads(run("games", "--json").out)
    assert (game["id"], game["play"], game["rulings"]) == ("skirmish", True, ["shot"])
    assert game["switches"][0] == {
        "name": "limit",
        "text": "Hits that beat a side",
        "values": [3, 2],
        "default": 3,
        "rule": "SK-1",
    }


def test_a_game_is_named_by_a_word_of_its_id() -> None:
    assert book_of("wizards").id == book_of("Wizards").id == "middle-earth-the-wizards"
    with pytest.raises(UnknownGame, match="no game 'ring'"):
        book_of("ring")


def test_a_file_of_any_size_is_read_within_bounds(run: Run, tmp_path: Path) -> None:
    pins = tmp_path / "referee.toml"
    pins.write_text('[pins]\npath = "/dev/zero"\n')
    for arguments, code in (
        (("replay", "/dev/zero"), 1),
        (("play", "--config", "/dev/zero"), 78),
        (("doctor", "--config", str(pins)), 78),
    ):
        done = run(*arguments)
        assert (done.code, done.out) == (code, "")
        assert done.err.count("\n") == 1
        assert re.search(r"expected a file of at most \d+ bytes", done.err)


def test_odds_prints_every_cell(run: Run) -> None:
    shown = run("odds").out.splitlines()
    assert shown[0] == "Skirmish: shots"
    assert [re.split(" {2,}", line) for line in shown[1:]] == [
        ["row", "column", "Hit", "Miss", "printed"],
        ["near", "unaided", "21/36", "58.3 %", "15/36", "41.7 %"],
        ["far", "unaided", "6/36", "16.7 %", "30/36", "83.3 %"],
    ]
    cells = json.loads(run("odds", "skirmish", "--json").out)["skirmish"]["shots"]
    assert cells[1]["odds"][0] == {"id": "hit", "text": "Hit", "chance": "6/36", "share": 0.166667}


def test_odds_of_a_table_have_one_denominator() -> None:
    for game in ("battle-of-the-ring", "war-of-the-ring", "middle-earth-the-wizards"):
        shown = referee("odds", game).stdout
        assert re.findall(r"\b(?:[oe]-v-[oe]|out\.|CP|crt|fort)\b|\b\w+\. ", shown) == []
        for table in re.split(r"(?m)^(?=\S.*: [a-z ]+$)", shown)[1:]:
            cells = [line for line in table.splitlines()[2:] if "%" in line]
            shares = [re.findall(r"(\d+)/(\d+) +([\d.]+) %", line) for line in cells]
            assert shares, table
            assert all(len(each) == line.count("%") for each, line in zip(shares, cells, strict=True)), table
            assert len({of for each in shares for _, of, _ in each}) == 1, table
            assert all(sum(int(part) for part, _, _ in each) == int(each[0][1]) for each in shares), table


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["drive", "chess"], 2, "no game 'chess' on the shelf"),
        (["drive", "skirmish", "--ruling", "duel"], 2, "no ruling 'duel'; it offers: shot"),
        (["drive", "skirmish", "--set", "limit=9"], 2, "limit: expected one of 3, 2"),
        (["drive", "skirmish", "--set", "weather=fair"], 2, "no switch 'weather'; known: limit, fog"),
        (["drive"], 2, "required: GAME"),
        (["sing"], 2, "invalid choice: 'sing'"),
        (["--journal", "x", "log"], 2, "invalid choice: 'x'"),
        (["card"], 2, "referee card: the following arguments are required: COMMAND (see referee card --help)"),
        (["card", "chck"], 2, "referee card: argument COMMAND: invalid choice: 'chck' (choose from"),
        (["log", "--lst"], 2, "unrecognized arguments: --lst"),
        (["log", "1", "--list"], 2, "--list lists all games"),
        (["log", "--journal", ""], 2, "expected a file, got ''"),
        (["replay", "."], 2, ". is a folder: expected an exported game"),
        (["replay", "/dev/null"], 1, "/dev/null: line 1: expected"),
        (["log", "--journal", "/dev/null"], 74, "/dev/null"),
        (["doctor", "--config", "/dev"], 78, "/dev: cannot be read: Is a directory\n"),
        (["odds", "skirmsh"], 2, "no game 'skirmsh' on the shelf; there are: skirmish"),
        (["replay", "/nowhere/game.jsonl"], 2, "/nowhere/game.jsonl: No such file"),
        (["play", "--port", "http"], 2, "expected a port"),
        (["log", "--journal", "/nowhere/journal.db"], 74, "/nowhere/journal.db: there is no journal"),
        (["log", "7"], 74, "has no game 7; `referee log --list` lists them"),
        (["export", "x"], 2, "expected the number of a game, got 'x'"),
        (["drive", "skirmish", "--journal", "/dev/null/journal.db"], 74, "/dev/null/journal.db cannot be written"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    run: Run, journal: Path, arguments: list[str], code: int, message: str
) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert done.err.startswith("referee")
    assert done.err.count("\n") == 1


def test_every_command_has_help_with_its_exit_codes(run: Run) -> None:
    top = run("--help")
    commands = ["play", "run", "drive", "games", "rules", "odds"]
    commands += ["log", "export", "replay", "verify", "check"]
    assert "examples:" in top.out
    for name in commands:
        assert re.search(rf"^    {name}\b", top.out, re.MULTILINE), name
        shown = run(name, "--help")
        assert (shown.code, shown.err) == (0, "")
        assert "exit codes:" in shown.out
    assert run("--version").out.startswith("referee ")


def test_examples_of_the_help_are_commands(run: Run) -> None:
    for name in ("", "play", "drive", "odds", "log", "export", "verify"):
        text = run(*([name] if name else []), "--help").out
        examples = text.split("examples:\n")[1].split("\n\n")[0]
        for line in examples.splitlines():
            words = re.split(r"\s{3,}| [|>]", line.strip())[0].split()
            assert words[0] == "referee"
            assert callable(command(parser().parse_args(words[1:]).run))


def test_journal_lies_where_xdg_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("REFEREE_JOURNAL", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert journal_path() == tmp_path / ".local/state/referee/journal.db"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert journal_path() == tmp_path / ".local/state/referee/journal.db"
    monkeypatch.setenv("XDG_STATE_HOME", "/var/lib/state")
    assert journal_path() == Path("/var/lib/state/referee/journal.db")
    for saved in ("/srv/j.db", "/srv/j.db\r", "\ufeff/srv/j.db", "/srv/j.db\u200b", " /srv/j.db\u00a0"):
        monkeypatch.setenv("REFEREE_JOURNAL", saved)
        assert journal_path() == Path("/srv/j.db"), "it would begin another one, and the games would seem gone"
        assert parser().parse_args(["log", "--journal", saved]).journal == Path("/srv/j.db")


def test_station_gets_what_the_command_line_says(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from referee.errors import StationError
    from referee.station import main as station

    asked: list[Any] = []

    def refused(options: station.Options) -> None:
        asked.append(options)
        raise StationError("no box is wired here")

    monkeypatch.setattr(station, "play", asked.append)
    monkeypatch.setattr(station, "run", refused)
    assert run("play", "--journal", str(tmp_path / "j.db"), "--port", "0", "--no-browser").code == 0
    assert (asked[0].journal, asked[0].port, asked[0].browser, asked[0].panel) == (tmp_path / "j.db", 0, False, None)
    assert run("run", "--no-panel") == (69, "", "referee: no box is wired here\n")
    assert (asked[1].panel, asked[1].browser) == (False, None)


def test_importing_the_command_line_is_cheap() -> None:
    code = "import sys, referee.cli; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    heavy = {"PIL", "starlette", "uvicorn", "websockets", "gpiozero", "luma", "sqlite3", "asyncio", "referee.games"}
    assert heavy & set(done.stdout.split()) == set()


def test_alone_it_helps(run: Run) -> None:
    assert run() == run("--help")


def fails() -> list[Cell]:
    raise ZeroDivisionError("no dice")


def cells(*odds: Any, row: Any = "near") -> Callable[[], Any]:
    return lambda: [Cell(row, "", tuple(Chance("x", text, chance) for text, chance in odds))]


@pytest.mark.parametrize(
    "table",
    [
        fails,
        lambda: [("near", "far")],
        cells(("Hit", Fraction(3, 2))),
        cells(("Hit", Fraction(1, 10**5000))),
        cells(("Hit", Fraction(1, 2)), ("Hit", Fraction(1, 2))),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_broken_table_hides_no_other_game(
    run: Run, monkeypatch: pytest.MonkeyPatch, table: Callable[[], Any], as_json: list[str]
) -> None:
    broken = replace(BOOK, id="broken", tables={"odd": table})
    monkeypatch.setitem(sys.modules, "broken", SimpleNamespace(BOOK=broken))
    monkeypatch.setitem(games.SHELF, "broken", "broken:BOOK")
    alone = run("odds", "broken", *as_json)
    assert (alone.code, alone.out, alone.err.count("\n")) == (70, "", 1)
    assert "broken: " in alone.err
    every = run("odds", *as_json)
    assert (every.code, every.out) == (0, run("odds", "skirmish", *as_json).out)
    assert every.err.count("\n") == 1


def test_what_is_not_installed_is_named_with_how_to_install_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """To people, and to the station that watches the tray."""
    monkeypatch.delattr("hardware.dice.tray.pictures", raising=False)
    monkeypatch.setitem(sys.modules, "hardware.dice.tray.pictures", None)
    done = run("tray", "--watch")
    where = 'the package electronic-referee-tray, or this project with its extra `tray`: pip install ".[tray]"'
    assert done.code == 69
    assert done.out.startswith('{"error": "the tray needs')
    assert done.err.endswith(f"; install {where}\n")


def test_a_rule_is_found_by_its_id_and_by_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "SHELF", {"battle-of-the-ring": "referee.games.battle_of_the_ring:BOOK"})
    title, line = run("rules", "br-45").out.splitlines()
    assert title == "Battle of the Ring"
    assert line.startswith("  BR-45   ")
    found = json.loads(run("rules", "Elven", "hex", "--json").out)["battle-of-the-ring"]
    assert found
    assert all("elven" in each.lower() and "hex" in each.lower() for each in found.values())
    wrong = run("rules", "nonsense")
    assert wrong.code != 0
    assert "no rule has the id or the words 'nonsense'" in wrong.err
