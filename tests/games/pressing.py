"""A game pressed on the simulated box: as a player counts presses, and as nobody would."""

from __future__ import annotations

import random
from collections.abc import Callable

from referee.station.virtual.bench import Bench


def pressed(bench: Bench, *keys: str) -> int:
    """Press these keys; return how many presses that were."""
    before = bench.presses
    bench.key(*keys)
    return bench.presses - before


def press_anything(bench: Bench, times: int, seed: str, begin: Callable[[], object]) -> None:
    """Press whatever comes, beginning again where a game is over or left; all of it fits the glass."""
    chance = random.Random(seed)
    for _ in range(times):
        if bench.console.table.session is None:
            begin()
        kind = chance.random()
        if kind < 0.65:
            bench.key(str(chance.randint(1, 6)))
        elif kind < 0.85:
            bench.key("select")
        elif kind < 0.97:
            bench.turn(chance.choice((-1, 1, 2)))
        else:
            bench.key("back")
    assert len(bench.views) > times // 3
    assert bench.misfits == []
