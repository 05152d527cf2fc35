"""What is said aloud in games of each book and in an evening at its box: sentences in words, no codes, no signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kept import BOOKS

TESTS = Path(__file__).parents[1]
HEARD = re.compile(r"^(?:heard|aloud): (.+)$", re.MULTILINE)
NOT_FOR_THE_EAR = {
    "a code": r"\b(?=\w*[A-Za-z])(?=\w*\d)(?!\d+(?:st|nd|rd|th)\b)\w+",
    "capitals": r"\b[A-Z]{2,}\b",
    "a letter by itself": r"(?<![Hh]ex )(?<!\w')(?<!')\b(?![AIa]\b)[A-Za-z]\b(?!')",
    "an abbreviation": r"\b(?:Char|Att|Def|Reinf|Reg|Prow|Disc|att|att\.)\b",
    "a sign": r"[^\w\s.,:;?!'()-]|(?<!\w)-\d|\d/|\s-\s",
    "numbers without a word between them": r"\b\d+ \d+\b",
    "no sentence": r"[^.?!]$|^[^A-Z\dÉ(]|[,;:]\.|\?\.|\.\.",
    "an old question": r"\b(?:[Hh]ow (?:many|much)|[Ww]hich) [^.?]+ has\b",
    "half a question": r"(?:^|\. )(?:Initiative of\b|[^.?]*\bhits? on\?)",
    "a sentence twice": r"(?:^|[.?!] )([^.?!]{6,}[.?!]) \1",
}
"""What nobody understands who has not the glass before him."""


def heard(book: str) -> Iterator[str]:
    for folder in ("games", "console"):
        yield from HEARD.findall((TESTS / folder / "kept" / f"{book}.txt").read_text(encoding="utf-8"))


def faults(sentence: str) -> list[str]:
    return [f"{name}: {sentence}" for name, pattern in NOT_FOR_THE_EAR.items() if re.search(pattern, sentence)]


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_heard_are_words_and_sentences(book: str) -> None:
    sentences = list(heard(book))
    assert len(sentences) > 300
    assert [fault for sentence in sentences for fault in faults(sentence)] == []


@pytest.mark.parametrize(
    "wrong",
    [
        "FP lost 2 Elites.",
        "2 PP left.",
        "R5 E1 against R9 E6.",
        "Char 1 left.",
        "BR-45.",
        "O against O.",
        "Orc 25 → 24.",
        "The dice show 5 4.",
        "Minions are gone,",
        "Sauron attacks. Sauron attacks.",
        "Prowess at -3.",
        "How many cards has Merry?",
        "Which prowess and body has who joins?",
        "Initiative of: An Army takes losses?",
        "They hit on?",
    ],
)
def test_the_check_hears_codes_and_fragments(wrong: str) -> None:
    assert faults(wrong)
