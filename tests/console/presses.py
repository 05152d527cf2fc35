"""Scripts of keys, pressed on the simulated box."""

from __future__ import annotations

from typing import Final

from referee.station.virtual.bench import Bench

HANDS: Final = {"S": "select", "B": "back", "a": "seat-1", "b": "seat-2", "c": "seat-3", "d": "seat-4"}
"""How scripts name the keys, beside the digits of the die keys; H is Select held, R a ruling left to give way."""


def press(bench: Bench, keys: str) -> None:
    """Press the keys of a script."""
    for key in keys.replace(" ", ""):
        if key == "R":
            bench.read()
        elif key == "H":
            bench.wait(0.4)
            bench.hold("select", 0.5)
        else:
            bench.key(HANDS.get(key, key))
