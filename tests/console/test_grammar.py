"""The guards, each at its edge. Times are those of the input grammar in docs/box.md."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.console.grammar import Finger, Guard

SHOWN = 100.0


def press(guard: Guard, key: str, at: float, screen: int = 1, shown_at: float | None = SHOWN) -> str | None:
    return guard.press(box(key), at, screen=screen, shown_at=shown_at)


def box(key: str) -> Finger:
    return Finger(key, "keys")


@pytest.mark.parametrize(("after", "dropped"), [(0.099, True), (0.101, False)])
def test_a_click_within_100_ms_of_a_detent_is_a_nudge(after: float, dropped: bool) -> None:
    guard = Guard()
    guard.turn(SHOWN + 1)
    assert (press(guard, "select", SHOWN + 1 + after) == "nudge") is dropped


def test_a_die_key_under_select_waits_for_its_release() -> None:
    guard = Guard()
    assert press(guard, "select", SHOWN + 1) is None
    assert press(guard, "die-1", SHOWN + 1.1) == "chord"
    guard.release(box("die-1"))
    guard.release(box("select"))
    assert press(guard, "die-1", SHOWN + 1.6) is None


def test_a_browsers_press_of_a_key_that_is_held_on_the_box_neither_counts_nor_ends_the_hold() -> None:
    guard = Guard()
    panel = Finger("select", "panel")
    assert press(guard, "select", SHOWN + 1) is None
    assert guard.press(panel, SHOWN + 1.2, screen=1, shown_at=SHOWN) == "chord"
    guard.release(panel)
    assert guard.holding("select") == {box("select"): SHOWN + 1}
    assert guard.counts(box("select"))
    assert not guard.counts(panel)


def test_a_detent_under_the_pressed_knob_does_not_count() -> None:
    guard = Guard()
    assert guard.turn(SHOWN)
    press(guard, "select", SHOWN + 1)
    assert not guard.turn(SHOWN + 1.1)


@given(st.lists(st.tuples(st.sampled_from(["die-1", "die-2", "select", "back"]), st.floats(0, 2)), max_size=30))
def test_no_press_ever_counts_for_a_screen_that_came_150_ms_before_it_or_later(
    presses: list[tuple[str, float]],
) -> None:
    guard = Guard()
    for key, at in sorted(presses, key=lambda p: p[1]):
        shown_at = round(at, 1)  # some screens come after the press, some just before it
        accepted = press(guard, key, at, screen=int(at * 10), shown_at=shown_at) is None
        assert not accepted or at >= shown_at + 0.150
        guard.release(box(key))
