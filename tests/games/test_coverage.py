"""Every rule of the specification is cited by the code of its game, every vector has a test of its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee import games

VECTORS = {
    "battle-of-the-ring": ("BR", {"T": 43}),
    "riddle-of-the-ring": ("RR", {"T": 36}),
    "war-of-the-ring": ("WR", {"S": 4, "T": 47}),
    "middle-earth-the-wizards": ("ME", {"S": 9, "T": 36}),
}
"""The test vectors of the specification: prefix of the chapter, and how many there are of each series."""
NAMED = re.compile(r"(BR|RR|WR|ME)[-_]((?:_?(?:to_)?[ST]\d+)+)")
STEP = re.compile(r"(to_)?([ST])(\d+)")


def texts(folder: Path, book: str, pattern: str) -> str:
    """Return the files of one game below a folder of all."""
    game = folder / games.SHELF[book].partition(":")[0].rpartition(".")[2]
    return "".join(path.read_text(encoding="utf-8") for path in game.glob(pattern))


def named(test: str) -> set[str]:
    """Return the vectors that names of tests claim."""
    ids: set[str] = set()
    for chapter, steps in NAMED.findall(test):
        before = 0
        for upto, series, digits in STEP.findall(steps):
            number = int(digits)
            ids |= {f"{chapter}-{series}{n:02}" for n in range(before + 1 if upto else number, number + 1)}
            before = number
    return ids


@pytest.mark.parametrize("book", VECTORS)
def test_every_rule_is_cited_outside_the_list_of_rules(book: str) -> None:
    text = texts(Path(games.__file__).parent, book, "*.py")
    rules = [rule for rule in games.load(book).rules if not rule.startswith("A-")]
    assert len(rules) > 30
    assert [rule for rule in rules if not re.search(f'"{rule}"(?!:)', text)] == []


@pytest.mark.parametrize("book", VECTORS)
def test_every_vector_has_a_test_that_names_it(book: str) -> None:
    chapter, series = VECTORS[book]
    wanted = {f"{chapter}-{s}{n:02}" for s, most in series.items() for n in range(1, most + 1)}
    assert wanted - named(texts(Path(__file__).parent, book, "test_*.py")) == set()
