"""docs/rulebook.md keeps its promise: its game, put where it says, is played, drawn, driven and counted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee import rulebook

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```python (\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
TRANSCRIPTS = re.findall(r"^```transcript\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PATIENCE = 120


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with one folder and one line more, as a stranger would add them."""
    copy = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for name in ("referee", "hardware", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    game = copy / "referee" / "games" / "the_ford"
    game.mkdir()
    (game / "__init__.py").write_text(BLOCKS["the_ford"], encoding="utf-8")
    shelf = copy / "referee" / "games" / "__init__.py"
    before = shelf.read_text(encoding="utf-8")
    assert before.count("SHELF = {\n") == 1
    shelf.write_text(before.replace("SHELF = {\n", "SHELF = {\n" + BLOCKS["shelf"]), encoding="utf-8")
    tests = copy / "tests" / "games" / "the_ford"
    tests.mkdir(parents=True)
    (tests / "test_presses.py").write_text(BLOCKS["test_presses"], encoding="utf-8")
    return copy


def run(house: Path, *module: str, sent: str = "") -> str:
    """Run a module of the copy; it must end well."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    env |= {"REFEREE_CONFORMANCE": "200", "REFEREE_FUZZ": "300", "PYTHONPATH": str(house)}
    done = subprocess.run(
        [sys.executable, "-m", *module],
        cwd=house,
        env=env,
        input=sent,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_suites_that_take_up_every_game_take_up_this_one(house: Path) -> None:
    suites = re.findall(r"^pytest (tests/\S+) -k the-ford", TEXT, re.MULTILINE)
    assert len(suites) == 2
    said = run(house, "pytest", "-q", "-p", "no:cacheprovider", "-k", "the-ford", *suites)
    passed = re.search(r"(\d+) passed", said)
    assert passed
    assert int(passed[1]) >= 20


def test_the_presses_are_what_the_guide_counts(house: Path) -> None:
    assert "1 passed" in run(house, "pytest", "-q", "-p", "no:cacheprovider", "tests/games/the_ford")


def test_it_is_on_the_shelf_with_its_ruling_and_switch(house: Path) -> None:
    said = run(house, "referee", "games")
    assert "the-ford  The Ford, edition 1" in said
    assert "--ruling charge" in said
    assert "--set limit=3 | 2" in said


@pytest.mark.parametrize("transcript", TRANSCRIPTS)
def test_the_transcript_runs_as_printed(house: Path, transcript: str) -> None:
    command, *rest = transcript.splitlines()
    sent = "".join(line[2:] + "\n" for line in rest if line.startswith("< "))
    expected = [line[2:] for line in rest if line.startswith("> ")]
    assert run(house, *command.removeprefix("$ ").split(), sent=sent).splitlines() == expected


def test_the_sample_keeps_the_rules_of_the_house(house: Path) -> None:
    checked = ("referee/games/the_ford", "tests/games/the_ford")
    run(house, "ruff", "check", "--no-cache", *checked)
    run(house, "ruff", "format", "--no-cache", "--check", *checked)
    assert BLOCKS["the_ford"].count("\n") <= 90


def test_the_guide_names_what_the_kit_offers_and_nothing_else() -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    code = " ".join(re.findall(r"`([^`]+)`", prose))
    named = set(re.findall(r"\b[A-Z][A-Za-z]\w+\b", re.sub(r'"[^"]*"', "", code)))
    assert {name for name in named if not hasattr(rulebook, name)} == {"SHELF", "True", "False"}
    named |= set(re.findall(r"\bkit\.(\w+)", TEXT))
    core = {"Choose", "Pick", "Count", "Roll", "Options", "Bar", "Bundle", "Ruling", "Attempt", "MILESTONE", "Switch"}
    assert core | {"Range", "OneOf", "Conceded", "Game", "YES_NO", "ANYBODY", "Over", "Book"} <= named
