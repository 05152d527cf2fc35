"""What the drivers of the pins owe to gpiozero and lgpio."""

import gc
from typing import Any

import pytest
from gpiozero.exc import PinInvalidPin

from hardware.errors import DeviceClosed, PinsBusy
from hardware.events import Edge, InputEvent, Turn
from hardware.gpio import GpioInputs
from hardware.pins import Pins, load
from hardware.simulated.box import SimulatedBox
from hardware.simulated.pins import factory


class Refusing:
    """A pin factory one of whose pins is taken by somebody else."""

    def __init__(self, busy: int) -> None:
        self._factory = factory()
        self._busy = busy
        self.opened: list[Any] = []

    def pin(self, name: object) -> Any:
        if name == self._busy:
            raise PinInvalidPin(f"GPIO{name} is busy")
        pin = self._factory.pin(name)
        self.opened.append(pin)
        return pin

    def __getattr__(self, name: str) -> Any:
        return getattr(self._factory, name)


@pytest.fixture
def pins() -> Pins:
    return load()


def test_inputs_are_pulled_up_and_never_debounced_by_the_driver(pins: Pins) -> None:
    pin_factory = factory()
    inputs = GpioInputs(pins, pin_factory)
    inputs.open(lambda _event: None)
    for number in (*pins.keys.values(), *pins.encoder):
        pin = pin_factory.pin(f"GPIO{number}")
        assert (pin.function, pin.pull, pin.bounce, pin.edges) == ("input", "up", None, "both")
    inputs.close()


def test_no_line_stays_claimed_when_one_cannot_be_had(pins: Pins) -> None:
    refusing = Refusing(pins.keys["seat-4"])
    inputs = GpioInputs(pins, refusing)
    with pytest.raises(PinsBusy, match="busy"):
        inputs.open(lambda _event: None)
    assert len(refusing.opened) > 5
    assert all(pin.when_changed is None for pin in refusing.opened)
    with pytest.raises(DeviceClosed):
        inputs.level("die-1")
    again = GpioInputs(pins, refusing._factory)
    again.open(lambda _event: None)
    again.close()


@pytest.mark.parametrize(
    ("age", "believed"), [(0.04, True), (2.0, True), (2.5, False), (-0.5, False), (3600.0, False)]
)
def test_an_edge_is_as_old_as_the_kernel_says(pins: Pins, age: float, believed: bool) -> None:
    """A stamp of another clock, as kernels before 5.7 gave it, is not taken for a time of this one."""
    pin_factory = factory()
    inputs = GpioInputs(pins, pin_factory, clock=lambda: 500.0, stamped=True)
    events: list[InputEvent] = []
    inputs.open(events.append)
    pin_factory.pin(f"GPIO{pins.keys['back']}").when_changed(500.0 - age, 0)
    inputs.close()
    assert events == [Edge("back", level=True, at=500.0 - age if believed else 500.0)]


def test_callbacks_survive_garbage_collection(simulated: SimulatedBox) -> None:
    """gpiozero keeps weak references only."""
    events: list[InputEvent] = []
    simulated.box.inputs.open(events.append)
    gc.collect()
    simulated.tap("die-4")
    simulated.turn(1)
    assert {type(event) for event in events} == {Edge, Turn}
