"""Rulebooks of other packages: found by entry point, played like any other; a broken one is named and left out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import games

ROOT = Path(__file__).parents[2]
FORD = """
from dataclasses import dataclass
from referee import rulebook as kit

@dataclass
class Ford(kit.Game):
    seat: str = "north"

    def seats(self):
        return {"north": "North", "south": "South"}

def play(game):
    faces = yield kit.Roll("ford.dice", "Roll", 1)
    game.rule(kit.Ruling("wet", "Wet feet", ("F-1",), lambda data: ("Water",), {"faces": faces}))

BOOK = kit.Book(id="the-ford", title="The Ford", edition="1", start=lambda settings: Ford(), play=play)
"""
Install = Callable[[str, str, str], None]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Where packages of strangers are installed."""
    return tmp_path / "site"


@pytest.fixture
def install(elsewhere: Path) -> Install:
    """Install a package of one module: its text, its entry point's name and value."""

    def installed(text: str, game: str, value: str) -> None:
        module = value.partition(":")[0]
        about = elsewhere / f"{module}-1.0.dist-info"
        about.mkdir(parents=True)
        (elsewhere / f"{module}.py").write_text(text, encoding="utf-8")
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
        (about / "entry_points.txt").write_text(f"[referee.rulebooks]\n{game} = {value}\n", encoding="utf-8")

    return installed


def referee(elsewhere: Path, *arguments: str, sent: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        env=os.environ | {"PYTHONPATH": f"{elsewhere}{os.pathsep}{ROOT}"},
        cwd=elsewhere,
        input=sent,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_four_games_use_the_same_door() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"][games.GROUP] == games.SHELF
    assert [book.id for book in games.books()][:4] == list(games.SHELF)
    assert games.labels() == tuple(book.label for book in games.books())


def test_a_game_of_another_package_is_on_the_shelf_and_played(elsewhere: Path, install: Install) -> None:
    install(FORD, "the-ford", "the_ford:BOOK")
    listed = referee(elsewhere, "games", "--json")
    assert listed.returncode == 0, listed.stderr
    assert [book["id"] for book in json.loads(listed.stdout)] == [*games.SHELF, "the-ford"]
    played = referee(elsewhere, "drive", "the-ford", sent='{"answer":[4]}\n')
    messages = [json.loads(line) for line in played.stdout.splitlines()]
    assert [message["type"] for message in messages] == ["prompt", "ruling", "over"]
    assert messages[1]["headline"] == "Wet feet"


@pytest.mark.parametrize(
    ("text", "game", "why"),
    [
        ("import no_such_module", "the-ford", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)", "the-ford", "SystemExit: 3"),
        ("BOOK = 7", "the-ford", "expected a referee.rulebook.Book at broken:BOOK, got int"),
        ("", "the-ford", "has no attribute 'BOOK'"),
        (FORD, "the-weir", "expected the id 'the-weir' as its entry point says, got 'the-ford'"),
        (FORD, "war-of-the-ring", "another rulebook has this id"),
    ],
    ids=["import", "exit", "no-book", "nothing", "other-id", "taken"],
)
def test_a_broken_one_is_named_and_left_out(
    elsewhere: Path, install: Install, text: str, game: str, why: str
) -> None:
    install(text, game, "broken:BOOK")
    listed = referee(elsewhere, "games", "--json")
    assert listed.returncode == 0
    assert [book["id"] for book in json.loads(listed.stdout)] == [*games.SHELF]
    warning = json.loads(listed.stderr)["warning"]
    assert warning.startswith(f"{game} from broken was not loaded: ")
    assert why in warning
    if game not in games.SHELF:
        refused = referee(elsewhere, "drive", game)
        assert refused.returncode == 2
        assert why in refused.stderr


def test_a_station_starts_and_says_which_one_it_left_out(elsewhere: Path, install: Install, tmp_path: Path) -> None:
    install("1 / 0", "the-ford", "broken:BOOK")
    code = f"""
from pathlib import Path
from referee.station import main
from referee.station.loop import Loop
seen = []
Loop.run = lambda self: seen.append(self.console.stage.top.says)
main.play(main.Options(fallback=Path({str(tmp_path / "journal.db")!r}), panel=False))
print(seen)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": f"{elsewhere}{os.pathsep}{ROOT}"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == "[('Not loaded', 'the-ford: ZeroDivisionError: division by zero')]", done.stderr
