"""Doubled presses, and seats that do not wait: each press answers only what its player had seen.

That every answer was pressed on its own screen, whole evenings show (`tests.bench.watch`).
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.events import DIE_KEYS
from referee.console.cards.throw import DiceCard
from referee.console.grammar import DOUBLE_DIE, LATE
from referee.station.virtual.bench import Bench
from tests.reference import SEAT_KEYS


class Stroke(NamedTuple):
    """A key pressed so long after the one before, held for so long."""

    key: str
    after: float
    seconds: float


@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(DIE_KEYS), st.floats(0.001, DOUBLE_DIE - 0.03), st.integers(0, 99))
def test_a_doubled_press_is_one_face(key: str, gap: float, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "j.db", bounce=True, seed=seed) as bench:
        bench.key("1", "2", "1", "1")  # the ruling desk, up to its dice
        bench.wait(0.5)
        bench.hold(key, 0.010)
        bench.wait(gap)
        bench.hold(key, 0.010)
        card = bench.console.stage.top
        assert isinstance(card, DiceCard)
        assert list(card.gathering.faces) == [int(key[-1])]


@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.floats(0.001, LATE - 0.03), st.integers(0, 99))
def test_a_doubled_choice_is_one_answer(gap: float, seed: int) -> None:
    """The second press falls on the next question, which nobody can have read yet."""
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "j.db", bounce=True, seed=seed) as bench:
        bench.key("1", "2")  # the ruling desk: who attacks whom
        bench.wait(0.5)
        before = bench.console.table.current.n
        bench.hold("die-1", 0.010)
        bench.wait(gap)
        bench.hold("die-1", 0.010)
        assert bench.console.table.current.n == before + 1
        bench.wait(0.5)
        bench.hold("die-1", 0.010)
        assert bench.console.table.current.n == before + 2, "the next press counts"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.builds(Stroke, st.sampled_from(SEAT_KEYS), st.floats(0.0, 0.6), st.sampled_from([0.03, 0.06, 0.2, 1.1])),
        max_size=12,
    )
)
def test_no_seat_begins_or_answers_for_another(seats: list[Stroke]) -> None:
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "j.db") as bench:
        bench.key("1", "1", "select")
        bench.wait(0.4)
        bench.hold("select", 0.5)  # everything is placed
        bench.key("select")
        before = bench.console.table.current.n
        for seat in seats:
            begun = bench.console.table.begun
            bench.wait(seat.after)
            bench.hold(seat.key, seat.seconds)
            if bench.console.table.begun != begun:
                assert seat.key == bench.console.table.seat_keys[bench.console.table.turn]
        assert bench.console.table.current.n == before
        bench.key(bench.console.table.seat_keys[bench.console.table.turn])
        assert bench.console.table.begun == bench.console.table.turn, "whoever is asked can begin in the end"
