"""What is said aloud in games of each book and in an evening at its box: sentences in words, no codes, no signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from referee import games
from referee.console.speech import sentence
from referee.rulebook import Ruling
from referee.session.log import words
from referee.session.prompt import read_prompt
from referee.testing.conformance import variants
from referee.testing.random_table import RandomTable
from tests.console.evenings import moments
from tests.kept import BOOKS

GAME, SINGLE, GESTURES = 400, 24, 200
"""Answers of a whole game with its usual rules, and of each of the others; gestures at the box."""
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
    """Yield what a voice may say of a book, as sentences in whole words."""
    for variant in variants(games.load(book)):
        answers = GAME if variant.ruling is None and not variant.settings else SINGLE
        for table in variant.tables(1, answers):
            while table.play.ask is not None and table.answered < answers:
                yield from filter(None, map(sentence, (*question(table), *answer(table))))
            yield from [sentence(table.play.over.text)] if table.play.over and table.play.over.text else []
    for bench, hands in moments(book, GESTURES):
        hands.act()
        yield bench.view.speech().aloud


def question(table: RandomTable) -> Iterator[str]:
    prompt = read_prompt(table.play, 0, None)
    assert prompt is not None
    yield from (prompt.head, prompt.text, *prompt.place, prompt.need, prompt.need_note)
    yield from (each.text for each in prompt.among)
    yield from (each.text for each in prompt.bundles)
    yield from (each.bar.text for each in prompt.barred)
    yield from (line for _, line in prompt.notes)
    for odds in (table.play.odds(), table.play.outlook() if table.answered % 40 == 0 else None):
        yield from [] if odds is None else [each.text for each in odds]
    yield from (*(pool.name for pool in table.play.game.pools()), *table.play.game.seats().values())


def answer(table: RandomTable) -> Iterator[str]:
    ask = table.play.ask
    assert ask is not None
    value = table.legal()
    yield words(ask, value)
    for event in table.play.answer(value):
        if isinstance(event, Ruling):
            yield from (event.headline, event.need, event.foot, *event.to_do, *event.why)
        else:
            yield event.text
    table.answered += 1


def faults(sentence: str) -> list[str]:
    return [f"{name}: {sentence}" for name, pattern in NOT_FOR_THE_EAR.items() if re.search(pattern, sentence)]


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_heard_are_words_and_sentences(book: str) -> None:
    sentences = {*heard(book)} - {""}
    assert len(sentences) > 300
    assert [fault for each in sentences for fault in faults(each)] == []


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
