"""A game of each book whose dice lie in a tray, with leaning dice and a process that is killed."""

from __future__ import annotations

import pytest

from tests.hardware.dice.table import FAULTS
from tests.tray.games import run

MISHAPS = "leaning", "leaning, keyed", "first die keyed", "one too many", "process killed", "thrown early"


@pytest.mark.long
def test_a_game_of_each_book_has_in_its_journal_what_lay_in_the_tray_once() -> None:
    counts = run(rolls=8, seed=1)
    assert {name: counts[name] for name in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert counts["games"] >= 4, "one of each book"
    assert all(counts[name] for name in MISHAPS), counts
