"""Evenings from seeds: whatever happens, nothing accepted is lost or doubled, and no fault goes unsaid."""

from __future__ import annotations

import contextlib

import pytest

from tests.bench.evening import Tally, play

SEEDS = range(20)


@pytest.mark.long
def test_evenings_lose_nothing_and_leave_nothing_unsaid() -> None:
    tally = Tally()
    for seed in SEEDS:
        play(seed, 40, tally)
    assert (tally.evenings, tally.lost, tally.doubled) == (len(SEEDS), 0, 0)
    assert tally.answers > 100
    assert len(tally.faults) > 14


def test_the_same_seed_is_the_same_evening() -> None:
    tallies = [Tally(), Tally()]
    for tally in tallies:
        play(7, 30, tally)
    assert tallies[0] == tallies[1]
    assert (tallies[0].lost, tallies[0].doubled) == (0, 0)


@pytest.mark.long
def test_a_guard_that_is_missing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.console.grammar.late", lambda pressed_at, shown_at, after=0.0: False)
    tally = Tally()
    for seed in range(12):
        with contextlib.suppress(AssertionError):
            play(seed, 40, tally)
    failures = [text for text in tally.failures if "too early" in text or "not reached the glass" in text]
    assert failures
    assert "repeat it with: python -m tests.bench.evening --seed" in failures[0]
