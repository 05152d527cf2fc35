"""The command line: what it prints, how it ends, and that no fault ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import pydoc
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee import games
from referee.cli import main, text
from referee.cli.main import command
from referee.cli.options import parser
from referee.cli.output import progress
from referee.cli.places import journal_path
from referee.files.players import beside
from referee.journal import Journal
from referee.rulebook import Cell, Chance
from referee.session import Origin, Session
from referee.web.passes import FILE as PASSES
from referee.web.passes import Passes
from tests.session.skirmish import BOOK
from tests.tools.test_verify_export import READER

ROOT = Path(__file__).parents[2]


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with one game of the skirmish in it, where the commands look for it."""
    path = tmp_path / "journal.db"
    monkeypatch.setenv("REFEREE_JOURNAL", str(path))
    with Journal(path) as opened:
        session = Session(BOOK, journal=opened, source="keys", wall=lambda: 1_700_000_000.0)
        session.bundle("both-near", source="keys")
        session.answer([6, 6], source="tray")
        session.undo(source="keys")
        session.answer([1, 2], reroll=True, source="judge")
        session.answer("shoot")
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process, with the skirmish as the only game on the shelf."""
    monkeypatch.setattr(games, "SHELF", {"skirmish": "tests.session.skirmish:BOOK"})

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run


def referee(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as people do."""
    return subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=60,
        check=False,
        **more,
    )


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


def test_a_file_of_any_size_is_read_within_bounds(run: Run, tmp_path: Path) -> None:
    pins = tmp_path / "referee.toml"
    pins.write_text('[pins]\npath = "/dev/zero"\n')
    for arguments, code in (
        (("replay", "/dev/zero"), 1),
        (("play", "--config", "/dev/zero"), 2),
        (("doctor", "--simulated", "--config", str(pins)), 2),
    ):
        done = run(*arguments)
        assert (done.code, done.out) == (code, "")
        assert done.err.count("\n") == 1
        assert re.search(r"expected a file of at most \d+ bytes", done.err)


