"""The bounds on the bus hold on screens a console really showed."""

from __future__ import annotations

import pytest

from tests.bench import bus
from tests.bench.spread import missed


@pytest.mark.long
@pytest.mark.parametrize(
    ("controller", "wires"), [("ssd1309", "i2c"), ("ssd1309", "spi"), ("sh1106", "i2c"), ("ssd1322", "spi")]
)
def test_screens_cost_no_more_than_they_may(controller: str, wires: str) -> None:
    figures = bus.of_controller(controller, wires)
    assert missed(figures) == []
    assert all(figure["value"] > 0 for figure in figures.values()), "there was a change of each kind"
