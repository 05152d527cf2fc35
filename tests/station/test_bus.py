"""The bounds on the bus hold on screens a console really showed."""

from __future__ import annotations

from typing import Any

import pytest

from referee import games
from tests.bench import bus


def missed(figures: dict[str, Any]) -> list[str]:
    return [name for name, figure in figures.items() if isinstance(figure, dict) and figure.get("met") is False]


@pytest.mark.long
@pytest.mark.parametrize(
    ("controller", "wires"), [("ssd1309", "i2c"), ("ssd1309", "spi"), ("sh1106", "i2c"), ("ssd1322", "spi")]
)
def test_recorded_screens_cost_no_more_than_they_may(controller: str, wires: str) -> None:
    figures = bus.of_controller(controller, wires)
    assert {"die", "highlight", "new screen"} <= figures["evening"].keys()
    assert missed(figures) == []
    assert {book.id for book in games.books()} < figures.keys(), "every game was played"
    assert figures["answer_ms"]["at_most"] == (5 if wires == "i2c" else 1.5)


@pytest.mark.long
def test_a_bound_that_is_missed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bus.MOST_MS["i2c"], "die", 2.0)
    monkeypatch.setitem(bus.MOST_MS["i2c"], "answer", 4.0)
    assert missed(bus.of_controller("sh1106", "i2c")) == ["answer_ms", "die_ms"]
