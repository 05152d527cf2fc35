"""What a slip of the command line must not cost: a journal, or a check that was never made."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from referee.journal import Journal
from referee.session import Session
from tests.cli.running import referee


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with Journal(path) as store:
        Session(games.load("battle-of-the-ring"), journal=store).answer("placed")
    return path


@pytest.mark.parametrize("head", ["", "zzzzzzzz", "12"])
def test_a_hash_that_can_be_none_is_no_check(journal: Path, head: str) -> None:
    done = referee("verify", "--journal", str(journal), "--head", head)
    assert done.returncode == 2
    assert "hex digits" in done.stderr


@pytest.mark.parametrize("command", [["log"], ["play", "--no-browser"], ["drive", "battle-of-the-ring"]])
@pytest.mark.parametrize("path", ["", "."])
def test_a_journal_that_is_no_file_is_refused_in_words(command: list[str], path: str) -> None:
    done = referee(*command, "--journal", path)
    assert done.returncode == 2
    assert "expected a file" in done.stderr
    assert "Traceback" not in done.stderr
