"""Random answers to each game, legal and illegal: no crash, no dead end, nothing changed by a refusal.

``REFEREE_FUZZ_ANSWERS`` is the number a game gets (default 5,000; `make test-long` asks for 20,000).
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from referee import games
from referee.errors import Refused
from referee.rulebook import BACK, Ask, Book, Choose, Count, Pick, Play, Roll

ANSWERS = int(os.environ.get("REFEREE_FUZZ_ANSWERS", "5000"))
LENGTH = 1500
"""Answers after which a game that has not ended is left for a new one."""

NONSENSE: tuple[Any, ...] = (None, True, -1, 10**9, 3.5, "", "no-such-id", BACK, [], [0, 7], [1] * 9, ["x"], {}, (2,))


def anything(ask: Ask, chance: random.Random) -> Any:
    """Return an answer: mostly one that is open, sometimes one that is barred, sometimes nonsense."""
    if chance.random() < 0.05:
        return chance.choice(NONSENSE)
    if isinstance(ask, Choose):
        among = [o.id for o in ask.among] if chance.random() < 0.1 else [o.id for o in ask.options()]
        ends = [i for i in among if i in ("over", "game-over", ask.passing) and chance.random() < 0.8]
        return chance.choice([i for i in among if i not in ends] or among or [BACK])
    if isinstance(ask, Pick):
        ids = [o.id for o in ask.options()]
        return chance.sample(ids, min(len(ids), chance.randint(ask.low, max(ask.low, min(ask.high, 4)))))
    if isinstance(ask, Count):
        return chance.randint(ask.low, ask.high)
    assert isinstance(ask, Roll)
    return [chance.randint(1, 6) for _ in range(chance.randint(ask.low, ask.dice))]


@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_random_answers_never_crash_stop_or_sneak(book: Book) -> None:
    chance = random.Random(book.id)
    starts: list[tuple[dict[str, Any], str | None]] = [({}, None)] if book.play else []
    starts += [({s.name: value}, None) for s in book.switches for value in s.values[1:] if book.play]
    starts += [({}, ruling) for ruling in book.rulings]
    answered = accepted = refused = run = 0
    while answered < ANSWERS:
        settings, ruling = starts[run % len(starts)]
        play = Play(book, settings, ruling)
        run += 1
        barren = 0
        for _ in range(LENGTH):
            ask = play.ask
            if ask is None:
                break
            before = len(play.moves)
            answered += 1
            try:
                play.answer(anything(ask, chance))
            except Refused:
                refused += 1
                barren += 1
                assert play.ask is ask
                assert len(play.moves) == before
                assert barren < 400, f"no way on from {ask.key}"
            else:
                accepted += 1
                barren = 0
    assert accepted > 0.5 * answered
    assert refused > 0.02 * answered
