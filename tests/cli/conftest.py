"""A journal with a game, and the command line in this process."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from referee import games
from referee.cli import main
from referee.journal import Journal
from referee.session import Session, Submission
from tests.cli.running import Done, Run
from tests.session.skirmish import BOOK


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with one game of the skirmish in it, where the commands look for it."""
    path = tmp_path / "journal.db"
    monkeypatch.setenv("REFEREE_JOURNAL", str(path))
    with Journal(path) as opened:
        session = Session(BOOK, journal=opened, source="keys", wall=lambda: 1_700_000_000.0)
        session.bundle(Submission("both-near", source="keys"))
        session.answer(Submission([6, 6], source="tray"))
        session.undo(source="keys")
        session.answer(Submission([1, 2], mode="reroll", source="judge"))
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
