"""Each rulebook and an oracle written from its printed rules agree on random games; and the oracles are sharp."""

from __future__ import annotations

import pytest

from tests.oracles import sharpness
from tests.oracles.battle_of_the_ring.table import Table as Battle
from tests.oracles.middle_earth_the_wizards.table import Table as Wizards
from tests.oracles.riddle_of_the_ring.table import Table as Riddle
from tests.oracles.side_by_side import SideBySide, compared
from tests.oracles.war_of_the_ring.table import Table as War
from tests.oracles.war_of_the_ring.table import never_met

ANSWERS = 20_000


@pytest.mark.parametrize(("table", "questions"), [(Battle, 35), (Wizards, 56), (Riddle, 28), (War, 35)])
def test_random_answers_come_out_as_the_printed_rules_have_it(table: type[SideBySide], questions: int) -> None:
    """``questions``: how many of a game the random answers reach."""
    report = compared(table, ANSWERS, seed=1)
    assert not report.divergences, "\n".join(map(str, report.divergences))
    assert report.answers == ANSWERS
    assert report.refused > 1600
    assert len(report.questions) == questions, sorted(report.questions)


def test_every_effect_of_a_card_meets_every_moment_of_the_other() -> None:
    """W1 to W5. More of them: `python -m tests.oracles war`."""
    report = compared(War, 3 * ANSWERS, seed=2)
    assert not report.divergences, "\n".join(map(str, report.divergences))
    assert not (missing := never_met(report)), missing


@pytest.mark.long
@pytest.mark.parametrize(
    ("table", "broken"),
    [(Battle, sharpness.BATTLE), (Wizards, sharpness.WIZARDS), (Riddle, sharpness.RIDDLE), (War, sharpness.WAR)],
    ids=["battle", "wizards", "riddle", "war"],
)
def test_every_broken_rule_of_an_oracle_is_noticed(table: type[SideBySide], broken: sharpness.Broken) -> None:
    assert len(broken) >= 36
    assert sharpness.unnoticed(broken, table, ANSWERS, seed=1) == []
