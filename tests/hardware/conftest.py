"""What the tests of the devices share: an exact optimum to judge the windows by."""

from collections.abc import Callable, Iterator

import pytest

from hardware.simulated import SimulatedBox
from tests.bench.optimum import cheapest


@pytest.fixture(scope="session")
def optimum() -> Callable[..., int]:
    """The cost of the cheapest possible windows."""
    return cheapest


@pytest.fixture
def simulated() -> Iterator[SimulatedBox]:
    """A box whose contacts bounce."""
    box = SimulatedBox(bounce=True, seed=7)
    yield box
    box.close()
