"""The fixture `pins` for pytest, on by itself once the package is installed (docs/testing.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hardware.simulated.mock_pins import MockPins


@pytest.fixture
def pins() -> Iterator[MockPins]:
    """gpiozero's default pins without a Raspberry Pi, and virtual time, while the test lasts."""
    from hardware.simulated.mock_pins import MockPins  # tests that use no pins do not pay for them

    with MockPins() as mock:
        yield mock
