"""The bounds on the bus hold on screens a console really showed."""

from __future__ import annotations

import pytest

from referee.console.views import Band, Dice
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


def test_a_missed_bound_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = [Dice(Band("Sauron", "attack"), faces) for faces in ((None, None), (4, None), (4, 2))]
    assert missed(bus.of_controller("sh1106", "i2c", dice)) == []
    monkeypatch.setitem(bus.MOST_MS["i2c"], "die", 2.0)
    assert missed(bus.of_controller("sh1106", "i2c", dice)) == ["die_ms"]
