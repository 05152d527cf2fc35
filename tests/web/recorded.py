"""What browsers are told in a game of each rulebook, recorded at a simulated box on virtual time."""

from __future__ import annotations

import functools
import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.console.grammar import UNBIDDEN
from referee.testing.station import Bench
from referee.web.hub import PanelTap
from tests.bench.hands import Hands
from tests.components import MEMORY

Batch = list[Mapping[str, Any]]
"""What is told at one moment."""

SLIPS = 0.12
"""Share of gestures that lead to the menu, the log, the odds, a refusal."""


def tap(bench: Bench, chance: random.Random) -> bool:
    """Answer by a button of the panel, one that can be had where there is one; return whether there is any."""
    bench.wait(UNBIDDEN)
    buttons = bench.console.top.buttons
    if not buttons:
        return False
    button = chance.choice([each for each in buttons if each.bar is None] or buttons)
    bench.hub.act(PanelTap(bench.console.screen, button.id, button.held), "panel")
    bench.settle()
    return True


@functools.cache
def recorded(game: str, gestures: int) -> tuple[Batch, ...]:
    """Return what is told from the shelf on through so many gestures; a game that is over is followed by another."""
    batches: list[Batch] = []
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Bench(Path(folder) / "journal.db") as bench:
        news: Batch = []
        bench.hub.subscribe(news.extend)
        chance = random.Random(f"{game}, watched")
        hands = Hands(bench, chance, stray=1.0, think=0.0)
        for gesture in range(gestures):
            session = bench.console.table.session
            if gesture and (session is None or session.over is not None):
                bench.play(game)
            elif gesture and (chance.random() < SLIPS or not tap(bench, chance)):
                hands.act()
            bench.wait(UNBIDDEN)
            batches.append(list(news))
            news.clear()
    return tuple(batches)
