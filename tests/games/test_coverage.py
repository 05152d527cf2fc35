"""Every rule of the specification is cited by the code of its game, every vector has a test of its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from tests.games.conftest import VECTORS, cited, named

HERE = Path(__file__).parent


@pytest.mark.parametrize("book", VECTORS)
def test_every_rule_is_cited_outside_the_list_of_rules(book: str) -> None:
    done, rules = cited(book)
    assert rules > 30
    assert done == rules


@pytest.mark.parametrize("book", VECTORS)
def test_every_vector_has_a_test_that_names_it(book: str) -> None:
    chapter, series = VECTORS[book]
    folder = HERE / games.SHELF[book].partition(":")[0].rpartition(".")[2]
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("test_*.py"))
    there = set(named(text))
    wanted = {f"{chapter}-{s}{n:02}" for s, most in series.items() for n in range(1, most + 1)}
    assert wanted - there == set()
