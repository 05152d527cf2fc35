"""Seat clocks against a second computation that counts every ms, and what must hold whatever is played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.clock import COMMON, NOBODY, Clocks, Control, begin
from referee.clock.control import Mode

SEATS = ("a", "b", "c")


class Interval(NamedTuple):
    """So many ms run for a seat, for all, or for nobody; before them, whose move begins, if one does."""

    ms: int
    runs: str
    begins: str = ""


class Played(NamedTuple):
    control: Control
    names: tuple[str, ...]
    intervals: list[Interval]


@dataclass
class Ticking:
    """The same clocks as naively as can be: every ms is counted by itself."""

    control: Control
    names: tuple[str, ...]
    life: int = 0
    common: int = 0
    left: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    delay: dict[str, int] = field(default_factory=dict)
    falls: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.left = dict.fromkeys(self.names, self.control.time)
        self.used, self.delay = dict.fromkeys(self.names, 0), dict.fromkeys(self.names, 0)

    def down(self, name: str) -> bool:
        return name in [fallen for fallen, _ in self.falls]

    def count(self, intervals: list[Interval]) -> None:
        for ms, runs, begins in intervals:
            if begins:
                self.delay = dict.fromkeys(self.names, 0)
                extra = 0 if self.down(begins) else self.control.extra
                if self.control.mode == "fischer":
                    self.left[begins] += extra
                else:
                    self.delay[begins] = extra
            for _ in range(ms):
                self.life += 1
                if runs == COMMON:
                    self.common += 1
                    # The last seat round the table pays the first ms, the first seat the last.
                    self.tick(self.names[-1 - (self.common - 1) % len(self.names)], own=False)
                elif runs:
                    self.tick(runs, own=True)

    def tick(self, name: str, *, own: bool) -> None:
        self.used[name] += 1
        if own and self.delay[name]:
            self.delay[name] -= 1
            return
        self.left[name] -= 1
        if self.left[name] == 0 and not self.down(name):
            self.falls.append((name, self.life))


@st.composite
def games(draw: st.DrawFn) -> Played:
    mode: Mode = draw(st.sampled_from(get_args(Mode)))
    control = Control(mode, draw(st.integers(1, 40)), 0 if mode == "sudden-death" else draw(st.integers(1, 15)))
    names = SEATS[: draw(st.integers(2, 3))]
    whose = st.sampled_from((*names, *names, NOBODY, COMMON))
    begins = st.sampled_from(("", "", *names))
    return Played(control, names, draw(st.lists(st.builds(Interval, st.integers(0, 30), whose, begins), max_size=14)))


def play(game: Played, looks: tuple[int, ...] = (), back: int = 0) -> Clocks:
    """Play a game; look at the clocks after so many ms of each interval."""
    clocks, at = begin(game.control, game.names, 1000), 1000
    for ms, runs, begins in game.intervals:
        if begins:
            clocks = clocks.move(begins, at)
        clocks = clocks.run(runs, at)
        for look in sorted(looks):
            if look <= ms:
                clocks = clocks.until(at + look).until(at + look - back)
        at += ms
        if looks:
            clocks = Clocks.from_json(game.control, clocks.until(at).as_json(), at)
    return clocks.until(at)


@settings(max_examples=120)
@given(games())
def test_clocks_show_what_counting_every_ms_shows(game: Played) -> None:
    clocks, ticking = play(game), Ticking(game.control, game.names)
    ticking.count(game.intervals)
    assert {name: (seat.left, seat.used, seat.fallen) for name, seat in clocks.seats.items()} == {
        name: (ticking.left[name], ticking.used[name], ticking.down(name)) for name in game.names
    }
    assert [tuple(fall) for fall in clocks.falls] == ticking.falls
    assert (clocks.life, clocks.common) == (ticking.life, ticking.common)


@settings(max_examples=60)
@given(games(), st.lists(st.integers(0, 700), min_size=1, max_size=6), st.integers(0, 50))
def test_looking_at_the_clocks_changes_nothing(game: Played, looks: list[int], back: int) -> None:
    assert play(game, tuple(looks), back) == play(game)


@settings(max_examples=60)
@given(games())
def test_the_next_fall_is_known_to_the_ms(game: Played) -> None:
    clocks = play(game)
    at = clocks.passes_at()
    if at is None:
        assert clocks.until(clocks.at + 1_000_000).falls == clocks.falls
    else:
        assert at > clocks.at
        assert clocks.until(at - 1).falls == clocks.falls
        assert len(clocks.until(at).falls) > len(clocks.falls)


@settings(max_examples=60)
@given(games(), st.lists(st.tuples(st.sampled_from(SEATS[:2]), st.integers(0, 90)), max_size=4))
def test_which_flag_fell_first_is_never_lost(game: Played, corrections: list[tuple[str, int]]) -> None:
    clocks = play(game)
    first = clocks.first_fall
    for seat, left in corrections:
        before = clocks.falls
        clocks = clocks.correct(seat, left, clocks.at).run(seat, clocks.at).until(clocks.at + 50)
        assert clocks.falls[: len(before)] == before
        assert first is None or clocks.first_fall == first
