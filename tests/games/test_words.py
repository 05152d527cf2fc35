"""What is said of games of each book, and aloud in an evening at its box: sentences in words, no codes, no signs.

A reason is a sentence for people when its whole words are shown as one (a capital or a number, and a full stop), have
a verb, also before a colon, and a voice reads them as they stand. What a ruling tells is told once: as headline, as
what changed, as an order or as a reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from referee import games
from referee.console.speech import sentence
from referee.rulebook import Count, Ruling, Short, phrase, whole, written
from referee.rulebook.asks import Among
from referee.session.log import answer_words, asked
from referee.session.prompt import read_prompt
from referee.station.news import told
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
    yield asked(ask.text, answer_words(ask, value))
    for event in table.play.answer(value):
        if isinstance(event, Ruling):
            yield from (event.headline, event.need, event.foot, *event.to_do, *event.why)
        else:
            yield event.text
    table.answered += 1


def heard_wrong(sentence: str) -> list[str]:
    return [f"{name}: {sentence}" for name, pattern in NOT_FOR_THE_EAR.items() if re.search(pattern, sentence)]


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_heard_are_words_and_sentences(book: str) -> None:
    sentences = {*heard(book)} - {""}
    assert len(sentences) > 300
    assert [fault for each in sentences for fault in heard_wrong(each)] == []


# -- the reasons of rulings and refusals

NAMELESS = re.compile(
    r"\bthere\b(?! is)|\b(?:here|such)\b|\bThat (?!makes)|^(?:Its?|Has|Had|Is|Was|Not|Already|In|Built|More)\b(?! S)"
)
"""What leaves open who, what or where, where nothing stands beside it."""
RULED, RULED_SINGLY = 4000, 300
"""Random answers of a whole game with its usual rules, and of each of the others."""
VERBS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|may|must|does|do|goes|go|went|took|takes|gets|gave|draws|needed|laid|makes?|"
    r"beats?|equals|reach|stands?|stood|stays?|sees|rolled|discards?|drawn|ceases|leaves|belongs|"
    r"strength attacks|lost (?:\d+|no)|left the|card cancelled)\b",
    re.IGNORECASE,
)
"""Those of the books' own words. "Attacks", "lost" and "left" are none by themselves: "2 attacks", "1 Elite lost"."""
STARTS, ENDS = re.compile(r"[A-ZÉ\d]"), re.compile(r"[^.,;:]\.$")


def rulings(book: str) -> Iterator[Ruling]:
    for variant in variants(games.load(book)):
        answers = RULED if variant.ruling is None and not variant.settings else RULED_SINGLY
        for table in variant.tables(7, answers):
            while table.play.ask is not None and table.answered < answers:
                yield from (each for each in table.play.answer(table.legal()) if isinstance(each, Ruling))
                table.answered += 1


def barred(book: str) -> Iterator[str]:
    """Yield why each option is not open, in games of random answers and of what cards override."""
    for variant in variants(games.load(book)):
        answers = RULED if variant.ruling is None and not variant.settings else RULED_SINGLY
        for table in variant.tables(11, answers):
            while (ask := table.play.ask) is not None and table.answered < answers:
                if isinstance(ask, Among):
                    yield from (entry.bar.text for entry in ask.barred())
                elif isinstance(ask, Count):
                    bars = (ask.bar(number) for number in range(ask.low, ask.high + 1))
                    yield from (bar.text for bar in bars if bar is not None)
                forced = table.override() if table.random.random() < 0.1 else None
                table.play.answer(table.legal() if forced is None else forced, override=forced is not None)
                table.answered += 1


def faults(text: str) -> list[str]:
    """Return what is wrong with the whole words of a reason."""
    shown = written(text)
    wrong = [
        ("begins or ends as no sentence does", not (STARTS.match(shown) and ENDS.search(shown))),
        ("has no verb", not all(VERBS.search(part) for part in re.findall(r"^[^:]*(?=:)|^.*$", shown))),
        ("has signs, a code or a rule in it", sentence(text) != shown),
    ]
    return [f"{name}: {shown}" for name, there in wrong if there] + heard_wrong(shown)


def told_wrong(ruling: Ruling) -> list[str]:
    """Return what is wrong with the reasons of a ruling, and with what is told of it."""
    texts = [each if isinstance(each, str) else each[1] for each in ruling.reasons]
    wrong = [fault for text in texts if whole(text) for fault in faults(text)]
    news = told(ruling)
    lines = [news["headline"], news["changed"], *news["to_do"], *news["why"]]
    times = Counter(re.sub(r" \([A-Z]+-[A-Z]*\d+\)|\W+$", "", line).casefold() for line in lines if line)
    wrong += [f"told twice: {line}" for line in times if times[line] > 1]
    return wrong + ([] if news["why"] else [f"tells no reason: {ruling.headline}"])


@pytest.mark.parametrize("book", BOOKS)
def test_each_reason_is_a_sentence(book: str) -> None:
    wrong: dict[str, str] = {}
    seen = 0
    for ruling in rulings(book):
        seen += 1
        for fault in told_wrong(ruling):
            wrong.setdefault(re.sub(r"\d+", "1", fault), fault)
    assert seen > 300
    assert [*wrong.values()] == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_refusal_says_who_and_where(book: str) -> None:
    """E6: on the glass and in a log it stands by itself, without the option that was not open."""
    texts = {whole(text) for text in barred(book)}
    assert len(texts) > 10
    assert [text for text in sorted(texts) if NAMELESS.search(text)] == []


def test_what_is_told_is_told_once_and_with_its_rule() -> None:
    foot = Short("Orc 25→24", "Orc goes from 25 to 24")
    why = (("BR-49", Short("out", "the attacker is eliminated")), foot, Short("BR-X17", ""), ("BR-45", "It is so"))
    ruling = Ruling("out", "Orc out", ("BR-45", "BR-49"), why, foot=foot)
    assert ruling.told == ("The attacker is eliminated (BR-49).", "It is so (BR-45).")
    assert ruling.why == ("out", "Orc 25→24", "BR-X17", "It is so (BR-45)")
    assert told_wrong(ruling) == []
    assert told_wrong(Ruling("out", "It is so", (), ("It is so", phrase("It is out"), phrase("It is out"))))
