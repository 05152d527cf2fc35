"""Presses and seconds of each ruling."""

from __future__ import annotations

import pytest

from tests.console.presses import RULINGS, TURNS, Row, play

SLOWER = {
    "Riddle of the Ring, a round",
    "The Wizards, a strike",
    "The Wizards, a strike with a body check",
    "The Wizards, a bare corruption check",
}
"""Rulings that a practised eye finds faster in the printed table; what the box adds there is the record."""


@pytest.mark.parametrize("row", [*RULINGS, *TURNS], ids=lambda row: row.name)
def test_so_many_presses_with_everything_a_table_presses(row: Row) -> None:
    assert play(row).presses == row.presses


@pytest.mark.parametrize("row", [row for row in RULINGS if row.seconds], ids=lambda row: row.name)
def test_no_longer_than_wanted(row: Row) -> None:
    assert row.seconds is not None
    assert play(row).seconds <= row.seconds


def test_no_longer_than_by_eye_but_for_those_that_are_named() -> None:
    assert {row.name for row in RULINGS if row.eye and play(row).seconds > row.eye} == SLOWER
