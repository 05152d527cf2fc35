"""Each rulebook and an oracle written from its printed rules agree on random games; and the oracles are sharp."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.oracles.__main__ import ORACLES
from tests.oracles.war_of_the_ring.outlook import SIGMAS, points

QUESTIONS = {
    "battle-of-the-ring": 35,
    "middle-earth-the-wizards": 52,
    "riddle-of-the-ring": 27,
    "war-of-the-ring": 36,
}
"""How many questions of a game the random answers reach."""


@pytest.mark.parametrize("game", ORACLES)
def test_ten_thousand_answers_come_out_as_the_printed_rules_have_it(game: str) -> None:
    report = import_module(f"{ORACLES[game]}.table").compared(10_000, seed=1)
    assert not report.divergences, "\n".join(map(str, report.divergences))
    assert report.answers == 10_000
    assert report.refused > 800
    assert len(report.questions) == QUESTIONS[game], sorted(report.questions)


@pytest.mark.long
@pytest.mark.parametrize("game", ORACLES)
def test_nineteen_in_twenty_broken_rules_of_an_oracle_are_noticed(game: str) -> None:
    oracle = import_module(f"{ORACLES[game]}.sharpness")
    assert len(oracle.BROKEN) >= 20
    missed = oracle.unnoticed(10_000, seed=1)
    assert len(missed) <= len(oracle.BROKEN) // 20, missed


def test_outlooks_are_what_is_played() -> None:
    beyond = [point for point in points(8, seed=1, samples=150) if point.sigmas > SIGMAS]
    assert not beyond, beyond
