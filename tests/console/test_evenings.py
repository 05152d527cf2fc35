"""Every screen, sentence, lamp and sound of an evening, as kept: a change that nobody meant shows."""

from __future__ import annotations

import pytest

from tests.console.evenings import FOLDER, evening
from tests.kept import BOOKS, compare


@pytest.mark.parametrize("book", BOOKS)
def test_an_evening_goes_as_kept(book: str) -> None:
    """If the change is meant: ``python -m tests.console.evenings``, and read the difference."""
    compare(FOLDER, book, evening(book))
