"""The rulebook of The Wizards and an oracle written from the printed rules agree on random games and rulings."""

from __future__ import annotations

from tests.oracles.middle_earth_the_wizards.sharpness import BROKEN, unnoticed
from tests.oracles.middle_earth_the_wizards.table import compared


def test_ten_thousand_answers_come_out_as_the_printed_rules_have_it() -> None:
    report = compared(10_000, seed=1)
    assert not report.divergences, "\n".join(map(str, report.divergences))
    assert report.answers == 10_000
    assert report.refused > 1_000


def test_nearly_every_broken_rule_of_the_oracle_is_noticed_at_once() -> None:
    """More answers notice more: `python -m tests.oracles middle-earth-the-wizards --sharpness` asks for 19 in 20."""
    missed = unnoticed(2_000, seed=1)
    assert len(missed) <= len(BROKEN) // 10, missed
