"""Presses per ruling, counted on the simulated box."""

from __future__ import annotations

import tempfile
from pathlib import Path

from referee.console.views import Notice, Ruling
from referee.testing.station import Bench

TYPICAL = {"attack": 5, "same again": 3, "bare ruling": 4}
"""What each may take: one press more and reading the printed table is as quick."""


def _kind(bench: Bench) -> str:
    prompt = bench.console.table.prompt
    assert prompt is not None
    return prompt.kind


def measure() -> dict[str, int]:
    """Return presses for a bare ruling, a whole attack in a game, and the same attack again."""
    found: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        with Bench(Path(folder) / "ruling.db") as bench:
            bench.key("1", "2")
            bench.presses = 0
            bench.key("1", "2", "3", "3")
            assert isinstance(bench.view, Ruling)
            found["bare ruling"] = bench.presses
        with Bench(Path(folder) / "game.db") as bench:
            bench.key("1", "1", "select")
            bench.wait(0.4)
            bench.hold("select", 0.5)
            while isinstance(bench.view, Notice) or bench.console.top.wakes:
                bench.key("select")
            bench.wait(0.4)
            bench.hold("select", 0.5)
            bench.presses = 0
            bench.key("1", "1")
            while _kind(bench) != "roll":
                bench.key("1")
            bench.key("3", "3")
            assert isinstance(bench.view, Ruling)
            found["attack"] = bench.presses
            bench.presses = 0
            bench.wait(0.4)
            bench.hold("select", 0.5)
            bench.key("4", "2")
            assert isinstance(bench.view, Ruling)
            found["same again"] = bench.presses
    return found
