"""Every word, reason, chance and number of the games, as kept: a change that nobody meant shows."""

from __future__ import annotations

import pytest

from tests.games.transcripts import FOLDER, transcript
from tests.kept import BOOKS, compare


@pytest.mark.parametrize("book", BOOKS)
def test_a_game_asks_and_rules_as_kept(book: str) -> None:
    """If the change is meant: ``python -m tests.games.transcripts``, and read the difference."""
    compare(FOLDER, book, transcript(book))
