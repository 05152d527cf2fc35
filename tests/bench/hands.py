"""Hands at the box that play from a seed: mostly as people mean it, sometimes as people are.

They look at the glass and press what stands there; now and then they press twice, too early, another seat's button,
two keys at once, hold too long, or think for minutes. Whatever they do, they are a pure function of the seed and of
what the station shows.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from hardware.events import DIE_KEYS
from referee.console import views
from referee.station.virtual.bench import Bench
from tests.reference import KEYS, SEAT_KEYS

REACTION: Final = 0.26
"""Seconds from seeing a screen to pressing; shorter is a press for the screen before."""

STRAY: Final = 0.2
"""Share of gestures that nobody means so."""


class Hands:
    """``stray`` is the share of gestures that are slips; ``think``: seconds a player takes at most before a press.

    ``presses`` and ``slips`` count what was done.
    """

    def __init__(self, bench: Bench, chance: random.Random, *, stray: float = STRAY, think: float = 3.0) -> None:
        self.bench = bench
        self.chance = chance
        self.presses = self.slips = 0
        self._stray = stray
        self._think = think
        self._slips: tuple[Callable[[], None], ...] = (
            self._doubled, self._early, self._chord, self._long, self._any_key, self._nudge, self._back, self._menu
        )  # fmt: skip

    def act(self) -> None:
        """Make one gesture, after a while."""
        self.bench.wait(REACTION + self.chance.random() ** 3 * self._think)
        if self.chance.random() < self._stray:
            self.slips += 1
            self.chance.choice(self._slips)()
        else:
            self._meant(self.bench.view)

    def tap(self, key: str, seconds: float = 0.0) -> None:
        """Press one key and let it go."""
        self.presses += 1
        self.bench.hold(key, seconds or self.chance.uniform(0.03, 0.2))

    # -- as people mean it

    def _meant(self, view: views.View) -> None:
        if isinstance(view, views.Dice):
            self._dice(view)
        elif isinstance(view, (views.Grid, views.Rows, views.Question)):
            self._choice(view)
        elif isinstance(view, views.Count):
            self._count()
        elif isinstance(view, views.Confirm):
            self.chance.choice((lambda: self.tap("back"), lambda: self.tap("select", 1.2)))()
        elif isinstance(view, views.Idle) and self.chance.random() < 0.7:
            self.tap(self._asked() or "select")
        else:
            self.tap("select")

    def _choice(self, view: views.Grid | views.Rows | views.Question) -> None:
        there = [key for key, cell in zip(DIE_KEYS, view.cells, strict=False) if cell.text and not cell.barred]
        if isinstance(view, views.Grid) and view.ticks and self.chance.random() < 0.35:
            self.tap("select")
        elif there and self.chance.random() < 0.85:
            self.tap(self.chance.choice(there))
        else:
            self.bench.turn(self.chance.choice((-2, -1, 1, 2, 3)))
            self.bench.wait(REACTION)
            self.tap("select")

    def _dice(self, view: views.Dice) -> None:
        if view.standing or None not in view.faces:
            self.tap("select")
        elif self.chance.random() < 0.1:
            self.tap("select", 1.2)  # the box throws
        else:
            self.tap(self.chance.choice(DIE_KEYS))

    def _count(self) -> None:
        if self.chance.random() < 0.5:
            self.bench.turn(self.chance.choice((-3, -1, 1, 2, 5)))
        self.tap("select")

    def _asked(self) -> str:
        lit = [key for key, state in self.bench.console.lamps().items() if state != "off" and key in KEYS]
        return self.chance.choice(lit) if lit else ""

    # -- as people are

    def _doubled(self) -> None:
        key = self.chance.choice((*DIE_KEYS, "select"))
        self.tap(key, 0.02)
        self.bench.wait(self.chance.uniform(0.0, 0.3))
        self.tap(key, 0.02)

    def _early(self) -> None:
        """Press on before the next question can have been seen."""
        self._meant(self.bench.view)
        self.bench.wait(self.chance.uniform(0.0, 0.15))
        self.tap(self.chance.choice((*DIE_KEYS, "select")), 0.02)

    def _chord(self) -> None:
        first, second = self.chance.sample(KEYS, 2)
        self.presses += 2
        self.bench.presses += 2
        for key in (first, second):
            self.bench.simulated.press(key)
            self.bench.wait(self.chance.uniform(0.0, 0.6))
        for key in self.chance.sample((first, second), 2):
            self.bench.simulated.release(key)
            self.bench.wait(self.chance.uniform(0.0, 0.1))
        self.bench.wait(0.02)

    def _long(self) -> None:
        self.tap(self.chance.choice(KEYS), self.chance.choice((0.31, 0.44, 0.5, 0.99, 1.1, 3.0)))

    def _any_key(self) -> None:
        self.tap(self.chance.choice((*SEAT_KEYS, *KEYS)))

    def _nudge(self) -> None:
        self.bench.turn(self.chance.choice((-1, 1)))
        self.bench.wait(self.chance.uniform(0.0, 0.12))
        self.tap("select")

    def _back(self) -> None:
        self.tap("back")

    def _menu(self) -> None:
        self.tap("back", 0.6)
