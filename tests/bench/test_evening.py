"""Evenings from seeds: whatever happens, nothing accepted is lost or doubled, and no fault goes unsaid."""

from __future__ import annotations

import contextlib
import io
import random

import pytest

from referee.journal.export import Export, export, read
from referee.testing.station import Bench
from tests.bench.evening import Tally, play, play_again
from tests.bench.hands import Hands

SEEDS = range(20)


@pytest.mark.long
def test_evenings_lose_nothing_and_leave_nothing_unsaid() -> None:
    tally = Tally()
    for seed in SEEDS:
        play(seed, 40, tally)
    assert (tally.evenings, tally.lost, tally.doubled) == (len(SEEDS), 0, 0)
    assert tally.answers > 100
    assert len(tally.faults) > 20


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


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Export:
    """An evening of some hands, as `referee export` writes it."""
    folder = tmp_path_factory.mktemp("recorded")
    with Bench(folder / "journal.db") as bench:
        bench.key("1", "1", "select")
        hands = Hands(bench, random.Random(4), stray=0.1)
        table = bench.console.table
        while len(table.current.entries) < 30 or all(entry.mode != "corrected" for entry in table.current.entries):
            hands.act()
            if table.session is None:
                bench.key("1", "1", "select")
            elif (throw := table.last_throw) is not None and isinstance(throw.answer, list):
                table.correct_throw([face % 6 + 1 for face in throw.answer], "judge", [])
        game = bench.console.table.current.game_id
        assert game is not None
        lines = "".join(line + "\n" for line in export(bench.journal, game))
    return read(io.BytesIO(lines.encode()))


@pytest.mark.long
def test_a_recorded_evening_played_again_with_faults_ends_as_it_did(recorded: Export) -> None:
    tally = Tally()
    for seed in range(3):
        play_again(seed, recorded, tally)
    assert (tally.lost, tally.doubled) == (0, 0)
    assert tally.faults.total() > 10


FOUND = {
    3010: "odds of a strike: a fraction left its label a pixel too few, so they are told in per cent there",
    8049: "a counter that the judge sets: its long name ran into the word beside it, which gives way now",
}
"""Evenings of 150 gestures that found something in the station, and what; listed in docs/faults.md."""


@pytest.mark.long
@pytest.mark.parametrize("seed", FOUND, ids=str)
def test_what_was_found_stays_mended(seed: int) -> None:
    tally = Tally()
    play(seed, 150, tally)
    assert (tally.lost, tally.doubled) == (0, 0)
