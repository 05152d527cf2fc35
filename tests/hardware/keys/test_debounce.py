"""Bounce in, presses out: whatever the contacts and the loop around the debouncer do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.events import Chatter, Edge, Event, Hold, KeyEvent, Press, Release
from hardware.keys.debounce import CHATTER_EDGES, CLICK, LOST, RECHECK, SETTLE, Debouncer, Keys

LONGEST_BOUNCE = 0.005


@dataclass(frozen=True)
class Movement:
    """One stroke of a finger: how long it stays, how long it is gone, and the bounce at both ends."""

    down: float
    up: float
    closing: tuple[float, ...]
    opening: tuple[float, ...]


def bounces() -> st.SearchStrategy[tuple[float, ...]]:
    """Even numbers of extra edges, in order, within the longest bounce."""
    instants = st.floats(0.00001, LONGEST_BOUNCE, allow_nan=False)
    pairs = st.lists(instants, max_size=20, unique=True).map(lambda times: sorted(times)[: len(times) // 2 * 2])
    return pairs.map(tuple)


movements = st.lists(
    st.builds(Movement, down=st.floats(0.010, 2.0), up=st.floats(0.015, 1.0), closing=bounces(), opening=bounces()),
    min_size=1,
    max_size=6,
)


def timeline(strokes: list[Movement], line: str = "die-1", start: float = 100.0) -> list[Edge]:
    """The raw edges of a sequence of strokes."""
    edges: list[Edge] = []
    now = start
    for stroke in strokes:
        for level, bounce, stays in ((True, stroke.closing, stroke.down), (False, stroke.opening, stroke.up)):
            edges.append(Edge(line, level=level, at=now))
            flipped = level
            for offset in bounce:
                flipped = not flipped
                edges.append(Edge(line, level=flipped, at=now + offset))
            now += stays
    return edges


class Contacts:
    """The truth about the lines at any moment, as a driver would read it."""

    def __init__(self, edges: list[Edge]) -> None:
        self._edges = edges
        self.now = 0.0

    def read(self, line: str) -> bool:
        levels = [edge.level for edge in self._edges if edge.line == line and edge.at <= self.now]
        return levels[-1] if levels else False


def run(edges: list[Edge], *, delivered: list[Edge] | None = None, until: float = 10.0) -> list[KeyEvent]:
    """A prompt loop: every edge at its time, `due` exactly at each deadline."""
    contacts = Contacts(edges)
    debouncer = Debouncer(contacts.read)
    out: list[KeyEvent] = []
    waiting = list(edges if delivered is None else delivered)
    end = edges[-1].at + until
    while True:
        deadline = debouncer.deadline()
        following = waiting[0].at if waiting else end
        if deadline is not None and deadline < following:
            contacts.now = deadline
            out += debouncer.due(deadline)
        elif waiting:
            contacts.now = following
            out += debouncer.feed(waiting.pop(0))
        else:
            return out


def presses(events: Sequence[KeyEvent]) -> list[float]:
    return [event.at for event in events if isinstance(event, Press)]


def starts(strokes: list[Movement], edges: list[Edge]) -> list[float]:
    """When each finger first touched its key."""
    at, out = edges[0].at, []
    for stroke in strokes:
        out.append(at)
        at += stroke.down
        at += stroke.up
    return out


@given(movements)
def test_each_stroke_is_one_press_at_its_first_edge(strokes: list[Movement]) -> None:
    edges = timeline(strokes)
    events = [event for event in run(edges) if not isinstance(event, Chatter)]
    assert presses(events) == starts(strokes, edges)
    assert [type(event) for event in events] == [Press, Release] * len(strokes)
    for stroke, event in zip(strokes, events[1::2], strict=True):
        assert isinstance(event, Release)
        assert stroke.down <= event.at - event.pressed_at + 1e-9 <= stroke.down + LONGEST_BOUNCE + 1e-8


def test_the_late_bounce_of_a_release_is_no_second_press() -> None:
    debouncer = Debouncer(lambda _line: False)
    debouncer.feed(Edge("die-1", level=True, at=1.000))
    debouncer.feed(Edge("die-1", level=False, at=1.100))
    assert debouncer.due(1.107) == [Release("die-1", 1.100, 1.000)]
    bounce = [Edge("die-1", level=i % 2 == 0, at=1.103 + i * 0.003) for i in range(4)]
    assert [event for edge in bounce for event in debouncer.feed(edge)] == []
    assert debouncer.due(1.130) == []
    assert debouncer.feed(Edge("die-1", level=True, at=1.150)) == [Press("die-1", 1.150)]


@pytest.mark.parametrize("reported", [True, False])
def test_a_contact_open_for_6_ms_is_pressed_again(reported: bool) -> None:
    debouncer = Debouncer()
    assert debouncer.feed(Edge("die-1", level=True, at=-0.1)) == [Press("die-1", -0.1)]
    debouncer.feed(Edge("die-1", level=False, at=0.0))
    events = debouncer.due(SETTLE) if reported else []
    events += debouncer.feed(Edge("die-1", level=True, at=SETTLE))
    assert events == [Release("die-1", 0.0, -0.1), Press("die-1", SETTLE)]


@given(movements, movements)
def test_two_keys_at_once_do_not_disturb_each_other(left: list[Movement], right: list[Movement]) -> None:
    one, other = timeline(left, "die-1"), timeline(right, "seat-4")
    events = run(sorted(one + other, key=lambda edge: edge.at))
    for line, strokes, edges in (("die-1", left, one), ("seat-4", right, other)):
        mine = [event for event in events if event.key == line]
        assert presses(mine) == starts(strokes, edges)


@given(st.data())
def test_lost_edges_heal(data: st.DataObject) -> None:
    """Any edges may be lost: soon after the finger rests, the debouncer knows where it is.

    Only a key none of whose closing edges arrived goes unnoticed until the next edge.
    """
    stroke = data.draw(st.builds(Movement, st.just(1.0), st.just(1.0), bounces(), bounces()))
    edges = timeline([stroke])
    delivers = data.draw(st.lists(st.booleans(), min_size=len(edges), max_size=len(edges)))
    delivered = [edge for edge, keep in zip(edges, delivers, strict=True) if keep]
    events = run(edges, delivered=delivered)
    heard_closing = any(edge.at < edges[0].at + 0.5 for edge in delivered)
    heard = heard_closing or any(edge.level for edge in delivered)
    assert [type(event) for event in events] == ([Press, Release] if heard else [])
    if heard_closing:
        assert events[0].at <= edges[0].at + LONGEST_BOUNCE + LOST + 3 * SETTLE
        assert events[1].at <= edges[0].at + 1.0 + RECHECK + LOST + 3 * SETTLE


def test_an_edge_still_in_the_queue_is_waited_for() -> None:
    """The level is read before the edge that explains it arrives: the second press must not vanish."""
    debouncer = Debouncer(lambda _line: True)
    first = debouncer.feed(Edge("die-1", level=True, at=0.0))
    assert debouncer.feed(Edge("die-1", level=False, at=0.050)) == []
    assert debouncer.due(0.200) == []
    second = debouncer.feed(Edge("die-1", level=True, at=0.100))
    assert first == [Press("die-1", 0.0)]
    assert second == [Release("die-1", 0.050, 0.0), Press("die-1", 0.100)]


def test_a_jolt_of_a_held_key_is_not_a_second_press() -> None:
    edges = [
        Edge("select", level=True, at=0.0),
        Edge("select", level=False, at=0.4),
        Edge("select", level=True, at=0.402),
    ]
    assert run(edges, until=0.3) == [Press("select", 0.0)]


@pytest.mark.parametrize("read", [None, lambda _line: False])
def test_nothing_is_pending_when_all_keys_are_up(read: Callable[[str], bool] | None) -> None:
    debouncer = Debouncer(read)
    assert debouncer.deadline() is None
    debouncer.feed(Edge("back", level=True, at=0.0))
    debouncer.feed(Edge("back", level=False, at=0.1))
    assert debouncer.deadline() == pytest.approx(0.1 + SETTLE)
    assert debouncer.due(0.2) == [Release("back", 0.1, 0.0)]
    assert debouncer.deadline() is None


def test_a_chattering_line_is_named_once_and_ignored() -> None:
    keys = Keys(lambda line: False)
    events: list[Event] = []
    for i in range(4 * CHATTER_EDGES + 1):
        events += keys.feed(Edge("seat-2", level=i % 2 == 0, at=i * 0.0025))
        events += keys.due(i * 0.0025)
    assert [event.key for event in events if isinstance(event, Chatter)] == ["seat-2"]
    assert isinstance(events[-1], Chatter)
    assert [type(event) for event in events[:-1]] == [Press, Hold, Release], "it looked held, and came up"
    assert events[2] == Release("seat-2", (CHATTER_EDGES - 1) * 0.0025, 0.0)
    assert keys.deadline() is None
    rested = 4 * CHATTER_EDGES * 0.0025 + 2.0
    assert keys.feed(Edge("seat-2", level=True, at=rested)) == [Press("seat-2", rested)]


def test_a_key_that_chatters_while_down_comes_up_without_a_click() -> None:
    keys = Keys(lambda line: False)
    events: list[Event] = []
    for i in range(CHATTER_EDGES):
        events += keys.feed(Edge("die-1", level=i % 2 == 0, at=1.0 + i * 0.0005))
    events += keys.due(10.0)
    assert [type(event) for event in events] == [Press, Release, Chatter]
    assert events[-1].at - 1.0 < CLICK  # so short a press would be a click


def until(debouncer: Debouncer, end: float) -> list[KeyEvent]:
    """Call `due` at each deadline up to this time."""
    events: list[KeyEvent] = []
    while (deadline := debouncer.deadline()) is not None and deadline <= end:
        events += debouncer.due(deadline)
    return events


def test_a_press_with_a_lost_edge_is_told_within_0_1_s() -> None:
    debouncer = Debouncer(lambda _: True)
    assert debouncer.feed(Edge("die-1", level=False, at=-SETTLE)) == []  # its bounce is all that was heard
    assert until(debouncer, 0.0) == []
    assert debouncer.due(LOST - 0.010) == []
    assert debouncer.due(LOST) == [Press("die-1", LOST)]


def test_a_release_with_a_lost_edge_is_told_within_0_4_s() -> None:
    levels = {"die-1": True}
    debouncer = Debouncer(levels.__getitem__)
    assert debouncer.feed(Edge("die-1", level=True, at=1.0)) == [Press("die-1", 1.0)]
    assert until(debouncer, 1.01) == []
    levels["die-1"] = False  # and no edge says so
    assert until(debouncer, 1.35) == []
    (release,) = until(debouncer, 1.40)
    assert isinstance(release, Release)
    assert release.pressed_at == 1.0
    assert 1.35 < release.at < 1.37
    assert debouncer.deadline() is None


def chatter(edges: int, every: float, windows: int = 1) -> list[Event]:
    """What comes of so many edges a second."""
    keys = Keys(lambda _: False)
    times = [window + i * every for window in range(windows) for i in range(edges)]
    events = [keys.feed(Edge("die-1", level=i % 2 == 0, at=at)) for i, at in enumerate(times)]
    return [event for some in events for event in some if isinstance(event, Chatter)]


def test_three_hundred_edges_within_a_second_are_no_finger() -> None:
    assert len(chatter(300, 0.003)) == 1
    assert chatter(299, 0.003) == []
    assert chatter(299, 0.003, windows=4) == [], "each second counts for itself"
