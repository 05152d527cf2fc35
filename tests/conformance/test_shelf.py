"""What every game on the shelf must keep, whatever the players do.

``REFEREE_CONFORMANCE`` is the number of random answers a check gets with one variant of a book (default 120).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

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


SCRIPT = """
import json
from referee import games
from referee.testing.conformance import variants
for book in games.books():
    for variant in variants(book):
        for table in variant.tables(5, 200):
            while table.play.ask is not None and table.answered < 200:
                table.play.answer(table.legal())
                table.answered += 1
            play = table.play
            print(variant.name, json.dumps(play.game.as_json()), play.ask and play.ask.key, play.over)
"""


def test_the_same_answers_give_the_same_state_whatever_the_hash_seed() -> None:
    outputs: list[str] = []
    for seed in ("1", "4242"):
        env: dict[str, Any] = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True)
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") >= len(games.SHELF)
