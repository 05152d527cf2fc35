"""Each rulebook and an oracle written from its printed rules agree on random games; and the oracles are sharp."""

from __future__ import annotations

from importlib import import_module

import pytest

ORACLES = {
    "riddle-of-the-ring": "tests.oracles.riddle_of_the_ring",
    "battle-of-the-ring": "tests.oracles.battle_of_the_ring",
    "middle-earth-the-wizards": "tests.oracles.middle_earth_the_wizards",
    "war-of-the-ring": "tests.oracles.war_of_the_ring",
}
"""Game -> package with `table.compared`, `sharpness.BROKEN` and `sharpness.unnoticed`."""
ANSWERS = 20_000
QUESTIONS = {
    "battle-of-the-ring": 35,
    "middle-earth-the-wizards": 52,
    "riddle-of-the-ring": 27,
    "war-of-the-ring": 36,
}
"""How many questions of a game the random answers reach."""


@pytest.mark.parametrize("game", ORACLES)
def test_random_answers_come_out_as_the_printed_rules_have_it(game: str) -> None:
    report = import_module(f"{ORACLES[game]}.table").compared(ANSWERS, seed=1)
    assert not report.divergences, "\n".join(map(str, report.divergences))
    assert report.answers == ANSWERS
    assert report.refused > 1600
    assert len(report.questions) == QUESTIONS[game], sorted(report.questions)


@pytest.mark.long
@pytest.mark.parametrize("game", ORACLES)
def test_nineteen_in_twenty_broken_rules_of_an_oracle_are_noticed(game: str) -> None:
    oracle = import_module(f"{ORACLES[game]}.sharpness")
    assert len(oracle.BROKEN) >= 20
    missed = oracle.unnoticed(ANSWERS, seed=1)
    assert len(missed) <= len(oracle.BROKEN) // 20, missed
