"""What answers end: no default ends what another answer leaves open, and an answer that ends something says so.

Every question at which Select sends something is reached, by a number of steps and not by a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import GEN_CLOSED, getgeneratorstate
from typing import Any

import pytest

from referee import games
from referee.console.cards.asks import Sending, select_sends
from referee.errors import Refused
from referee.rulebook import ANYBODY, Choose, Count, Play
from referee.session.prompt import read_prompt
from referee.testing.conformance import Variant, variants
from tests.kept import BOOKS

FEW, MANY = 300, 4000
"""Random answers of a whole game with its usual rules; the others get a tenth."""
QUESTIONS = {
    "battle-of-the-ring": 33,
    "middle-earth-the-wizards": 48,
    "riddle-of-the-ring": 25,
    "war-of-the-ring": 38,
}
"""At how many questions Select sends something: the many answers reach each."""
ASSAULT = ("shadow", "siege", 5, 1, 0, 5, 0, 0, "none", "none", [1] * 5, [6, 1, 1, 1, 1])
"""How a battle begins: one hit on an assault whose last Elite it may cost, where random answers seldom come."""
SAYS = re.compile(
    r"\b(?:no more|ends?|over|cancel|stop|surrender|done|leave the rest|new turn|wins|a tie|nobody is left|everybody|"
    r"has won|another company|cease|retreat|into the stronghold)\b",
    re.IGNORECASE,
)
"""Words of an answer that ends something."""
AT_THE_END = {"End of the phase", "Game over"}
"""Sections, and the words in the band, of questions that are asked at an end: whatever is answered is part of it."""
LAST = {"build.empty": "The last army that can be built stands"}
"""Questions one of whose answers leaves nothing to do, and why that needs no word of its own."""


def selects(play: Play) -> list[Sending]:
    """Return what Select can send as the question appears: any option may be the one that is remembered."""
    prompt = read_prompt(play, 1, None)
    assert prompt is not None
    free = prompt.kind == "choose" and prompt.default is None
    remembered = [option.id for option in prompt.options if option.id != prompt.passing] if free else []
    return [each for last in (None, *remembered) if (each := select_sends(prompt, last)) is not None]


def ended(play: Play, answers: Iterable[Any], variant: Variant, *, on: bool = False) -> set[str] | None:
    """Give some answers; return what they ended, None if one is refused. All is taken back.

    ``on``: then let Select answer wherever the book says that it may go on.
    """
    here, seat, place, lasting = len(play.moves), play.game.seat, play.game.place(), play.lasting
    try:
        for answer in answers:
            play.answer(answer)
        for _ in range(20 if on else 0):
            if play.ask is not None and play.ask.key in variant.book.onward and (sends := selects(play)):
                for answer in sends[0].answers:
                    play.answer(answer)
    except Refused:
        return None
    else:
        if play.over is not None and variant.ruling is None:
            return {"the game", "the turn", "the phase"} | {section.title for section, _ in lasting}
        names = {section.title for section, run in lasting if getgeneratorstate(run) == GEN_CLOSED}
        names |= {"the turn"} if seat not in (ANYBODY, play.game.seat) else set()
        return names | ({"the phase"} if play.over is None and play.game.place() != place else set())
    finally:
        play.rewind(here)


def answers_of(play: Play) -> list[Any]:
    """Return the open answers of a question that offers several, of a count the first ten."""
    ask = play.ask
    if isinstance(ask, Choose):
        return [option.id for option in ask.options()]
    numbers = range(ask.low, min(ask.high, ask.low + 9) + 1) if isinstance(ask, Count) else ()
    return [number for number in numbers if isinstance(ask, Count) and ask.bar(number) is None]


def faults(play: Play, variant: Variant) -> set[str]:
    """Return what is wrong with the answers of the pending question: defaults that end, labels that do not say so."""
    ask = play.ask
    assert ask is not None
    about = {ask.head, *(section.title for section in play.crumbs)}  # read now: what is tried brings another state
    labels = [((option,), ask.among.words(option)) for option in answers_of(play)] if isinstance(ask, Choose) else []
    labels += [(bundle.answers, bundle.text) for bundle in ask.offered()]
    plain = {answer: ended(play, (answer,), variant) or set() for answer in answers_of(play)}

    def left_open(name: str) -> bool:
        others = (answer for answer, names in plain.items() if name not in names)
        return any(name not in (ended(play, (answer,), variant, on=True) or {name}) for answer in others)

    onward = variant.book.onward.get(ask.key)
    wrong: set[str] = set()
    for sending in selects(play):
        another_place = onward is not None and (not onward.answers or sending.name in onward.answers)
        names = (ended(play, sending.answers, variant) or set()) - ({"the phase"} if another_place else set())
        wrong |= {
            f"{ask.key}: Select ({sending.name}) ends {name}, which another answer leaves open"
            for name in filter(left_open, names)
        }
    for answers, label in labels if ask.key not in LAST and not AT_THE_END & about else ():
        names = (ended(play, answers, variant) or set()) - ({"the phase"} if onward is not None else set())
        if not SAYS.search(label) and (ends := [*filter(left_open, names)]):
            wrong.add(f"{ask.key}: {label!r} ends {ends[0]} and does not say so")
    return wrong


@pytest.mark.parametrize("steps", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("book", BOOKS)
def test_no_default_ends_what_another_answer_leaves_open(book: str, steps: int) -> None:
    """E1, in every game: and whatever ends a battle, an attack, a phase, a turn or a game says so."""
    wrong: set[str] = set()
    asked: set[str] = set()
    for variant in variants(games.load(book)):
        usual = variant.ruling is None and not variant.settings
        for table in variant.tables(5, steps if usual else steps // 10):
            for answer in ASSAULT if book == "war-of-the-ring" and variant.ruling != "roll" else ():
                table.play.answer(answer)
            while table.play.ask is not None and table.answered < 400:
                asked |= {table.play.ask.key} if selects(table.play) else set()
                wrong |= faults(table.play, variant)
                table.play.answer(table.legal())
                table.answered += 1
    assert sorted(wrong) == []
    assert steps == FEW or len(asked) == QUESTIONS[book], sorted(asked)
