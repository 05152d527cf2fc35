"""Every question of a whole game is understood without the glass, and every ruling says whom it is about."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from referee import games
from referee.errors import Refused
from referee.games.the_wizards.company import KNOWN
from referee.rulebook import Play, Ruling, whole
from referee.rulebook.asks import Among
from referee.session import Prompt
from referee.session.prompt import read_prompt
from referee.testing.conformance import variants
from referee.testing.fits import some_answer
from referee.testing.random_table import RandomTable

ANSWERS, GAMES = 300, range(25)
MOST = 16
"""Options of a question that are all tried."""
BOOKS = [book.id for book in games.books()]
COUNTED = re.compile(r"\b([Hh]ow (many|much) [A-Za-z]+|[Hh]azard limit|number|[Ff]orfeit how much|Add how much)\b")
ABOUT = re.compile(r"\b([Tt]he attack|[Tt]he strike|marshalling points|either side|Paths of the Dead|Shire)\b")
"""What a ruling is about where no side is."""
PIECES = {"Ring", "Orc", "Man-Orc", "Elf", "Dwarf", "Hobbit", "Dead", "Fangorn", "Character", "Wizard"}
PIECES |= {known.name for known in KNOWN.values()}
"""What is not among the counters of its game."""


def table(book: str, seed: int) -> RandomTable:
    rulebook = games.load(book)
    return RandomTable(rulebook, rulebook.settings({}), None, seed)


def asked(book: str) -> Iterator[tuple[Play, Prompt]]:
    """Yield each question of whole games with where it is asked."""
    for seed in GAMES:
        each = table(book, seed)
        while each.play.ask is not None and each.answered < ANSWERS:
            prompt = read_prompt(each.play, 0, None)
            assert prompt is not None
            yield each.play, prompt
            each.play.answer(each.legal())
            each.answered += 1


@pytest.mark.parametrize("book", BOOKS)
def test_every_question_is_a_sentence(book: str) -> None:
    wrong = set()
    for _, prompt in asked(book):
        text = whole(prompt.text)
        sentence = (text[0].isupper() or text[0].isdigit()) and text.count(" ") > 0
        if not sentence or not (prompt.kind == "roll" or "?" in text):
            wrong.add((prompt.ask, text))
        if prompt.kind == "roll" and not re.search(r"\b[Rr]oll\b", text):
            wrong.add((prompt.ask, text))
    assert wrong == set()


@pytest.mark.parametrize("book", BOOKS)
def test_every_count_names_what_is_counted(book: str) -> None:
    counts = {(prompt.ask, whole(prompt.text)) for _, prompt in asked(book) if prompt.kind == "count"}
    assert [each for each in counts if not COUNTED.search(each[1])] == []


def names(play: Play) -> set[str]:
    """Return what a ruling may call whom it is about by: a seat, a piece, a character of a company."""
    found = {whole(name) for name in (*play.game.seats().values(), *(pool.name for pool in play.game.pools()))}
    return {name for name in found | PIECES if name}


@pytest.mark.parametrize("book", BOOKS)
def test_every_ruling_names_whom_it_is_about(book: str) -> None:
    wrong = set()
    for seed in GAMES:
        each = table(book, seed)
        while each.play.ask is not None and each.answered < ANSWERS:
            known = names(each.play)
            for event in each.play.answer(each.legal()):
                if isinstance(event, Ruling):
                    says = f"{whole(event.headline)}. {whole(event.need)}. {whole(event.foot)}"
                    if not any(name in says for name in known) and not ABOUT.search(says):
                        wrong.add((event.result, says))
            each.answered += 1
    assert wrong == set()


def outcome(play: Play, answers: Sequence[Any]) -> str | None:
    """Return all that follows from these answers, None where one is refused; nothing is changed."""
    here, told = len(play.moves), []
    try:
        for answer in answers:
            told += [
                (str(event), *event.why) if isinstance(event, Ruling) else event for event in play.answer(answer)
            ]
    except Refused:
        play.rewind(here)
        return None
    ask = play.ask
    said = (json.dumps(play.game.as_json(), sort_keys=True), told, ask and (ask.key, str(ask.text)), str(play.over))
    play.rewind(here)
    return str(said)


@pytest.mark.parametrize("book", BOOKS)
def test_no_bundle_does_what_an_option_does(book: str) -> None:
    """One press of its own for each outcome: with one hit the keys 1 and 6 did the same."""
    twice = set()
    for play, prompt in asked(book):
        # What ends a phase keeps its key, whether or not there is something to ask.
        bundles = [each for each in prompt.bundles if not each.instead and each.answers[0] != prompt.passing]
        if prompt.kind != "choose" or not bundles or len(prompt.options) > MOST:
            continue
        seen = {outcome(play, (option.id,)): option.text for option in prompt.options}
        for each in bundles:
            now = outcome(play, each.answers)
            if now is not None and now in seen:
                twice.add((prompt.ask, seen[now], each.text))
            seen[now] = each.text
    assert twice == set()


TRIES, LINES, FURTHER = 30, 6, 4
"""How often each kind of question is tried; random lines of answers after two options, and their length."""
ALIKE = {
    "battle-of-the-ring": {
        "end.shire": "Whose piece stands there is a fact of the table; that of its owner changes nothing",
        "end.shire-owner": "Sauron states whose the Shire is, or his piece was eliminated and he states nothing",
    },
    "middle-earth-the-wizards": {"strike.resource": "A resource without a number is played, or none is"},
}
"""Questions two of whose options can come to the same, and why both are there."""


def line(play: Play, first: str, seed: int) -> list[str | None]:
    """Return all that follows from an answer and some further ones, by chance; nothing is changed."""
    here, said, chance = len(play.moves), [], random.Random(seed)
    answer: Any = first
    for _ in range(FURTHER):
        said.append(outcome(play, (answer,)))
        play.answer(answer)
        if (prompt := read_prompt(play, 0, None)) is None or prompt.kind == "pick":
            break
        barred = () if prompt.kind == "choose" else prompt.barred
        answer = some_answer(prompt._replace(bundles=(), barred=barred), chance)[1]
    play.rewind(here)
    return said


@pytest.mark.parametrize("book", BOOKS)
def test_no_two_options_do_the_same(book: str) -> None:
    tried: Counter[str] = Counter()
    twice = set()
    for play, prompt in asked(book):
        if prompt.kind != "choose" or len(prompt.options) > MOST or tried[prompt.ask] >= TRIES:
            continue
        tried[prompt.ask] += 1
        same: dict[str | None, list[str]] = {}
        for option in prompt.options:
            same.setdefault(outcome(play, (option.id,)), []).append(option.id)
        for first, *others in same.values():
            for other in others:
                if all(line(play, first, seed) == line(play, other, seed) for seed in range(LINES)):
                    twice.add((prompt.ask, first, other))
    assert len(tried) >= 10
    alike = ALIKE.get(book, {})
    assert [each for each in twice if each[0] not in alike] == []
    assert {each[0] for each in twice} == {*alike}


NUMBER = re.compile(r"[-+]?\d+")


@pytest.mark.parametrize("book", BOOKS)
def test_numbers_are_listed_in_order_and_the_rest_apart(book: str) -> None:
    wrong = set()
    for variant in variants(games.load(book), switches=False):
        for table in variant.tables(3, ANSWERS if variant.ruling else 10 * ANSWERS):
            while table.play.ask is not None and table.answered < ANSWERS:
                ask = table.play.ask
                texts = [whole(each.text) for each in ask.among] if isinstance(ask, Among) else []
                found = [*map(NUMBER.match, texts)]
                numbers = [int(each.group()) for each in found if each]
                at = [place for place, each in enumerate(found) if each]
                if numbers != sorted(numbers) or (at and at[-1] - at[0] >= len(at)):
                    wrong.add((ask.key, *texts))
                table.play.answer(table.legal())
                table.answered += 1
    assert wrong == set()


@pytest.mark.parametrize("book", BOOKS)
def test_all_a_judge_can_set_has_a_name_of_its_own(book: str) -> None:
    for play, _ in asked(book):
        names = [limit.name for limit in play.game.correctable.values()]
        assert len(set(names)) == len(names)
