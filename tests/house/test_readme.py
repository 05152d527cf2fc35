"""The README says what is so: its commands run, its keys lead to a ruling, its pictures are of the running thing."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from referee.cli.main import command
from referee.cli.options import parser
from referee.console.views import Ruling
from referee.games import books
from referee.station.virtual.bench import Bench
from tests.docs import images

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PATIENCE = 60

BLOCKS = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
COMMANDS = [line.partition(" #")[0].split() for block in BLOCKS for line in block.splitlines()]
AT_THE_TABLE = ("play", "run", "doctor", "dice", "reader", "tray", "hall", "card")
"""Commands that need a display, a camera, a player or a Raspberry Pi: here only that they are understood."""


def referee(*arguments: str, journal: Path, sent: str = "") -> str:
    """Run a command as people do; it must end well."""
    done = subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        cwd=journal.parent,
        env={**os.environ, "REFEREE_JOURNAL": str(journal), "PYTHONPATH": str(ROOT)},
        input=sent,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), arguments
    return done.stdout


def test_every_command_runs_as_printed_and_says_something(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    sent = '{"answer":"o-v-o"}\n{"answer":"open"}\n{"answer":[5,4]}\n'
    referee(
        "drive", "battle-of-the-ring", "--ruling", "attack", "--journal", str(journal), journal=journal, sent=sent
    )
    ran = []
    for program, *arguments in COMMANDS:
        if program == "referee" and arguments[0] not in AT_THE_TABLE:
            words, _, file = " ".join(arguments).partition(" > ")
            output = referee(*words.split(), journal=journal)
            assert output, arguments
            if file:
                (tmp_path / file).write_text(output, encoding="utf-8")
            ran.append(arguments[0])
    records = {"log", "export", "report", "replay", "import", "evenings", "verify", "check"}
    assert set(ran) == {"players", "games", "rules", "odds", "drive"} | records
    assert "Defender out" in (tmp_path / "game.jsonl").read_text(encoding="utf-8")


def test_what_needs_a_table_is_understood() -> None:
    for program, *arguments in COMMANDS:
        if program == "referee":
            words = arguments[: arguments.index(">")] if ">" in arguments else arguments
            assert callable(command(parser().parse_args(words).run))
    for name in AT_THE_TABLE:
        assert ["referee", name] in [line[:2] for line in COMMANDS]


def test_the_keys_of_the_first_ruling_lead_to_it(tmp_path: Path) -> None:
    (line,) = re.findall(r"^\*\*1\*\* .*$", TEXT, re.MULTILINE)
    keys = re.findall(r"\*\*(\d)\*\*", line)
    with Bench(tmp_path / "journal.db") as bench:
        bench.key(*keys)
        assert isinstance(bench.view, Ruling)
        assert bench.view.headline == "Defender out"
        assert f"*{bench.view.headline}.*" in TEXT
        assert bench.misfits == []


def test_the_drive_example_is_what_comes_back() -> None:
    (block,) = re.findall(r"^```drive\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    command, *rest = block.splitlines()
    sent = "".join(line[2:] + "\n" for line in rest if line.startswith("< "))
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "referee"
    done = subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        cwd=ROOT,
        input=sent,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=True,
    )
    printed = [json.loads(line[2:]) for line in rest if line.startswith("> ")]
    came = [json.loads(line) for line in done.stdout.splitlines()]
    assert came[-1]["type"] == "over"
    assert len(printed) == len(came) - 1
    for shown, whole in zip(printed, came, strict=False):
        assert shown.items() <= whole.items() if "rules" not in shown else shown["rules"] == whole["rules"]


def test_the_games_it_names_are_on_the_shelf_as_it_says() -> None:
    """A game of your own needs no row here: one folder and one line on the shelf is all."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in re.findall(r"^\|.*`.*\|$", TEXT, re.MULTILINE)
    ]
    shown = {row[1].strip("`"): row for row in rows}
    shelf = {book.id: book for book in books()}
    assert len(shown) >= 4
    for name, (title, _, referees) in shown.items():
        book = shelf[name]
        assert title == book.title
        assert re.findall(r"`([\w-]+)`", referees) == list(book.rulings)
        assert referees.startswith(f"{book.covers}; ")


def test_the_pictures_are_of_the_running_thing() -> None:
    assert re.findall(r"!\[[^]]{20,}\]\(([^)]+)\)", TEXT) == ["docs/images/panel.png", "docs/images/glass.png"]
    with Image.open(images.GLASS) as stored:
        same = stored.convert("RGB").tobytes() == images.glass().convert("RGB").tobytes()
    assert same, "the screens have changed: run `make images`, and look at both pictures"
    with Image.open(images.FOLDER / "panel.png") as stored:
        assert stored.width >= 1000
        assert len(set(stored.convert("L").tobytes())) > 50


@pytest.mark.parametrize("name", ["README.md", "NOTICE"])
def test_it_is_unofficial_and_says_so(name: str) -> None:
    text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
    assert "nofficial" in text
    assert "It ships none of the games" in text
    assert "belong to their owners" in text


def test_the_hardware_is_spoken_of_honestly() -> None:
    assert "**Nothing has run on a real Raspberry Pi yet.**" in TEXT
