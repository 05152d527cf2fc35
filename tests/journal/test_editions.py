"""Games of every released edition, judged again by the rulebooks of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from referee.errors import Diverged
from referee.journal.export import Export, read, replay

FOLDER = Path(__file__).with_name("editions")
FILES = sorted(FOLDER.glob("*.jsonl"))


def export_of(file: Path) -> Export:
    with file.open("rb") as stream:
        return read(stream)


def test_every_book_has_a_game_of_the_edition_of_today() -> None:
    wanted = {f"{book.id}-{book.edition}.jsonl" for book in games.books()}
    assert wanted <= {file.name for file in FILES}, "python -m tests.journal.editions writes one"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_kept_game_comes_out_the_same_or_names_the_editions(file: Path) -> None:
    exported = export_of(file)
    played, today = exported.entries[0].edition, games.load(exported.book).edition
    assert file.stem == f"{exported.book}-{played}"
    assert {entry.edition for entry in exported.entries} == {played}
    if diverged := outcome(exported):
        assert played != today, f"{diverged}; a rulebook that judges otherwise needs another edition"
        assert f"judged by edition {played} and now by {today}" in diverged
    assert len(exported.entries) > 40
    assert {"answer", "void"} <= {entry.kind for entry in exported.entries}


def outcome(exported: Export) -> str:
    """Judge a game again; return how it diverges, "" if it comes out the same."""
    try:
        session = replay(exported, games.load)
    except Diverged as fault:
        return str(fault)
    return "" if session.entries == exported.entries else "the entries differ"
