"""Clicks, holds and the dead zone between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.events import Click, Edge, Hold, KeyEvent, LongHold, Press, Release, Stuck, Turn
from hardware.keys.debounce import HOLD, STUCK, Gestures, Keys


def gestures_of(seconds: float, *, polled: bool) -> list[KeyEvent]:
    """What a key held for so long means, with `due` called at each deadline or not at all."""
    gestures = Gestures()
    events = gestures.feed(Press("back", 10.0))
    while polled and (deadline := gestures.deadline()) is not None and deadline <= 10.0 + seconds:
        events += gestures.due(deadline)
    return events + gestures.feed(Release("back", 10.0 + seconds, 10.0))


@pytest.mark.parametrize("polled", [True, False])
@pytest.mark.parametrize(
    ("seconds", "kinds"),
    [
        (0.01, [Click]),
        (0.299, [Click]),
        (0.301, []),
        (0.449, []),
        (0.451, [Hold]),
        (0.999, [Hold]),
        (1.001, [Hold, LongHold]),
        (STUCK - 0.1, [Hold, LongHold]),
        (STUCK + 0.1, [Hold, LongHold, Stuck]),
    ],
)
def test_how_long_a_key_is_held_decides(seconds: float, kinds: list[type[KeyEvent]], polled: bool) -> None:
    assert [type(event) for event in gestures_of(seconds, polled=polled)] == kinds


def test_holds_come_once_and_at_their_time() -> None:
    gestures = Gestures()
    gestures.feed(Press("select", 5.0))
    assert gestures.deadline() == pytest.approx(5.45)
    assert gestures.due(5.449) == []
    assert gestures.due(5.46) == [Hold("select", 5.0 + HOLD, 5.0)]
    assert gestures.due(5.47) == []
    assert gestures.due(6.2) == [LongHold("select", 6.0, 5.0)]
    assert gestures.feed(Release("select", 6.3, 5.0)) == []
    assert gestures.deadline() is None


@given(st.permutations(["back", "select", "die-1"]))
def test_keys_are_held_independently(order: list[str]) -> None:
    gestures = Gestures()
    for i, key in enumerate(order):
        gestures.feed(Press(key, i * 0.2))
    events = gestures.due(0.9)
    assert [event.key for event in events if isinstance(event, Hold)] == order
    assert not any(isinstance(event, LongHold) for event in events)


def test_both_stages_in_a_row_keep_presses_holds_and_turns() -> None:
    closed = {"back"}
    keys = Keys(lambda line: line in closed)
    assert keys.feed(Edge("back", level=True, at=0.0)) == [Press("back", 0.0)]
    assert keys.feed(Turn(-2, 0.1)) == [Turn(-2, 0.1)]
    events = []
    while (deadline := keys.deadline()) is not None and deadline < 0.5:
        events += keys.due(deadline)
    assert [type(event) for event in events] == [Hold]
    closed.clear()
    assert keys.feed(Edge("back", level=False, at=0.6)) == []
    assert keys.due(0.7) == [Release("back", 0.6, 0.0)]
    assert keys.deadline() is None


def test_a_short_tap_is_press_release_and_click_in_this_order() -> None:
    keys = Keys()
    events = keys.feed(Edge("select", level=True, at=0.0)) + keys.feed(Edge("select", level=False, at=0.02))
    events += keys.due(0.03)
    assert events == [Press("select", 0.0), Release("select", 0.02, 0.0), Click("select", 0.02, 0.0)]
