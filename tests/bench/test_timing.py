"""Late, early, doubled: whatever the timing, no press answers a question its player had not seen.

Random hands on the whole station under virtual time. Each accepted answer is traced back to the press it came from,
and that press to the screen that was on the glass when it was made.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.events import DIE_KEYS
from referee.console.cards.throw import DiceCard
from referee.console.grammar import DOUBLE_DIE, LATE
from referee.games import SHELF
from referee.session import Entry
from referee.station.virtual.bench import Bench
from tests.reference import SEAT_KEYS


class Stroke(NamedTuple):
    """A key pressed so long after the one before, held for so long."""

    key: str
    after: float
    seconds: float


strokes = st.lists(
    st.builds(
        Stroke,
        st.sampled_from([*DIE_KEYS, *DIE_KEYS, "select", "select", "back", *SEAT_KEYS]),
        st.one_of(st.floats(0.0, 0.2), st.floats(0.14, 0.16), st.floats(0.2, 0.6)),
        st.one_of(st.floats(0.004, 0.1), st.floats(0.25, 0.5), st.floats(0.9, 1.2)),
    ),
    max_size=40,
)


class Witness:
    """Writes down when each screen reached the glass, when each key went down, and when each entry was accepted."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        shown_at = bench.console.pile.shown_at
        assert shown_at is not None
        self.shown: dict[int, float] = {bench.console.screen: shown_at}
        self.downs: list[tuple[str, float]] = []
        self.accepted: list[tuple[int, float, int]] = []
        shown, append = bench.console.shown, bench.journal.append

        def note_shown(screen: int, at: float) -> None:
            self.shown.setdefault(screen, at)
            shown(screen, at)

        def note_append(game: int, entries: Sequence[Entry]) -> None:
            append(game, entries)
            self.accepted.append((bench.console.screen, bench.clock.now, len(entries)))

        bench.console.shown = note_shown  # type: ignore[method-assign]
        bench.journal.append = note_append  # type: ignore[method-assign]

    def play(self, strokes: list[Stroke]) -> None:
        for stroke in strokes:
            self.bench.wait(stroke.after)
            self.downs.append((stroke.key, self.bench.clock.now))
            self.bench.hold(stroke.key, stroke.seconds)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([*SHELF]), strokes, st.booleans(), st.integers(0, 99))
@pytest.mark.long
def test_every_answer_was_pressed_while_its_own_screen_had_been_seen(
    book: str, presses: list[Stroke], bounce: bool, seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "j.db", bounce=bounce, seed=seed) as bench:
        bench.key(str([*SHELF].index(book) + 1), "1", "select")
        witness = Witness(bench)
        witness.play(presses)
        for screen, at, _ in witness.accepted:
            down = max(when for _, when in witness.downs if when <= at)
            assert screen in witness.shown, "answered before it was on the glass"
            assert down >= witness.shown[screen] + LATE - 1e-9


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
        card = bench.console.top
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
