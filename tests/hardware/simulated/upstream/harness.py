"""What gpiozero's tests expect of their conftest, which its source distribution lacks: on our pins and time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest
from gpiozero import Device

from hardware.simulated.mock_pins import MockPins


class ThreadedTest(Thread):
    """A function in a thread, and its result."""

    def __init__(self, test: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._test = test
        self.start()

    def run(self) -> None:
        self._result = self._test()

    @property
    def result(self) -> Any:
        self.join()
        return self._result


@pytest.fixture(autouse=True)
def pins() -> Iterator[MockPins]:
    """Virtual time for each test; pins for those that ask for them."""
    with MockPins() as pins:
        Device.pin_factory = None
        yield pins


@pytest.fixture
def mock_factory(pins: MockPins) -> Any:
    Device.pin_factory = pins.factory
    return pins.factory


@pytest.fixture
def pwm() -> None:
    """Every pin has PWM."""


@pytest.fixture
def no_default_factory() -> None:
    """There is none."""
