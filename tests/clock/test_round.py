"""The clock of a round, as the box counts it: crystals that are off, late news, and when its text changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.clock.round import RoundClock, RoundNews

HOUR = 3_600_000
EVERY = 30_000


def news(left: int, at: int, number: int = 1, *, runs: bool = True, round_: int = 3) -> RoundNews:
    return RoundNews(number, round_, left, runs, "stop", at)


def set_to(left: int, at: int = 0) -> RoundClock:
    clock = RoundClock()
    clock.hear(news(left, at))
    return clock


def seen(clock: RoundClock, at: int) -> int:
    clock.see(at)
    return clock.left


@pytest.mark.parametrize("ppm", [-100, 100])
def test_without_the_hall_a_crystal_costs_400_ms_an_hour_at_most(ppm: int) -> None:
    clock = set_to(2 * HOUR)
    off = seen(clock, HOUR + HOUR * ppm // 1_000_000) - HOUR
    assert 300 <= abs(off) <= 400


@pytest.mark.parametrize("ppm", [-200, 200])
def test_on_line_it_is_off_by_no_more_than_a_message_takes(ppm: int) -> None:
    """The crystals of the hall and of the box go wrong in opposite ways."""
    clock, chance = RoundClock(), random.Random(7)
    for at in range(0, 4 * HOUR, EVERY):
        delay = chance.randrange(20)
        box = (at + delay) + (at + delay) * ppm // 1_000_000
        clock.hear(news(4 * HOUR - at, box))
        for later in (0, EVERY - 1):
            true = at + delay + later
            assert abs(seen(clock, true + true * ppm // 1_000_000) - (4 * HOUR - true)) <= 100


def test_news_that_was_long_on_its_way_gives_no_time_away() -> None:
    clock = set_to(HOUR)
    clock.hear(news(HOUR - EVERY, EVERY + 5_000))
    assert seen(clock, EVERY + 5_000) <= HOUR - EVERY - 5_000 + 20


def test_the_first_news_was_long_on_its_way_the_next_corrects_it() -> None:
    clock = RoundClock()
    clock.hear(news(HOUR, 5_000))
    assert clock.left == HOUR
    clock.hear(news(HOUR - EVERY, EVERY))
    assert clock.left == HOUR - EVERY


def test_an_extension_and_a_pause_count_at_once() -> None:
    clock = set_to(60_000)
    clock.hear(news(350_000, 10_000, number=2))
    assert clock.left == 350_000
    clock.hear(news(340_000, 20_000, number=3, runs=False))
    assert seen(clock, 900_000) == 340_000
    assert (clock.texts(), clock.deadline()) == (("paused",), None)
    clock.hear(news(340_000, 1_000_000, number=4))
    assert seen(clock, 1_100_000) == 240_000


def test_time_is_called_once_for_each_time_that_was_set() -> None:
    clock = set_to(60_000)
    assert not clock.see(59_999)
    assert clock.see(60_000)
    assert not clock.see(60_001)
    clock.hear(news(-1_000, 61_000))  # the hall says the same again
    assert not clock.see(62_000)
    clock.hear(news(5_000, 63_000, number=2))
    assert not clock.see(67_999)
    assert clock.see(68_000)


def test_a_clock_that_is_taken_away_calls_no_time() -> None:
    clock = set_to(60_000)
    clock.hear(RoundNews(1, 0, 0, False, "", 10_000))
    assert not clock.see(100_000)
    assert (clock.texts(), clock.deadline()) == ((), None)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 3 * HOUR))
def test_another_text_is_shown_at_its_deadline_and_not_before(left: int) -> None:
    clock = set_to(left)
    at = clock.deadline()
    assert at is not None
    before = clock.texts()
    clock.see(at - 1)
    assert clock.texts() == before
    assert clock.see(at) or clock.texts() != before
