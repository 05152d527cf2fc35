"""A table fighting battles through its public answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games.war_of_the_ring.state import Army, WarGame
from referee.rulebook import Roll
from referee.testing.table import Table

Figures = tuple[int, int, int]


class WarTable(Table[WarGame]):
    """One run with shorthand. ``army``: Regulars, Elites, Leadership; the Shadow attacks."""

    book = "war-of-the-ring"

    def __init__(
        self,
        attacker: Figures | None = None,
        defender: Figures = (5, 0, 0),
        ground: str = "field",
        ruling: str | None = "battle",
        **settings: Any,
    ) -> None:
        super().__init__(ruling, **settings)
        if attacker is not None:
            self.answer("shadow", ground, *attacker, *defender)

    @property
    def attacker(self) -> Army:
        return self.game.armies["attacker"]

    @property
    def defender(self) -> Army:
        return self.game.armies["defender"]

    def left(self, side: str = "defender") -> tuple[int, int]:
        return self.game.armies[side].regulars, self.game.armies[side].elites

    def cards(self, attackers: tuple[Any, ...] | None, defenders: tuple[Any, ...] | None = None) -> WarTable:
        """Play cards with these effects; None: no card."""
        cards = (attackers, defenders)
        self.answer(*("none" if effects is None else "card" for effects in cards))
        for effects in cards:
            if effects is not None:
                self.answer(*effects, "done")
        return self

    def hit(self, by_attacker: int, by_defender: int = 0) -> WarTable:
        """Throw the Combat rolls so that they hit so often; no Leaders must be there. Cards: none, if asked."""
        if self.key == "cards.attacker":
            self.answer("none", "none")
        for hits in (by_attacker, by_defender):
            assert isinstance(self.play.ask, Roll)
            self.answer((6,) * hits + (1,) * (self.play.ask.dice - hits))
        return self

    def allowance(self) -> int:
        """Return how many dice the Leader re-roll has."""
        assert self.key == "reroll.roll"
        assert isinstance(self.play.ask, Roll)
        return self.play.ask.dice


@pytest.fixture
def war() -> Callable[..., WarTable]:
    """Return the maker of tables."""
    return WarTable
