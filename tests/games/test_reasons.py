"""Every reason of every ruling is a sentence for people: in games of random answers, of each book.

A reason is one when its whole words are shown as a sentence (a capital or a number, and a full stop), have a verb,
also before a colon, and a voice reads them as they stand: no sign, code, rule id, abbreviation or fraction. What a
ruling tells is told once: as headline, as what changed, as an order or as a reason.
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
from referee.station.news import told
from referee.testing.conformance import variants
from tests.games.test_ear import faults as heard_wrong
from tests.kept import BOOKS

NAMELESS = re.compile(
    r"\bthere\b(?! is)|\b(?:here|such)\b|\bThat (?!makes)|^(?:Its?|Has|Had|Is|Was|Not|Already|In|Built|More)\b(?! S)"
)
"""What leaves open who, what or where, where nothing stands beside it."""
GAME, SINGLE = 4000, 300
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
        answers = GAME if variant.ruling is None and not variant.settings else SINGLE
        for table in variant.tables(7, answers):
            while table.play.ask is not None and table.answered < answers:
                yield from (each for each in table.play.answer(table.legal()) if isinstance(each, Ruling))
                table.answered += 1


def barred(book: str) -> Iterator[str]:
    """Yield why each option is not open, in games of random answers and of what cards override."""
    for variant in variants(games.load(book)):
        answers = GAME if variant.ruling is None and not variant.settings else SINGLE
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


@pytest.mark.parametrize(
    "wrong",
    [
        "4",
        "Check 7, body 8",
        "Defeat 1/432",
        "Safe 15/36",
        "12 beats body 8+1",
        "Nazgûl 1",
        "BR-X17",
        "WR-X15: To go on, the attacker must reduce an Elite",
        "3 against 2",
        "The defender is out (BR-45)",
        "Free Peoples, 1 hit: 1 Elite lost; 7 Regulars left",
        "Shadow: 5 dice are rolled",
        "The CP are 5",
        "Orc 25→24",
        "Left: nothing",
    ],
)
def test_the_check_finds_fragments_and_codes(wrong: str) -> None:
    assert faults(wrong)


def test_what_is_told_is_told_once_and_with_its_rule() -> None:
    foot = Short("Orc 25→24", "The count of Orc went from 25 to 24")
    why = (("BR-49", Short("out", "the attacker is eliminated")), foot, Short("BR-X17", ""), ("BR-45", "It is so"))
    ruling = Ruling("out", "Orc out", ("BR-45", "BR-49"), why, foot=foot)
    assert ruling.told == ("The attacker is eliminated (BR-49).", "It is so (BR-45).")
    assert ruling.why == ("out", "Orc 25→24", "BR-X17", "It is so (BR-45)")
    assert told_wrong(ruling) == []
    assert told_wrong(Ruling("out", "It is so", (), ("It is so", phrase("It is out"), phrase("It is out"))))
