"""Lamps and buzzer keep their rhythm, and a steady box is never woken."""

import threading
from functools import partial

import pytest

from hardware.errors import DeviceClosed
from hardware.gpio import BLINK, BUZZER, GpioOutputs, Switch, Timetable
from hardware.pins import load
from hardware.simulated.pins import factory

PATIENCE = 10.0


def follow(timetable: Timetable, now: float, until: float) -> list[tuple[float, Switch]]:
    """Every change from `now` on, each at its deadline."""
    out = [(now, change) for change in timetable.due(now)]
    while (deadline := timetable.deadline()) is not None and deadline <= until:
        out += [(deadline, change) for change in timetable.due(deadline)]
    return out


def test_a_new_pattern_replaces_the_old_one_at_once() -> None:
    timetable = Timetable([])
    timetable.play((1000,), 0.0)
    timetable.due(0.0)
    timetable.play((10,), 0.5)
    ((at, change),) = follow(timetable, 0.5, 5.0)
    assert at == pytest.approx(0.510)
    assert change == (BUZZER, False)
    timetable.play((1000,), 1.0)
    timetable.due(1.0)
    timetable.play((), 1.1)
    assert timetable.due(1.1) == [(BUZZER, False)]


def test_a_late_thread_does_not_swallow_a_beep() -> None:
    timetable = Timetable([])
    timetable.play((10, 40, 10), 0.0)
    assert timetable.due(0.0) == [(BUZZER, True)]
    assert timetable.due(3.0) == [(BUZZER, False)]
    assert timetable.due(3.040) == [(BUZZER, True)]


def test_lamps_blink_together_and_steady_ones_do_not() -> None:
    timetable = Timetable(["seat-1", "seat-2", "seat-3"])
    timetable.set_lamp("seat-1", "blink", 0.0)
    assert timetable.due(0.0) == [("seat-1", True)]
    timetable.set_lamp("seat-2", "blink", 0.1)
    timetable.set_lamp("seat-3", "on", 0.1)
    assert timetable.due(0.1) == [("seat-2", True), ("seat-3", True)]
    assert timetable.due(BLINK) == [("seat-1", False), ("seat-2", False)]
    assert timetable.due(2 * BLINK) == [("seat-1", True), ("seat-2", True)]
    timetable.set_lamp("seat-1", "on", 2.1 * BLINK)
    timetable.set_lamp("seat-2", "off", 2.1 * BLINK)
    assert timetable.due(2.1 * BLINK) == [("seat-2", False)]
    assert timetable.deadline() is None


class Watched(threading.Condition):
    """A condition that notes how long each wait may last."""

    def __init__(self) -> None:
        super().__init__()
        self.limits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.limits.append(timeout)
        return super().wait(timeout)


class Switched:
    """Lamps and buzzer on mock pins: what was switched, and a way to wait for it."""

    def __init__(self) -> None:
        self.changes: list[Switch] = []
        self.changed = threading.Condition()
        self.broken: set[str] = set()
        pins, pin_factory = load(), factory()
        self.outputs = GpioOutputs(pins, pin_factory)
        for name, number in {**pins.lamps, BUZZER: pins.buzzer}.items():
            pin_factory.pin(f"GPIO{number}").on_change = partial(self._note, name)

    def _note(self, name: str, level: object) -> None:
        with self.changed:
            self.changes.append((name, bool(level)))
            self.changed.notify_all()
        if name in self.broken:
            raise OSError("the pin is gone")

    def wait_for(self, *expected: Switch) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.changes[: len(expected)] == list(expected), PATIENCE)


def test_a_steady_box_is_never_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the last change the thread waits without a time limit: no polling."""
    condition = Watched()
    monkeypatch.setattr("hardware.gpio.Condition", lambda: condition)
    switched = Switched()
    switched.outputs.set("seat-1", "on")
    switched.outputs.play((1,))
    assert switched.wait_for(("seat-1", True), (BUZZER, True), (BUZZER, False))
    # The thread gives the condition up only while it waits: who holds it sees the wait it is in.
    with condition:
        steady = condition.limits[-1]
    assert steady is None
    switched.outputs.set("seat-1", "blink")
    assert switched.wait_for(("seat-1", True), (BUZZER, True), (BUZZER, False), ("seat-1", False))
    with condition:
        limit = condition.limits[-1]
    assert limit is not None
    assert 0 < limit <= BLINK
    switched.outputs.close()


def test_closing_ends_the_thread_and_switches_everything_off() -> None:
    switched = Switched()
    switched.outputs.set("seat-1", "blink")
    switched.outputs.play((5000,))
    assert switched.wait_for(("seat-1", True), (BUZZER, True)) or switched.wait_for((BUZZER, True), ("seat-1", True))
    switched.outputs.close()
    assert sorted(switched.changes[-2:]) == [(BUZZER, False), ("seat-1", False)]
    assert "lamps-and-buzzer" not in {thread.name for thread in threading.enumerate()}
    with pytest.raises(DeviceClosed):
        switched.outputs.play((10,))
    with pytest.raises(DeviceClosed):
        switched.outputs.set("seat-1", "on")
