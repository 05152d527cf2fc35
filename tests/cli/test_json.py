"""`--json` everywhere: each command of the parser prints JSON and nothing else, and its faults are JSON, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee import doctor, games
from referee.cli import tray
from referee.cli.options import parser
from referee.cli.parsing import Parser
from referee.doctor import Finding
from referee.hall.desk import Desk
from referee.station import main as station
from tests.card.test_card import GOOD
from tests.cli.running import Run


def leaves(command: Parser) -> Iterator[str]:
    """Yield every command that has none below it, as it is typed."""
    if not command.commands:
        yield command.prog.removeprefix("referee ")
    for each in command.commands.values():
        yield from leaves(each)


COMMANDS = list(leaves(parser()))
LINES = {"log", "export", "drive", "reader"}
"""Commands that print an object a line, as the documents say."""

ENDS = {"reader"}
"""Commands that fail with what they run, if that ends."""

ARGUMENTS = {
    "play": "",
    "run": "",
    "doctor": "--no-ask",
    "drive": "skirmish --ruling shot",
    "games": "",
    "rules": "",
    "odds": "",
    "log": "",
    "export": "1",
    "report": "",
    "evenings": "",
    "players": "",
    "replay": "{folder}/game.jsonl",
    "import": "{folder}/game.jsonl",
    "verify": "",
    "check": "",
    "dice": "",
    "reader": "own --config {folder}/referee.toml",
    "tray": "--sheet {folder}/sheet.png --floor 210x148",
    "hall": "--folder {folder}/event --link --no-browser",
    "card check": "{folder}/referee.txt",
    "card apply": "{folder} --root {folder}/root",
}
"""How each is called here; one that is added to the parser must be added."""


@pytest.fixture
def box(journal: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journal's folder, with a card; camera, box and browser answer at once."""
    folder = journal.parent
    (folder / "referee.txt").write_text(GOOD)
    (folder / "root").mkdir()
    (folder / "referee.toml").write_text('[reader]\ncommand = ["echo", "{}"]\n')
    monkeypatch.setattr(tray, "_pictures", lambda: SimpleNamespace(print_sheet=lambda _path, _floor: None))
    monkeypatch.setattr(doctor, "examine", lambda *_, **__: [Finding("keys", "ok", "six keys")])
    for name in ("play", "run"):
        monkeypatch.setattr(station, name, lambda options: options.ready("http://127.0.0.1:8080"))
    return folder


def values(out: str) -> list[Any]:
    return [json.loads(line) for line in out.splitlines()]


def test_every_command_is_called_here() -> None:
    assert list(ARGUMENTS) == COMMANDS


def test_each_prints_json_and_nothing_else(run: Run, box: Path) -> None:
    (box / "game.jsonl").write_text(run("export").out, encoding="utf-8")
    Desk(box / "event").close()
    for name, arguments in ARGUMENTS.items():
        done = run(*name.split(), *arguments.format(folder=box).split(), "--json")
        assert (done.code, done.err) == (0, "") or name in ENDS, name
        assert values(done.out), name
        assert name in LINES or done.out.count("\n") == 1, name


def test_a_slip_in_each_is_one_json_object_on_stderr(run: Run) -> None:
    for name in COMMANDS:
        done = run(*name.split(), "--json", "--no-such")
        assert (done.code, done.out) == (2, "")
        (fault,) = values(done.err)
        assert fault["exit"] == 2
        assert fault["error"].startswith("referee")


def test_what_cannot_be_judged_again_is_json_too(run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "SHELF", {})
    done = run("log", "--json")
    assert [line["seq"] for line in values(done.out)] == [*range(8)]
    (beside_it,) = values(done.err)
    assert beside_it["warning"].startswith("shown as recorded, because it cannot be judged again")
