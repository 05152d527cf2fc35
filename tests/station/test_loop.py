"""The loop on virtual time: faults are said, lamps and sounds follow, and nothing wakes an idle box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import ImageChops

from hardware.events import Edge
from referee.config import Config, Glass, TableSettings
from referee.console.views import Dice, Grid, Idle, Refusal, Ruling
from referee.station.picture import ORBIT
from referee.station.virtual.bench import Bench


def test_a_part_that_comes_and_goes_takes_few_keys(bench: Bench) -> None:
    """L1: a die whose radio flaps each 0.2 s is told of six times a minute, the last news once it is over."""
    bench.key("1", "2", "1", "1")
    counted = 0
    for n in range(30):
        title, text = ("Die lost", "It is out of reach") if n % 2 else ("Die back", "It answers again")
        bench.console.stage.fault(title, text, bench.clock.now, about="die")
        bench.inbox.put(bench.hub.announce)
        bench.wait(0.2)
        before = bench.view
        bench.hold("back", 0.06)
        bench.wait(0.1)
        counted += not isinstance(before, Refusal)
    assert counted > 12
    while bench.console.stage:
        bench.key("select")
    bench.wait(70)
    assert isinstance(bench.view, Refusal)
    assert bench.view.title == "Die lost", "the last news is not left out"


def test_a_fault_sounds_every_5_s_until_a_key_is_pressed(bench: Bench) -> None:
    bench.wait(1)
    bench.console.stage.fault("Display lost", "unplugged", bench.clock.now)
    bench.sounds.clear()
    bench.wait(16)
    assert bench.sounds == ["fault"] * 3
    bench.key("select")
    bench.sounds.clear()
    bench.wait(30)
    assert bench.sounds == []


def test_behind_a_slow_disk_no_display_is_said_to_hang(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """M: what came while the disk was slow is taken first."""
    bench.wait(1)
    monkeypatch.setattr(bench.loop.picture, "hangs", lambda now: True)
    bench.inbox.put(Edge("select", False, bench.clock.now))
    bench.loop.step(None, bench.clock.now)
    assert "fault" not in bench.sounds
    assert bench.inbox.get(0) is not None
    bench.loop.step(None, bench.clock.now)
    assert "fault" in bench.sounds


def test_glass_and_panel_tell_the_same_moment(bench: Bench) -> None:
    messages: list[Mapping[str, Any]] = []
    bench.hub.subscribe(lambda news: messages.extend(each for each in news if each["type"] == "table"))
    bench.key("1", "2", "1", "1")  # the ruling desk, up to its dice
    asked = messages[-1]
    assert asked["prompt"]["kind"] == "roll"
    assert asked["odds"]
    bench.key("5", "4")  # the column of the next ruling stands, but this one is still to be read
    ruled = messages[-1]
    assert isinstance(bench.view, Ruling)
    assert (ruled["prompt"], ruled["odds"], ruled["where"]) == (None, [], asked["where"])
    assert ruled["dice"]["faces"] == [0, 0, 0, 1, 1, 0]
    assert ruled["n"] == asked["n"] + 1
    bench.key("select")
    assert messages[-1]["prompt"]["kind"] == "choose"
    bench.hold("back", 0.5)  # the question stands below the menu
    assert messages[-1]["prompt"]["n"] == ruled["n"]


def test_before_a_turn_has_begun_the_panel_asks_nothing_either(bench: Bench) -> None:
    messages: list[Mapping[str, Any]] = []
    bench.hub.subscribe(lambda news: messages.extend(each for each in news if each["type"] == "table"))
    bench.key("1", "1", "select")
    bench.wait(0.4)
    bench.hold("select", 0.5)  # everything is placed
    bench.key("select")  # a reminder
    assert isinstance(bench.view, Idle)
    assert messages[-1]["prompt"] is None
    bench.key("select")
    assert messages[-1]["prompt"] is not None


def test_an_idle_box_wakes_up_only_to_spare_its_glass(bench: Bench) -> None:
    bench.key("1", "2")
    bench.wait(1)
    frames = bench.loop.screen.frames  # type: ignore[attr-defined]
    entries = bench.console.table.current.entries
    bench.wait(3600)
    assert bench.loop.screen.frames == frames + 3600 // 60 // Glass().drift_minutes  # type: ignore[attr-defined]
    assert bench.console.table.current.entries == entries


def test_the_glass_dims_and_the_key_that_wakes_it_counts(bench: Bench) -> None:
    bench.key("1", "2")
    assert bench.simulated.controller.chip.contrast == Glass().contrast
    bench.wait(601)
    assert bench.simulated.controller.chip.contrast == Glass().dim_contrast
    bench.key("1")
    assert bench.simulated.controller.chip.contrast == Glass().contrast
    assert bench.console.table.current.entries[-1].answer == "o-v-o"


def test_the_bar_of_a_hold_grows_while_the_key_is_down(bench: Bench) -> None:
    bench.key("1", "2", "1", "1")  # up to the dice: holding Select lets the box throw them
    bench.wait(1)
    bench.simulated.press("select")
    bench.wait(0.95)
    bars = [view.bar for view in bench.views if isinstance(view, Dice) and view.bar is not None]
    assert len(bars) >= 5
    assert bars == sorted(set(bars))
    assert max(bars) > 0.85


def test_a_still_picture_drifts_and_a_key_puts_it_back(bench: Bench) -> None:
    bench.key("1", "2")
    bench.wait(1)
    in_place = bench.glass
    for steps in range(1, 20):
        bench.wait(300)
        drifted = ImageChops.offset(in_place, *ORBIT[steps % len(ORBIT)])
        assert bench.glass.crop((1, 1, 127, 63)).tobytes() == drifted.crop((1, 1, 127, 63)).tobytes()
    bench.turn(1)
    bench.turn(-1)
    assert bench.glass.tobytes() == in_place.tobytes()


def test_a_sound_that_is_switched_off_is_not_made(tmp_path: Path) -> None:
    with Bench(tmp_path / "quiet.db", replace(Config(), table=TableSettings(sounds=("fault",)))) as bench:
        bench.key("1")
        assert bench.sounds == []
        assert not bench.simulated.sounding


def test_contact_bounce_changes_nothing(tmp_path: Path) -> None:
    with Bench(tmp_path / "bounce.db", bounce=True, seed=7) as bench:
        bench.key("1", "2", "1", "2", "5", "4", "select")
        bench.turn(2)
        assert isinstance(bench.view, Grid)
        assert bench.view.lit == 2
        assert [e.answer for e in bench.console.table.current.entries[1:]] == ["o-v-o", "fortress-or-river", [5, 4]]


def test_two_keys_at_once_and_a_tap_of_ten_milliseconds_count(tmp_path: Path) -> None:
    with Bench(tmp_path / "j.db", bounce=True, seed=3) as bench:
        bench.key("1", "2", "1", "1")  # the ruling desk, up to its dice
        bench.wait(0.5)
        for key in ("die-2", "die-5"):
            bench.simulated.press(key)
        bench.wait(0.010)
        for key in ("die-5", "die-2"):
            bench.simulated.release(key)
        bench.wait(0.5)
        assert isinstance(bench.view, Ruling)
        assert bench.view.faces == (2, 5)
