"""What answers end: no default ends what another answer leaves open, and an answer that ends something says so.

Every question with a default is reached, by a number of steps and not by a time: each of its answers is tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import GEN_CLOSED, getgeneratorstate
from typing import Any

import pytest

from referee import games
from referee.console.cards.asks import Sending, select_sends
from referee.errors import Refused
from referee.rulebook import ANYBODY, Choose, Count, Pick, Play
from referee.session.prompt import read_prompt
from referee.testing.conformance import Variant, variants
from referee.testing.random_table import RandomTable
from tests.kept import BOOKS

STEPS = 1200
"""Random answers of a whole game with its usual rules; the others get a tenth."""
DEFAULTS = {
    "battle-of-the-ring": 28,
    "middle-earth-the-wizards": 47,
    "riddle-of-the-ring": 24,
    "war-of-the-ring": 25,
}
"""How many questions at which Select sends something the steps reach."""
SAYS = re.compile(
    r"\b(?:no more|ends?|over|cancel|stop|surrender|moves done|leave the rest|new turn|wins|a tie|nobody is left|"
    r"everybody|another company|company \d|has won)\b",
    re.IGNORECASE,
)
"""Words of an answer that ends something."""
ENDING = {"End of the phase", "Game over", "Wizard lost"}
"""Sections and heads of questions that are asked at an end: each answer but the way back is part of it."""


def ended(play: Play, answers: tuple[Any, ...], variant: Variant) -> frozenset[str] | None:
    """Give some answers; return what they ended, None if one is refused. All is taken back."""
    here, seat, place, lasting = len(play.moves), play.game.seat, play.game.place(), play.lasting
    try:
        for answer in answers:
            play.answer(answer)
        over = play.over is not None and variant.ruling is None
        names = {"the game"} if over else {"the turn"} if seat not in (ANYBODY, play.game.seat) else set()
        if over or play.game.place() != place:
            names |= {f"phase {place[-1]}"} if place else set()
        names |= {section.title for section, run in lasting if getgeneratorstate(run) == GEN_CLOSED}
        return frozenset(names)
    except Refused:
        return None
    finally:
        play.rewind(here)


def sent(play: Play) -> list[Sending]:
    """Return what Select can send as the question appears: any option may be the one that is remembered."""
    prompt = read_prompt(play, 1, None)
    assert prompt is not None
    free = prompt.kind == "choose" and prompt.default is None
    remembered = [option.id for option in prompt.options if option.id != prompt.passing] if free else []
    return [each for last in (None, *remembered) if (each := select_sends(prompt, last)) is not None]


def tried(book: str) -> Iterator[tuple[Variant, RandomTable, dict[Any, frozenset[str]]]]:
    """Yield each table at each question at which one of several is chosen, with what each answer would end."""
    for variant in variants(games.load(book)):
        whole = variant.ruling is None and not variant.settings
        for table in variant.tables(5, STEPS if whole else STEPS // 10):
            while (ask := table.play.ask) is not None and table.answered < 400:
                answers: list[Any] = []
                if isinstance(ask, Choose):
                    answers = [option.id for option in ask.options()]
                elif isinstance(ask, Count):
                    answers = [n for n in range(ask.low, min(ask.high, ask.low + 9) + 1) if ask.bar(n) is None]
                ends = {answer: ended(table.play, (answer,), variant) for answer in answers}
                yield variant, table, {answer: names for answer, names in ends.items() if names is not None}
                table.play.answer(table.legal())
                table.answered += 1