def test_taking_up_a_game_makes_no_journal(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    done = run("drive", "skirmish", "--resume", "--journal", str(folder / "typo.db"))
    assert (done.code, done.out) == (3, "")
    assert "typo.db: there is no journal" in done.err
    assert list(folder.iterdir()) == []


def test_odds_prints_every_cell(run: Run) -> None:
    shown = run("odds").out.splitlines()
    assert shown[0] == "Skirmish: shots"
    assert [line.split() for line in shown[1:]] == [
        ["row", "column", "Hit", "Miss", "printed"],
        ["near", "unaided", "21/36", "58.3%", "15/36", "41.7%"],
        ["far", "unaided", "6/36", "16.7%", "30/36", "83.3%"],
    ]
    cells = json.loads(run("odds", "skirmish", "--json").out)["skirmish"]["shots"]
    assert cells[1]["odds"][0] == {"id": "hit", "text": "Hit", "chance": "6/36", "share": 0.166667}


def test_odds_of_the_battle_of_the_ring_are_those_of_the_printed_table() -> None:
    shown = json.loads(referee("odds", "battle-of-the-ring", "--json").stdout)["battle-of-the-ring"]["crt"]
    assert len(shown) == 12
    table = {(c["row"], c["column"]): [o["chance"] for o in c["odds"]] for c in shown}
    assert table["open", "o-v-o"] == ["1/36", "15/36", "20/36"]
    assert table["fortress-and-river", "o-v-e"] == ["10/36", "1/36", "25/36"]


def test_log_tells_the_game_with_what_was_taken_back(run: Run, journal: Path) -> None:
    shown = run("log")
    assert shown.code == 0
    lines = [re.sub(r"\s+", " ", line) for line in shown.out.splitlines()]
    assert any(line.startswith("x 4 ") and "Roll: 6 6 [tray]" in line for line in lines)
    assert any(line.startswith("x => Hit (SK-2, SK-3)") for line in lines)
    assert any("Undone: Roll: 6 6 [keys]" in line for line in lines)
    assert any("Roll: 1 2 (re-rolled) [judge]" in line for line in lines)
    assert any(line.strip() == "3 against 7" for line in lines)
    logged = [json.loads(line) for line in run("log", "--json", "--game", "1").out.splitlines()]
    assert [line["undone"] for line in logged if line["seq"] == 4] == [True, True]
    assert "open" in run("log", "--list").out
    assert json.loads(run("log", "--list", "--json").out)["game"] == 1


def test_log_of_a_game_that_is_gone_from_the_shelf_is_shown_as_written(
    run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SHELF", {})
    shown = run("log")
    assert shown.code == 0
    assert "cannot be judged again" in shown.err
    assert 'shot.range: "near"' in shown.out


def test_export_replays_to_the_same_game(run: Run, journal: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    assert run("export", "-o", str(file)).code == 0
    assert run("export").out == file.read_text(encoding="utf-8")
    assert run("replay", str(file)) == (0, "skirmish: 8 entries judged again, with the same results\n", "")
    assert run("replay", "-", stdin=file.read_bytes()).code == 0


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


def test_lists_are_told_to_programs(run: Run, journal: Path, tmp_path: Path) -> None:
    key = run("key").out.strip()
    assert json.loads(run("key", "--json").out) == [key]
    Passes(journal.parent / PASSES).issue("watch", "192.168.1.20")
    (listed,) = json.loads(run("panel", "--journal", str(journal), "--json").out)
    assert (listed["role"], listed["who"]) == ("watch", "192.168.1.20")
    file = tmp_path / "game.jsonl"
    run("export", "-o", str(file))
    assert json.loads(run("replay", str(file), "--json").out) == {
        "book": "skirmish",
        "entries": 8,
        "outcome": "same",
        "over": None,
    }


def test_a_long_command_says_at_a_terminal_how_far_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        seconds = iter((0.0, 0.1, 0.6, 0.7))
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(progress("games", "abc", partial(next, seconds))) == ["a", "b", "c"]
    assert terminal.getvalue() == "\r1 of 3 games\r2 of 3 games\r\x1b[K"
    assert file.getvalue() == ""


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
    with file.open("rb") as stream:
        assert READER["read"](stream).number == 1
    assert run("players").out == "Anna\n"
    assert run("players", "--json").out == '["Anna"]\n'
    wrong = run("players", "--forget", "Ben")
    assert (wrong.code, wrong.err) == (
        2,
        "referee: --forget Ben: no player is called that; `referee players` lists the names\n",
    )
    assert run("players", "--forget", "Anna").out == "erased from 1 seat\n"
    assert "Anna" not in "".join(run(each).out for each in telling)
    assert run("verify").code == 0, "no name is in what is proven"


def test_drive_takes_names_for_seats_of_the_game(run: Run, journal: Path, tmp_path: Path) -> None:
    new = ["drive", "skirmish", "--journal", str(journal)]
    referee_drive(run, *new, "--player", "north=Anna", "--player", "south=Ben")
    assert beside(journal).names(2) == {"north": "Anna", "south": "Ben"}
    for wrong, message in (
        (["--player", "west=Anna"], "--player west: expected a seat of the game: north, south"),
        (["--player", "north=" + 25 * "x"], "expected a name of at most 24 printable letters"),
    ):
        done = run(*new, *wrong)
        assert done.code == 2
        assert message in done.err
        with Journal(journal, write=False) as left:
            assert len(left.games()) == 2, "nothing was begun"
    assert "--player needs --journal" in run("drive", "skirmish", "--player", "north=Anna").err


def _changed(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_changed('"answer":[6,6]', '"answer":[6,5]'), "game 1, entry 4: was changed"),
        (lambda text: "\n".join(text.splitlines()[:8]), "8 entries were written, 7 are here"),
        (lambda text: "\n".join(text.splitlines()[:-1]), "4 seals were written, 3 are here"),
        (lambda text: "\n".join(text.splitlines()[1:]), "line 1: expected an export"),
        (lambda text: "", "line 1: expected a JSON object"),
        (lambda text: text + "{}\n", "belongs to game None"),
        (lambda text: text + "x\n", "line 14: expected one JSON object"),
        (_changed('"format":3', '"format":4'), "line 1: expected an export of format 1 to 3"),
        (_changed('"format":3', '"format":true'), "line 1: expected an export of format 1 to 3"),
        (_changed('"game":1,"head"', '"game":"1","head"'), "line 1: expected the number of the game"),
        (_changed('"seq":3', '"seq":4'), "entry 3: is missing"),
    ],
)
def test_damaged_export_is_named(
    run: Run, journal: Path, tmp_path: Path, change: Callable[[str], str], message: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(change(run("export").out), encoding="utf-8")
    done = run("replay", str(file))
    assert (done.code, done.out) == (1, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_replay_names_the_first_divergence(run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exported = run("export").out.encode()
    monkeypatch.setattr("tests.session.skirmish.NEED", {"near": 13, "far": 13})
    done = run("replay", "-", stdin=exported)
    assert done.code == 1
    assert done.err == 'referee: entry 4 (shot.dice) had rulings ["hit"] and now has ["miss"]\n'


def test_verify_says_what_it_proves_and_what_it_cannot(run: Run, journal: Path) -> None:
    shown = run("verify")
    assert shown.code == 0
    assert "game 1: 8 entries verified, head " in shown.out
    assert "All games are one sequence of 1 link, none missing" in shown.out
    assert "does not show" in shown.out
    head = shown.out.split("head ")[1][:12]
    assert f"{head} is entry 7 of game 1" in run("verify", "--head", head).out
    wrong = run("verify", "--head", "00000000000")
    assert (wrong.code, "no entry has the hash" in wrong.err) == (1, True)
    journal.write_bytes(journal.read_bytes().replace(b"[6,6]", b"[5,6]"))
    damaged = run("verify")
    assert damaged.code == 1
    assert "game 1, entry 4: was changed" in damaged.err


def test_drive_writes_and_takes_up_again(run: Run, journal: Path) -> None:
    new = ["drive", "skirmish", "--journal", str(journal), "--set", "limit=2"]
    first = referee_drive(run, *new, stdin=b'{"answer":"shoot"}\n{"answer":"far"}\n')
    again = referee_drive(run, "drive", "skirmish", "--journal", str(journal), "--resume")
    assert again == first[-1:]
    assert first[-1]["n"] == 3
    refused = run("drive", "skirmish", "--resume")
    assert refused.code == 3
    assert "name a journal" in refused.err


def referee_drive(run: Run, *arguments: str, stdin: bytes = b"") -> list[dict[str, Any]]:
    done = run(*arguments, stdin=stdin)
    assert (done.code, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["drive", "chess"], 2, "no game 'chess' on the shelf"),
        (["drive", "skirmish", "--ruling", "duel"], 2, "no ruling 'duel'; it offers: shot"),
        (["drive", "skirmish", "--set", "limit=9"], 2, "limit: expected one of 3, 2"),
        (["drive", "skirmish", "--set", "weather=fair"], 2, "no switch 'weather'; known: limit, fog"),
        (["drive", "skirmish", "--set", "fog"], 2, "expected SWITCH=VALUE, got 'fog'"),
        (["drive", "skirmish", "--resume", "--ruling", "shot"], 2, "leave out --set and --ruling"),
        (["drive"], 2, "required: GAME"),
        (["sing"], 2, "there is no command 'sing' (see referee --help)"),
        (["odd"], 2, "there is no command 'odd'; did you mean 'odds'?"),
        (["odds", "skirmsh"], 2, "no game 'skirmsh' on the shelf; there are: skirmish; did you mean 'skirmish'?"),
        (["log", "1", "--game", "2"], 2, "game 1 and --game 2: expected one of them"),
        (["log", "7"], 3, "has no game 7"),
        (["odds", "chess"], 2, "no game 'chess'"),
        (["replay", "/nowhere/game.jsonl"], 2, "/nowhere/game.jsonl: No such file"),
        (["play", "--port", "http"], 2, "expected a port"),
        (["log", "--journal", "/nowhere/journal.db"], 3, "/nowhere/journal.db: there is no journal"),
        (["verify", "--journal", "/nowhere/journal.db"], 3, "there is no journal"),
        (["log", "--game", "7"], 3, "has no game 7; `referee log --list` lists them"),
        (["export", "--game", "x"], 2, "invalid int value"),
        (["export", "-o", "/nowhere/game.jsonl"], 2, "/nowhere/game.jsonl: No such file"),
        (["drive", "skirmish", "--journal", "/dev/null/journal.db"], 3, "/dev/null/journal.db cannot be written"),
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


def test_journal_held_by_a_station_is_told(run: Run, journal: Path) -> None:
    with Journal(journal):
        busy = run("drive", "skirmish", "--journal", str(journal))
        assert (busy.code, "another station" in busy.err) == (3, True)
        assert run("log").code == 0


def test_browsers_that_were_let_in_are_listed_and_put_out(run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "panel" / "journal.db"
    journal.parent.mkdir()
    passes = Passes(journal.parent / "panel.json")
    named = ("--journal", str(journal))
    assert run("panel", *named).out == "No browser of the network was let in\n"
    first, second = passes.issue("judge", "192.168.1.20"), passes.issue("seat-2", "192.168.1.21")
    ids = [each.id for each in passes.listed()]
    assert run("panel", *named).out == f"{ids[0]}  judge    192.168.1.20\n{ids[1]}  seat-2   192.168.1.21\n"
    wrong = run("panel", "--revoke", "00000000", *named)
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)
    assert "no browser 00000000" in wrong.err
    assert run("panel", "--revoke", ids[0], *named).out.endswith("revoked\n")
    assert (passes.role(first), passes.role(second)) == ("", "seat-2")
    assert run("panel", "--revoke", "all", *named).code == 0
    assert passes.listed() == []
    (journal.parent / "panel.json").write_text("{}")
    damaged = run("panel", *named)
    assert (damaged.code, damaged.err.count("\n")) == (4, 1)


def test_every_command_has_help_with_its_exit_codes(run: Run) -> None:
    top = run("--help")
    commands = ["play", "run", "panel", "drive", "games", "odds"]
    commands += ["log", "export", "replay", "verify", "check", "key"]
    assert "examples:" in top.out
    for name in commands:
        assert re.search(rf"^    {name}\b", top.out, re.MULTILINE), name
        shown = run(name, "--help")
        assert (shown.code, shown.err) == (0, "")
        assert "exit codes:" in shown.out
    assert run("--version").out.startswith("referee ")


def test_examples_of_the_help_are_commands(run: Run) -> None:
    for name in ("", "play", "panel", "drive", "odds", "log", "export", "verify"):
        text = run(*([name] if name else []), "--help").out
        examples = text.split("examples:\n")[1].split("\n\n")[0]
        for line in examples.splitlines():
            words = re.split(r"\s{3,}| \|", line.strip())[0].split()
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
    monkeypatch.setenv("REFEREE_JOURNAL", "/srv/j.db")
    assert journal_path() == Path("/srv/j.db")


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
    assert run("run", "--no-panel") == (4, "", "referee: no box is wired here\n")
    assert (asked[1].panel, asked[1].browser) == (False, None)


def test_importing_the_command_line_is_cheap() -> None:
    code = "import sys, referee.cli; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    heavy = {"PIL", "starlette", "uvicorn", "websockets", "gpiozero", "luma", "sqlite3", "asyncio", "referee.games"}
    assert heavy & set(done.stdout.split()) == set()


def driven() -> subprocess.Popen[bytes]:
    """Drive a single ruling in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "referee", "drive", "battle-of-the-ring", "--ruling", "attack"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )


def test_reader_that_goes_away_ends_it_cleanly() -> None:
    child = driven()
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    child.stdin.write(b'{"state":true}\n')
    child.stdin.close()
    assert (child.wait(timeout=30), child.stderr.read()) == (141, b"")
    child.stderr.close()


def test_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "referee", "odds"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "referee: No space left on device\n")


@pytest.mark.parametrize(
    ("closed", "code", "message"),
    [
        ("games >&-", 0, ""),
        ("replay - <&-", 1, "referee: line 1: expected a JSON object, got an empty line\n"),
        ("drive battle-of-the-ring <&- >&-", 0, ""),
    ],
)
def test_streams_that_are_closed_are_no_fault(closed: str, code: int, message: str) -> None:
    line = f'exec "{sys.executable}" -m referee {closed}'
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (code, message)


@pytest.mark.parametrize(
    "name", ["journal.db", "journal.db-new", "referee.key", "referee.pub", "players.json", PASSES, "linked"]
)
def test_an_export_is_never_written_over_what_belongs_to_the_journal(run: Run, journal: Path, name: str) -> None:
    (journal.parent / "linked").hardlink_to(journal)
    before = {path: path.read_bytes() for path in journal.parent.iterdir()}
    done = run("export", "-o", str(journal.parent / name))
    assert (done.code, done.out) == (2, "")
    assert "belongs to the journal; expected another file" in done.err
    after = {path: path.read_bytes() for path in journal.parent.iterdir() if path in before}
    assert after == before


@pytest.mark.parametrize("named", ["/", ".", "..", "circle"])
def test_a_path_that_is_no_file_is_told(
    run: Run, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "circle").symlink_to("circle")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_JOURNAL", named)
    done = run("log")
    assert (done.code, done.out) == ((3, "") if named == "circle" else (2, ""))
    assert done.err.count("\n") == 1


def test_ctrl_c_ends_it_cleanly() -> None:
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job of a shell ignores
    try:
        child = driven()
    finally:
        signal.signal(signal.SIGINT, ours)
    assert child.stdout is not None
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=30) == 130  # while more could still come: the end of the input would end it, too
    assert child.communicate() == (b"", b"")


def test_terminal_without_the_letters_ends_no_command() -> None:
    done = referee("games", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nazg\\xfbl" in done.stdout


def test_a_switch_that_is_set_twice_is_refused(run: Run) -> None:
    done = run("drive", "skirmish", "--set", "limit=2", "--set", "limit=3")
    assert (done.code, done.out) == (2, "")
    assert "--set limit is given twice" in done.err


def test_the_log_says_where_each_face_came_from_and_what_was_corrected(run: Run, journal: Path) -> None:
    with Journal(journal) as opened:
        session = Session(BOOK, journal=opened)
        session.bundle("both-near", source="keys")
        session.answer([5, 1], origins=[Origin("keys"), Origin("serial-dice", "A7")], source="keys")
        session.correct_throw([6, 2], right="judge", source="judge")
    shown = run("log").out
    assert "5 1  [5 keyed, 1 serial dice A7]" in shown
    assert "The judge corrects the throw: 5→6, 1→2  [judge]" in shown
    assert "6 2 (corrected)  [judge]" in shown


def test_alone_it_says_what_there_is(run: Run) -> None:
    assert run() == run("--help")


def test_a_word_of_a_game_s_id_is_enough(run: Run) -> None:
    assert run("odds", "skir").out == run("odds", "skirmish").out


def test_a_table_whose_cells_come_out_differently_or_not_in_36_is_told_in_per_cent() -> None:
    def cell(row: str, *odds: tuple[str, Fraction]) -> Cell:
        return Cell(row, "", tuple(Chance(text.lower(), text, chance) for text, chance in odds), "")

    rows = [
        cell("one", ("Hit", Fraction(1, 7)), ("Miss", Fraction(6, 7))),
        cell("two", ("Hit", Fraction(1, 36)), ("Both", Fraction(35, 36))),
    ]
    shown = text.tables(replace(BOOK, tables={"odd": lambda: rows}))
    assert [line.split() for line in shown] == [
        ["Skirmish:", "odd"],
        ["row", "column", "Hit", "Miss", "Both", "printed"],
        ["one", "14.3%", "85.7%", "-"],
        ["two", "2.8%", "-", "97.2%"],
    ]


def test_a_game_of_the_journal_is_named_by_its_number(run: Run, journal: Path) -> None:
    assert run("log", "1").out == run("log", "--game", "1").out == run("log", "1", "--game", "1").out
    assert run("export", "1").out == run("export").out


def test_what_is_proved_and_judged_again_is_told_to_programs(run: Run, journal: Path) -> None:
    with Journal(journal, write=False) as opened:
        (game,) = opened.games()
    proved = json.loads(run("verify", "--json", "--head", game.head[:12]).out)
    (one,) = proved["games"]
    assert (one["game"], one["entries"], one["head"]) == (1, game.entries, game.head)
    assert one["seals"] >= 1
    assert one["sealed"] <= game.entries
    assert len(one["keys"]) == 1
    assert proved["noted"][0].startswith(f"{game.head[:12]} is entry {game.entries - 1} of game 1: it, and all")
    assert run("check").out.endswith("1 game judged again, with the same results\n")
    (verdict,) = json.loads(run("check", "--json").out)
    assert (verdict["game"], verdict["outcome"], verdict["entries"]) == (1, "same", game.entries)


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


class Terminal(io.StringIO):
    """A terminal that shows nothing."""

    def isatty(self) -> bool:
        return True


def test_a_shell_completes_commands_options_and_games(tmp_path: Path) -> None:
    script = referee("completion").stdout
    asks = """
    complete_() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _referee; echo "${COMPREPLY[*]}"; }
    complete_ referee od
    complete_ referee odds w
    complete_ referee log --li
    complete_ referee ''
    """
    done = subprocess.run(["bash", "-c", script + asks], capture_output=True, text=True, check=True)
    odds, game, option, commands = done.stdout.splitlines()
    assert (odds, game, option) == ("odds", "war-of-the-ring", "--list")
    assert set(commands.split()) >= {"play", "run", "hall", "verify"}
