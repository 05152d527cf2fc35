"""The contract of each port. Every back end is listed here and passes the same tests."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from PIL import Image

from hardware.box import Box
from hardware.errors import BadPattern, DeviceClosed, UnknownLine
from hardware.events import Edge, InputEvent, Turn
from hardware.pins import DisplayWiring, I2cWiring, SpiWiring, load
from hardware.ports import Buzzer, Display, Inputs, Lamps
from hardware.simulated.box import SimulatedBox
from tests.reference import KEYS

PATIENCE = 10.0
DISPLAYS = {
    f"{controller} on {'i2c' if isinstance(wires, I2cWiring) else 'spi'}": DisplayWiring(controller, wires, turned)
    for controller, wires, turned in (
        ("ssd1306", I2cWiring(1, 0x3C), False),
        ("ssd1309", I2cWiring(1, 0x3D), False),
        ("ssd1309", SpiWiring(0, 0, 3, 2), True),
        ("sh1106", I2cWiring(1, 0x3C), True),
        ("ssd1322", SpiWiring(0, 0, 3, 2), False),
    )
}


@dataclass
class Watch:
    """A box, its hands, and what its outputs did."""

    hands: SimulatedBox
    changes: list[tuple[str, bool]]
    changed: threading.Condition

    @property
    def box(self) -> Box:
        return self.hands.box

    def wait_for(self, change: tuple[str, bool], times: int = 1) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.changes.count(change) >= times, PATIENCE)


@pytest.fixture(params=[*DISPLAYS, "bouncing", "two detents a cycle", "rests closed"])
def watch(request: pytest.FixtureRequest) -> Iterator[Watch]:
    pins = load()
    if request.param in DISPLAYS:
        pins = replace(pins, display=DISPLAYS[request.param])
    if request.param.startswith("two"):
        pins = replace(pins, detents_per_cycle=2)
    changes: list[tuple[str, bool]] = []
    changed = threading.Condition()

    def note(name: str, level: bool) -> None:
        with changed:
            changes.append((name, level))
            changed.notify_all()

    hands = SimulatedBox(
        bounce=request.param == "bouncing",
        seed=3,
        rests_closed=request.param == "rests closed",
        pins=pins,
        on_lamp=note,
        on_buzzer=lambda level: note("buzzer", level),
    )
    yield Watch(hands, changes, changed)
    hands.close()


class TestInputs:
    def test_every_key_reports_its_edges_and_its_level(self, watch: Watch) -> None:
        inputs: Inputs = watch.box.inputs
        events: list[InputEvent] = []
        inputs.open(events.append)
        for key in KEYS:
            events.clear()
            assert not inputs.level(key)
            watch.hands.press(key)
            assert inputs.level(key)
            watch.hands.release(key)
            assert not inputs.level(key)
            edges = [event for event in events if isinstance(event, Edge)]
            assert {edge.line for edge in edges} == {key}
            assert edges[0].level
            assert not edges[-1].level
            assert all(one.at <= other.at for one, other in pairwise(edges))

    def test_turns_add_up(self, watch: Watch) -> None:
        events: list[InputEvent] = []
        watch.box.inputs.open(events.append)
        for steps in (1, -1, 5, -12, 1, 1):
            events.clear()
            watch.hands.turn(steps)
            assert sum(event.steps for event in events if isinstance(event, Turn)) == steps
            assert len(events) == abs(steps)

    def test_a_key_that_is_down_already_is_reported_once(self, watch: Watch) -> None:
        watch.hands.press("back")
        events: list[InputEvent] = []
        watch.box.inputs.open(events.append)
        assert [(event.line, event.level) for event in events if isinstance(event, Edge)] == [("back", True)]

    def test_a_sink_that_fails_loses_its_own_event_only(self, watch: Watch) -> None:
        events: list[InputEvent] = []

        def sink(event: InputEvent) -> None:
            events.append(event)
            if len(events) == 1:
                raise RuntimeError("the queue is broken")

        watch.box.inputs.open(sink)
        watch.hands.tap("die-1")
        watch.hands.tap("seat-3")
        watch.hands.turn(1)
        assert {event.line for event in events if isinstance(event, Edge)} == {"die-1", "seat-3"}
        assert any(isinstance(event, Turn) for event in events)

    def test_closed_inputs_are_silent_and_can_be_opened_again(self, watch: Watch) -> None:
        inputs: Inputs = watch.box.inputs
        events: list[InputEvent] = []
        inputs.open(events.append)
        inputs.close()
        inputs.close()
        watch.hands.tap("select")
        watch.hands.turn(2)
        assert events == []
        with pytest.raises(DeviceClosed):
            inputs.level("select")
        inputs.open(events.append)
        watch.hands.tap("select")
        watch.hands.turn(-1)
        assert {type(event) for event in events} == {Edge, Turn}

    def test_a_line_that_does_not_exist_is_refused(self, watch: Watch) -> None:
        watch.box.inputs.open(lambda _event: None)
        with pytest.raises(UnknownLine, match="die-7"):
            watch.box.inputs.level("die-7")


class TestDisplay:
    def test_the_glass_shows_the_picture(self, watch: Watch) -> None:
        display: Display = watch.box.display
        image = Image.linear_gradient("L").resize(display.size).convert("1")
        display.show(image)
        assert watch.hands.glass().tobytes() == image.tobytes()
        display.show(Image.new("1", display.size), [(0, 0, 5, 5)])
        assert watch.hands.glass().getbbox() is None

    def test_closing_leaves_it_dark(self, watch: Watch) -> None:
        display: Display = watch.box.display
        display.show(Image.new("1", display.size, 1))
        display.close()
        display.close()
        assert watch.hands.glass().getbbox() is None
        with pytest.raises(DeviceClosed):
            display.show(Image.new("1", display.size))


class TestLamps:
    def test_each_lamp_is_switched_by_its_name(self, watch: Watch) -> None:
        lamps: Lamps = watch.box.lamps
        for name in lamps.names:
            lamps.set(name, "on")
            assert watch.wait_for((name, True))
            lamps.set(name, "off")
            assert watch.wait_for((name, False))
        assert not any(watch.hands.lamps().values())

    def test_a_blinking_lamp_goes_on_and_off_and_on(self, watch: Watch) -> None:
        watch.box.lamps.set("seat-2", "blink")
        assert watch.wait_for(("seat-2", True), times=2)

    def test_closing_leaves_them_dark(self, watch: Watch) -> None:
        lamps: Lamps = watch.box.lamps
        lamps.set("seat-1", "on")
        assert watch.wait_for(("seat-1", True))
        lamps.close()
        lamps.close()
        assert not any(watch.hands.lamps().values())

    def test_what_does_not_exist_is_refused(self, watch: Watch) -> None:
        with pytest.raises(UnknownLine):
            watch.box.lamps.set("die-1", "on")
        with pytest.raises(BadPattern):
            watch.box.lamps.set("seat-1", "glow")  # type: ignore[arg-type]


class TestBuzzer:
    def test_a_pattern_is_as_many_sounds(self, watch: Watch) -> None:
        buzzer: Buzzer = watch.box.buzzer
        buzzer.play((3, 3, 3, 3, 3))
        assert watch.wait_for(("buzzer", False), times=3)
        assert watch.changes.count(("buzzer", True)) == 3
        assert not watch.hands.sounding

    def test_no_pattern_and_close_silence_it(self, watch: Watch) -> None:
        buzzer: Buzzer = watch.box.buzzer
        buzzer.play((9000,))
        assert watch.wait_for(("buzzer", True))
        buzzer.play(())
        assert watch.wait_for(("buzzer", False))
        buzzer.play((9000,))
        assert watch.wait_for(("buzzer", True), times=2)
        buzzer.close()
        buzzer.close()
        assert not watch.hands.sounding

    def test_a_pattern_that_cannot_be_played_is_refused(self, watch: Watch) -> None:
        with pytest.raises(BadPattern):
            watch.box.buzzer.play((60, 0, 60))
