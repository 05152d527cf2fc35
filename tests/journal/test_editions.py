"""A kept game of every book, judged again by the rulebooks of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from referee.journal.export import read, replay

FOLDER = Path(__file__).with_name("editions")


@pytest.mark.parametrize("name", games.SHELF)
def test_a_kept_game_comes_out_the_same(name: str) -> None:
    """A rulebook that judges it otherwise needs another edition; `tests.journal.editions` writes a game of that."""
    with (FOLDER / f"{name}-{games.load(name).edition}.jsonl").open("rb") as stream:
        exported = read(stream)
    assert replay(exported, games.load).entries == exported.entries
    assert len(exported.entries) > 40
    assert {"answer", "void"} <= {entry.kind for entry in exported.entries}
