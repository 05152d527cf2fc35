"""Seat clocks against a second computation that counts every ms, and what must hold whatever is played."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.clock import COMMON, NOBODY, Clocks, Control, Period, begin
from referee.clock.control import MODES, WITH_EXTRA, WITH_PERIODS, Mode
from tests.clock.ticks import Interval, Ticking

SEATS = ("a", "b", "c")

times = st.integers(1, 40)


@st.composite
def controls(draw: st.DrawFn) -> Control:
    mode: Mode = draw(st.sampled_from(MODES))
    periods = [Period(draw(times), draw(st.integers(0, 3))) for _ in range(draw(st.integers(0, 2)))]
    if mode not in WITH_PERIODS:
        periods = []
    last = Period(draw(st.integers(0, 40)) if mode == "count-up" else draw(times))
    extra = draw(st.integers(1, 15)) if mode in WITH_EXTRA else 0
    return Control(mode, (*periods, last), extra)


@st.composite
def games(draw: st.DrawFn) -> tuple[Control, tuple[str, ...], list[Interval]]:
    control = draw(controls())
    names = SEATS[: draw(st.integers(2, 3))]
    whose = st.sampled_from((*names, *names, NOBODY, COMMON))
    begins = st.sampled_from(("", "", *names))
    return control, names, draw(st.lists(st.builds(Interval, st.integers(0, 30), whose, begins), max_size=14))


def played(control: Control, names: tuple[str, ...], intervals: list[Interval]) -> Clocks:
    clocks, at = begin(control, names, 1000), 1000
    for ms, runs, begins in intervals:
        if begins:
            clocks = clocks.move(begins, at)
        clocks = clocks.run(runs, at)
        at += ms
    return clocks.until(at)


def shown(clocks: Clocks) -> dict[str, Any]:
    return {
        name: {field: getattr(seat, field) for field in ("left", "used", "stage", "moves", "fallen")}
        for name, seat in clocks.seats.items()
    }


@settings(max_examples=120)
@given(games())
def test_clocks_show_what_counting_every_ms_shows(game: tuple[Control, tuple[str, ...], list[Interval]]) -> None:
    control, names, intervals = game
    clocks, ticking = played(*game), Ticking(control, names)
    ticking.count(intervals)
    assert shown(clocks) == {
        name: {
            "left": ticking.left[name],
            "used": ticking.used[name],
            "stage": ticking.stage[name],
            "moves": ticking.moves[name],
            "fallen": ticking.down[name],
        }
        for name in names
    }
    assert [tuple(fall) for fall in clocks.falls] == ticking.falls
    assert (clocks.life, clocks.common) == (ticking.life, ticking.common)


@settings(max_examples=60)
@given(games(), st.lists(st.integers(0, 700), max_size=6), st.integers(0, 50))
def test_looking_at_the_clocks_changes_nothing(
    game: tuple[Control, tuple[str, ...], list[Interval]], looks: list[int], back: int
) -> None:
    control, names, intervals = game
    clocks, at = begin(control, names, 1000), 1000
    for ms, runs, begins in intervals:
        if begins:
            clocks = clocks.move(begins, at)
        clocks = clocks.run(runs, at)
        for look in sorted(looks):
            if look <= ms:
                clocks = clocks.until(at + look).until(at + look - back)
        at += ms
        clocks = Clocks.from_json(control, clocks.until(at).as_json(), at)
    assert clocks == played(*game)


@settings(max_examples=60)
@given(games())
def test_the_next_passing_is_known_to_the_ms(game: tuple[Control, tuple[str, ...], list[Interval]]) -> None:
    clocks = played(*game)
    at = clocks.passes_at()
    if at is None:
        assert len(clocks.until(clocks.at + 1_000_000).falls) == len(clocks.falls)
    else:
        assert at > clocks.at
        assert len(clocks.until(at - 1).falls) == len(clocks.falls)
        assert len(clocks.until(at).falls) > len(clocks.falls)


@settings(max_examples=60)
@given(games(), st.lists(st.tuples(st.sampled_from(SEATS[:2]), st.integers(0, 90)), max_size=4))
def test_which_flag_fell_first_is_never_lost(
    game: tuple[Control, tuple[str, ...], list[Interval]], corrections: list[tuple[str, int]]
) -> None:
    clocks = played(*game)
    first = clocks.first_fall
    for seat, left in corrections:
        before = clocks.falls
        clocks = clocks.correct(seat, left, clocks.at).run(seat, clocks.at).until(clocks.at + 50)
        assert clocks.falls[: len(before)] == before
        assert first is None or clocks.first_fall == first


@settings(max_examples=60)
@given(games())
def test_a_flag_that_is_down_gains_nothing(game: tuple[Control, tuple[str, ...], list[Interval]]) -> None:
    clocks = played(*game)
    for name, seat in clocks.seats.items():
        if seat.fallen:
            other = next(each for each in clocks.seats if each != name)
            later = (
                clocks.move(name, clocks.at).run(other, clocks.at).until(clocks.at + 20).move(other, clocks.at + 20)
            )
            assert later.seats[name].left <= seat.left


@settings(max_examples=60)
@given(games())
def test_bronstein_never_leaves_more_than_before_the_move(
    game: tuple[Control, tuple[str, ...], list[Interval]],
) -> None:
    _, names, intervals = game
    bronstein = Control("bronstein", (Period(500),), 7)
    clocks, at = begin(bronstein, names, 0), 0
    before = dict.fromkeys(names, 500)
    for ms, runs, begins in intervals:
        if begins:
            clocks = clocks.move(begins, at)
            assert all(clocks.seats[name].left <= before[name] for name in names)
            before = {name: clocks.seats[name].left for name in names}
        clocks, at = clocks.run(runs, at).until(at + ms), at + ms
