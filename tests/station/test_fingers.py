"""Gestures of browsers on a whole station: what they are is said once and never made into another, and by whom."""

from __future__ import annotations

import pytest

from referee.console.grammar import FIRST
from referee.console.views import Dice
from referee.station.virtual.bench import Bench
from referee.web.hub import Gesture, PanelClick, PanelHold, PanelRelease, PanelTurn

SEAT = "panel seat-1 1a2b3c4d"
JUDGE = "panel judge 5e6f7a8b"


@pytest.fixture(autouse=True)
def _begun(bench: Bench) -> None:
    """A game has begun: its first question stands."""
    bench.key("1", "1", "select")
    bench.wait(1)


def touch(bench: Bench, *gestures: Gesture, source: str = SEAT) -> None:
    for gesture in gestures:
        bench.hub.act(gesture, source)
    bench.settle()


@pytest.mark.parametrize("gap", [0.0, 0.001, 0.005])
def test_many_short_presses_of_back_never_become_a_hold(bench: Bench, gap: float) -> None:
    for _ in range(int(1.5 / max(gap, 0.005))):
        touch(bench, PanelClick("back", 0), PanelClick("back", 299), PanelClick("back", 0))
        bench.wait(gap)
    bench.wait(2)
    assert not any("Undo" in str(view) for view in bench.views), "the menu was opened"
    touch(bench, PanelHold("back"), source=JUDGE)
    bench.wait(0.5)
    assert "Undo" in str(bench.view)


def dice(bench: Bench) -> None:
    bench.console.table.leave()
    bench.key("2", "2", "1", "1")
    bench.wait(1)
    assert isinstance(bench.view, Dice)


def test_a_hold_fills_its_bar_and_throws_when_a_second_is_over(bench: Bench) -> None:
    dice(bench)
    touch(bench, PanelHold("select"), source=JUDGE)
    bars = []
    for _ in range(6):
        assert isinstance(bench.view, Dice)
        bars.append(bench.view.bar)
        bench.wait(0.1)
    assert bars == pytest.approx([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    bench.wait(0.2)
    assert [(entry.answer, entry.source) for entry in bench.console.table.current.entries[-1:]] == [
        ([3, 4], "box-dice")
    ]
    assert bench.console._guard.holding("select") == {}, "a hold that has done all it can keeps nobody out"


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.5])
def test_a_hold_that_is_let_go_before_its_second_throws_nothing(bench: Bench, seconds: float) -> None:
    dice(bench)
    entries = bench.console.table.current.entries
    touch(bench, PanelHold("select"), source=JUDGE)
    bench.wait(seconds)
    touch(bench, PanelRelease("select"), source=JUDGE)
    bench.wait(3)
    assert bench.console.table.current.entries == entries
    assert isinstance(bench.view, Dice)
    assert bench.view.bar is None


@pytest.mark.parametrize("source", [SEAT, JUDGE])
@pytest.mark.parametrize("gesture", [PanelClick("back", 0), PanelTurn(1), PanelClick("select", 0)])
def test_the_keys_of_the_box_come_before_those_in_a_browser(bench: Bench, source: str, gesture: Gesture) -> None:
    """L3: a browser that clicks each 0.1 s keeps neither the menu nor an undo from the box."""
    for _ in range(8):
        for _ in range(7):
            touch(bench, gesture, source=source)
            bench.wait(0.1)
        bench.simulated.press("back")
        for _ in range(6):
            bench.wait(0.1)
            touch(bench, gesture, source=source)
        bench.simulated.release("back")
        bench.settle()
        assert "Undo" in str(bench.view), "a hold of Back opens the menu"
        for _ in range(3):
            bench.wait(0.1)
            touch(bench, gesture, source=source)
        assert "Undo" in str(bench.view), "which stays within reach"
        menu = bench.view
        bench.hold("die-3", 0.06)
        assert bench.view != menu, "its keys count, too"
        bench.console.stage.clear()
        bench.wait(FIRST)


@pytest.mark.parametrize("gesture", [PanelClick("select", 0), PanelTurn(1)], ids=["refusal", "odds"])
def test_what_a_browser_lays_on_the_glass_hides_no_menu(bench: Bench, gesture: Gesture) -> None:
    """L3: holds of Back closed a refusal, or the odds, which a browser had there again before the next one."""
    dice(bench)
    question = bench.view
    for _ in range(4):
        while bench.view == question:
            touch(bench, gesture)
            bench.wait(0.1)
        bench.hold("back", 0.6)
        assert "Undo" in str(bench.view)
        bench.key("back")
        bench.wait(FIRST)


@pytest.mark.parametrize("gap", [0.7, 1.3, 4.0])
@pytest.mark.parametrize("gesture", [PanelClick("select", 0), PanelTurn(1)], ids=["refusal", "odds"])
def test_a_browser_that_changes_the_glass_keeps_no_key(bench: Bench, gesture: Gesture, gap: float) -> None:
    """L1, L3: at 60 changes a second each press at the box came too early for its screen, and none counted."""
    dice(bench)
    counted = 0
    for _ in range(20):
        for _ in range(int(gap * 60)):
            touch(bench, gesture)
            bench.wait(1 / 60)
        before = bench.text, bench.console.table.current.n
        bench.simulated.press("die-1")
        bench.settle()
        counted += (bench.text, bench.console.table.current.n) != before
        bench.wait(0.06)
        bench.simulated.release("die-1")
    assert counted >= 16, "after four lost presses the browser waits"


def test_a_browser_goes_on_once_the_box_has_rested(bench: Bench) -> None:
    dice(bench)
    bench.key("5")
    touch(bench, PanelClick("die-4", 60))
    assert bench.sounds[-1] == "late"
    bench.wait(FIRST + 0.1)
    touch(bench, PanelClick("die-4", 60))
    assert bench.console.table.current.last.answer == [5, 4]


def to_begin(bench: Bench) -> None:
    """All is placed and read: Sauron is to begin."""
    while bench.lamps["seat-1"] != "blink":
        bench.key("select")
    bench.wait(2)


@pytest.mark.parametrize("milliseconds", [0, 25, 48, 110])
def test_a_click_on_a_seat_in_a_browser_counts_however_short(bench: Bench, milliseconds: int) -> None:
    """G2: nothing bounces there, and no sleeve brushes it."""
    to_begin(bench)
    touch(bench, PanelClick("seat-1", milliseconds))
    assert bench.lamps["seat-1"] == "on"
    assert "late" not in bench.sounds[-1:]


def test_the_journal_says_who_pressed(bench: Bench) -> None:
    dice(bench)
    assert bench.console.table.current.entries[0].source == "keys"
    touch(bench, PanelClick("die-5", 0))
    bench.wait(0.5)
    touch(bench, PanelClick("die-4", 0), source="panel")
    assert bench.console.table.current.entries[-1].source == "panel"
    bench.wait(1)
    bench.key("select", "1", "1")
    assert bench.console.table.current.entries[-1].source == "keys"
    bench.wait(1)
    touch(bench, PanelClick("back", 0))
    bench.wait(1)
    assert bench.console.table.current.entries[-1].source == SEAT


def test_a_browser_cannot_end_or_join_a_hold_on_the_box(bench: Bench) -> None:
    dice(bench)
    entries = len(bench.console.table.current.entries)
    bench.simulated.press("select")
    bench.wait(0.5)
    touch(bench, PanelClick("select", 0), PanelClick("die-1", 0))
    bench.wait(0.6)
    bench.simulated.release("select")
    bench.wait(0.1)
    assert bench.console.table.current.entries[-1].source == "box-dice"
    assert len(bench.console.table.current.entries) == entries + 1
