"""Mock pins for anybody's program: every device of gpiozero on virtual time, with hands and eyes (F5)."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
from gpiozero import (
    LED,
    MCP3008,
    PWMLED,
    RGBLED,
    Button,
    Buzzer,
    Device,
    DigitalInputDevice,
    DistanceSensor,
    LightSensor,
    MotionSensor,
    Motor,
    Servo,
    TonalBuzzer,
    TrafficLights,
)
from gpiozero.exc import PWMSoftwareFallback
from gpiozero.tones import Tone

from hardware.errors import BadWiring
from hardware.simulated.mock_pins import MockPins
from hardware.simulated.virtual import NothingHappens, ThreadHangs


class Counter:
    """Counts the presses of a button."""

    def __init__(self, button: Button) -> None:
        self.calls = 0
        self.button = button
        button.when_pressed = self.count

    def count(self) -> None:
        self.calls += 1


def test_outputs_with_and_without_pwm_need_no_arguments(pins: MockPins) -> None:
    """F5: PWMLED raised PinPWMUnsupported."""
    lamp, dim, colour, servo, motor = LED(2), PWMLED(3), RGBLED(4, 5, 6), Servo(7), Motor(8, 9)
    tones, buzzer, lights = TonalBuzzer(10), Buzzer(11), TrafficLights(12, 13, 14)
    lamp.on()
    dim.value = 0.25
    colour.value = (1, 0.5, 0)
    servo.max()
    motor.forward(0.75)
    tones.play(Tone("A4"))
    buzzer.on()
    lights.amber.on()
    duties = {n: round(pins[n].duty, 3) for n in range(2, 15)}
    assert duties == {
        2: 1, 3: 0.25, 4: 1, 5: 0.5, 6: 0, 7: 0.1, 8: 0.75, 9: 0, 10: 0.5, 11: 1, 12: 0, 13: 1, 14: 0,
    }  # fmt: skip
    assert (pins[2].frequency, pins[3].frequency, pins[7].frequency, pins[10].frequency) == (None, 100, 50, 440)


@pytest.mark.parametrize(
    ("button", "wire", "rest"),
    [
        ({}, None, True),
        ({"pull_up": False}, None, False),
        ({"pull_up": None, "active_state": False}, "up", True),
        ({"pull_up": None, "active_state": True}, "down", False),
    ],
)
def test_a_button_is_pressed_however_it_is_wired(
    pins: MockPins, button: dict[str, bool | None], wire: str | None, rest: bool
) -> None:
    """P: with `pull_up=False` or a pull-up outside, a button was never pressed, or always."""
    if wire == "up":
        pins[17].wire(pull="up")
    elif wire == "down":
        pins[17].wire(pull="down")
    device = Button(17, **button)
    assert (device.is_pressed, pins[17].level) == (False, rest)
    for _ in range(2):
        pins[17].press()
        assert (device.is_pressed, pins[17].level) == (True, not rest)
        pins[17].release()
        assert (device.is_pressed, pins[17].level) == (False, rest)


def test_an_input_without_a_resistor_floats(pins: MockPins) -> None:
    device = DigitalInputDevice(17, pull_up=None, active_state=True)
    with pytest.raises(BadWiring, match="GPIO17 floats: expected a pull-up or pull-down"):
        pins[17].press()
    pins[17].pick_up_noise(per_second=50, seconds=1)
    assert 20 < len(pins[17].history) < 100
    pins[17].wire(to="3v3", pull="down")
    changes = len(pins[17].history)
    pins[17].pick_up_noise(per_second=50, seconds=1)
    assert len(pins[17].history) <= changes + 1
    pins[17].press()
    assert device.is_active
    assert pins.now == 2


def test_a_hold_of_ten_seconds_takes_no_time() -> None:
    """F5: `when_held` waited, and so did `blink`."""
    before, begun = {*threading.enumerate()}, time.process_time()
    with MockPins() as pins:
        button, lamp = Button(17, hold_time=10), LED(27)
        button.when_held = lamp.on
        pins[17].press()
        pins.wait(9.999)
        assert not button.is_held
        pins.wait(0.002)
        assert (button.is_held, lamp.is_lit) == (True, True)
        pins[17].release()
        assert not button.is_held
    assert {*threading.enumerate()} == before
    assert time.process_time() - begun < 1
    assert Device.pin_factory is not pins.factory


def test_bounce_counts_without_bounce_time_and_not_with_it(pins: MockPins) -> None:
    """F5: `bounce_time` was ignored, and a contact that bounced was pressed four times."""
    raw, clean = Counter(Button(17)), Counter(Button(27, bounce_time=0.02))
    for n in (17, 27):
        pins[n].bounces(5)
        for _ in range(4):
            pins[n].hold(0.2)
            pins.wait(0.2)
    assert raw.calls > 8
    assert clean.calls == 4


def test_contacts_stick_and_come_loose(pins: MockPins) -> None:
    button = Button(17)
    counter = Counter(button)
    pins[17].press()
    pins[17].stick().release()
    assert button.is_pressed
    pins[17].free()
    assert not button.is_pressed
    pins[17].loose(per_second=20).hold(2)
    assert counter.calls > 10
    assert not button.is_pressed
    calls = counter.calls
    pins.wait(2)
    assert counter.calls == calls
    for _ in range(20):
        pins[17].hold(0.01)  # a press does not add to the flicker of the one before
    assert counter.calls < calls + 40
    pins[17].press()
    pins.wait(1)
    pins[17].loose(0)
    pins.wait(1)
    assert button.is_pressed


def test_sensors_measure_what_is_before_them(pins: MockPins) -> None:
    pins.mcp3008().values[3] = 0.75
    pot = MCP3008(channel=3)
    echo = pins.echo(trigger=23, echo=24, metres=0.42)
    with pytest.warns(PWMSoftwareFallback):
        sensor = DistanceSensor(echo=24, trigger=23, queue_len=3)
    light, motion = LightSensor(18, charge_time_limit=0.01), MotionSensor(4)
    pins.capacitor(18, 0.004)
    pins[4].drive(True)
    pins.wait(2)
    assert sensor.distance == pytest.approx(0.42, abs=0.001)
    assert light.value == pytest.approx(0.6, abs=0.01)
    assert motion.motion_detected
    assert pot.value == pytest.approx(0.75, abs=0.001)
    echo.metres = 0.1
    pins[4].drive(False)
    pins.wait(2)
    assert sensor.distance == pytest.approx(0.1, abs=0.001)
    assert not motion.motion_detected


def test_waiting_for_a_press_ends_with_it_or_an_error(pins: MockPins) -> None:
    button = Button(17)
    pins.after(30, pins[17].press)
    assert button.wait_for_press()
    assert pins.now == 30
    assert not button.wait_for_release(timeout=5)
    assert pins.now == 35
    with pytest.raises(NothingHappens, match="nothing else is going to happen"):
        button.wait_for_release()


def test_what_a_script_raises_is_raised_in_the_test(pins: MockPins) -> None:
    def program() -> None:
        time.sleep(2)
        raise KeyError("GPIO99")

    pins.run(program)
    with pytest.raises(KeyError, match="GPIO99"):
        pins.wait(5)
    assert pins.now == 2


def test_a_thread_that_waits_for_something_real_is_named(pins: MockPins, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.simulated.virtual.REAL_PATIENCE", 0.2)
    lock = threading.Lock()

    def work() -> None:
        with lock:
            pass

    with lock, pytest.raises(ThreadHangs, match=r"worker runs on.*test_mock_pins.py:\d+: with lock:"):
        threading.Thread(target=work, name="worker", daemon=True).start()


PROBE = """
import sys, time
import {module}
begun = time.process_time()
from pytest_referee import pins
context = pins.__wrapped__() if hasattr(pins, "__wrapped__") else pins._get_wrapped_function()()
next(context)
spent = time.process_time() - begun
next(context, None)
assert not [name for name in sys.modules if name.partition(".")[0] == "referee"]
print(spent)
"""


def test_the_fixture_loads_nothing_of_the_referee() -> None:
    """At most 20 ms beside gpiozero, which takes 50: compared in one run, so that the machine does not matter."""
    loaded = {
        name: float(subprocess.run([sys.executable, "-c", text], capture_output=True, check=True, text=True).stdout)
        for name, text in (
            ("gpiozero", "import time; t = time.process_time(); import gpiozero; print(time.process_time() - t)"),
            ("pins", PROBE.format(module="gpiozero, pytest")),
        )
    }
    assert loaded["pins"] < loaded["gpiozero"] / 2


def test_a_converter_that_is_still_alive_answers_in_no_other_test() -> None:
    kept = []
    for value in (0.25, 0.75):
        with MockPins() as pins:
            pins.mcp3008().values[3] = value
            kept.append(MCP3008(3))
            assert kept[-1].value == pytest.approx(value, abs=0.001)


def test_only_an_input_can_be_pressed(pins: MockPins) -> None:
    lamp = LED(17)
    with pytest.raises(BadWiring, match="is an output"):
        pins[17].press()
    lamp.close()
