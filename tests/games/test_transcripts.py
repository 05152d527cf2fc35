"""Every word, reason, chance and number of the games, as kept: a change that nobody meant shows."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from referee import games
from tests.games.transcripts import FOLDER, transcript


@pytest.mark.parametrize("book", [book.id for book in games.books()])
def test_a_game_asks_and_rules_as_kept(book: str) -> None:
    """If the change is meant: ``python -m tests.games.transcripts``, and read the difference."""
    kept = (FOLDER / f"{book}.txt").read_text(encoding="utf-8").splitlines()
    for number, (before, now) in enumerate(zip_longest(kept, transcript(book).splitlines()), 1):
        assert now == before, f"from line {number} on"


def test_nothing_is_kept_of_a_game_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {book.id for book in games.books()}
