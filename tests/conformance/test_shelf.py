"""What every game on the shelf must keep, whatever the players do.

``REFEREE_CONFORMANCE`` is the number of random answers a check gets with one variant of a book (default 120).
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from referee import games
from referee.rulebook import Book
from referee.testing.conformance import BOOK_CHECKS, CHECKS, Report, Variant, variants

MANY = int(os.environ.get("REFEREE_CONFORMANCE", "48"))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("variant", [v for book in games.books() for v in variants(book)], ids=lambda v: v.name)
def test_a_variant_keeps(variant: Variant, check: Callable[[Variant, int, Report], None]) -> None:
    check(variant, MANY, Report())


@pytest.mark.parametrize("check", BOOK_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_a_book_keeps(book: Book, check: Callable[[Book, Report], None]) -> None:
    check(book, Report())


@pytest.mark.parametrize("game", ["battle-of-the-ring", "war-of-the-ring", "middle-earth-the-wizards"])
def test_throws_are_compared_with_their_odds(game: str) -> None:
    """The check of the odds would pass, too, if it found nothing to compare."""
    report = Report()
    check = next(check for check in CHECKS if check.__name__ == "odds_match_the_rulings")
    for variant in variants(games.load(game), switches=False):
        check(variant, MANY, report)
    assert report.compared > 4 * MANY
