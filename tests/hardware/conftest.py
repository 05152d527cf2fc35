"""What the tests of the devices share."""

from collections.abc import Iterator

import pytest

from hardware.simulated.box import SimulatedBox


@pytest.fixture
def simulated() -> Iterator[SimulatedBox]:
    """A box whose contacts bounce."""
    box = SimulatedBox(bounce=True, seed=7)
    yield box
    box.close()
