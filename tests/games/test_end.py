"""What ends: nothing follows the end of a game, and an answer that ends something says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from inspect import GEN_CLOSED, getgeneratorstate
from typing import Any

import pytest

from referee import games
from referee.console.cards.asks import select_sends
from referee.errors import NotNow, Refused
from referee.rulebook import ANYBODY, Choose, Count, Game, Play, Reminder, Ruling
from referee.session.prompt import read_prompt
from referee.testing.conformance import Variant, variants
from tests.kept import BOOKS

ANSWERS = 3000
"""Random answers and corrections of a whole game with its usual rules; the others get a tenth."""
LONE_WIZARD = ("wizard", "6", "9", "done", 3, "attack", "creature", "2", "7", "0")
"""The only character there is, attacked: corrupted, he leaves neither a target nor a company."""
ENDS = {"battle-of-the-ring": 3, "middle-earth-the-wizards": 2, "riddle-of-the-ring": 1, "war-of-the-ring": 1}
"""In how many ways at least the random answers end a whole game; nobody concedes here."""


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whatever is said of a game that is over fail."""

    def rule(game: Game, ruling: Ruling) -> None:
        assert game.over is None, f"{ruling} after {game.over}"
        game.outbox.append(ruling)

    def remind(game: Game, rule_id: str, text: str) -> None:
        assert game.over is None, f"{rule_id} after {game.over}"
        game.outbox.append(Reminder(rule_id, text))

    monkeypatch.setattr(Game, "rule", rule)
    monkeypatch.setattr(Game, "remind", remind)


@pytest.mark.usefixtures("sealed")
@pytest.mark.parametrize("book", BOOKS)
def test_nothing_follows_the_end(book: str) -> None:
    """E4: also where an answer ends the game in the middle of something else."""
    ends: Counter[str] = Counter()
    for variant in variants(games.load(book)):
        whole = variant.ruling is None
        for table in variant.tables(1, ANSWERS if whole and not variant.settings else ANSWERS // 10):
            play = table.play
            wizards = book == "middle-earth-the-wizards" and whole and "players" not in variant.settings
            if wizards and table.random.random() < 0.5:
                for answer in LONE_WIZARD:
                    play.answer(answer)
                for answer in ("status", "cp", "30"):
                    play.answer(answer)
            while play.ask is not None and table.answered < 400:
                change = table.correction() if table.random.random() < 0.1 else None
                if change is None:
                    play.answer(table.legal())
                else:
                    play.correct(*change)
                table.answered += 1
            if play.ask is None:
                assert play.over is not None
                ends[play.over.reason] += whole
                with pytest.raises(NotNow, match="The game is over"):
                    play.answer("done")
    assert len(+ends) >= ENDS[book], ends


# -- an answer that ends a battle, an attack, a phase, a turn or the game says so, where another leaves it open

FEW, MANY = 300, 4000
"""Random answers of a whole game with its usual rules; the others get a tenth."""
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


def ended(play: Play, answers: Iterable[Any], variant: Variant, *, on: bool = False) -> set[str]:
    """Give some answers; return what they ended. All is taken back.

    ``on``: then let Select answer wherever the book says that it may go on.
    """
    here, seat, place, lasting = len(play.moves), play.game.seat, play.game.place(), play.lasting
    try:
        for answer in answers:
            play.answer(answer)
        for _ in range(20 if on else 0):
            prompt = read_prompt(play, 1, None)
            sends = select_sends(prompt, None) if prompt and prompt.ask in variant.book.onward else None
            for answer in sends.answers if sends else ():
                play.answer(answer)
    except Refused:
        return set()
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
    """Return the labels of the pending question that end something another answer leaves open, and do not say so."""
    ask = play.ask
    assert ask is not None
    about = {ask.head, *(section.title for section in play.crumbs)}  # read now: what is tried brings another state
    if ask.key in LAST or AT_THE_END & about:
        return set()
    labels = [((option,), ask.among.words(option)) for option in answers_of(play)] if isinstance(ask, Choose) else []
    labels += [(bundle.answers, bundle.text) for bundle in ask.offered()]
    plain = {answer: ended(play, (answer,), variant) for answer in answers_of(play)}

    def left_open(name: str) -> bool:
        others = (answer for answer, names in plain.items() if name not in names)
        return any(name not in (ended(play, (answer,), variant, on=True) or {name}) for answer in others)

    wrong: set[str] = set()
    for answers, label in labels:
        names = ended(play, answers, variant) - ({"the phase"} if ask.key in variant.book.onward else set())
        if not SAYS.search(label) and (ends := [*filter(left_open, names)]):
            wrong.add(f"{ask.key}: {label!r} ends {ends[0]} and does not say so")
    return wrong


@pytest.mark.parametrize("steps", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("book", BOOKS)
def test_what_an_answer_ends_it_says(book: str, steps: int) -> None:
    """E1, by a number of steps and not by a time. What Select sends is a check of conformance."""
    wrong: set[str] = set()
    for variant in variants(games.load(book)):
        usual = variant.ruling is None and not variant.settings
        for table in variant.tables(5, steps if usual else steps // 10):
            for answer in ASSAULT if book == "war-of-the-ring" and variant.ruling != "roll" else ():
                table.play.answer(answer)
            while table.play.ask is not None and table.answered < 400:
                wrong |= faults(table.play, variant)
                table.play.answer(table.legal())
                table.answered += 1
    assert sorted(wrong) == []
