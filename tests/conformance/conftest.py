"""Counting answer sequences, as chess programs count moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games import load
from referee.rulebook import Play
from referee.testing.random_table import count_sequences

Perft = Callable[..., list[int]]


@pytest.fixture
def perft() -> Perft:
    """Return what counts the answer sequences of length 1 to ``depth``, after some answers have been given."""

    def counted(game: str, ruling: str | None, depth: int, answers: tuple[Any, ...] = ()) -> list[int]:
        play = Play(load(game), {}, ruling)
        for answer in answers:
            play.answer(answer)
        return [count_sequences(play, each) for each in range(1, depth + 1)]

    return counted
