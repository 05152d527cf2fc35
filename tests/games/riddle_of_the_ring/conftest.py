"""A table playing Riddle of the Ring through its public answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.testing.table import Table


class RiddleTable(Table[RiddleGame]):
    """One run with shorthand: `stop` moves beside players, `attack` opens a battle."""

    book = "riddle-of-the-ring"

    def __init__(self, *players: str, ruling: str | None = None, **settings: Any) -> None:
        """Whoever is named first begins; Frodo, BR1, Sam, BR2 if nobody is named."""
        super().__init__(ruling, **settings)
        if ruling is None:
            seated = players or ("frodo", "br1", "sam", "br2")
            self.answer(len(seated), *seated)

    @property
    def score(self) -> str:
        return f"{self.game.battle.att_total}-{self.game.battle.def_total}"

    def stop(self, *near: str, exchange: str = "done") -> RiddleTable:
        """Move and stop beside these players, with that result of every Friendly Exchange."""
        return self.answer("move", "finished", list(near), *(exchange for _ in near))

    def attack(self, defender: str) -> RiddleTable:
        """Stop beside a player, have the Friendly Exchange, open a battle: nobody else can be attacked."""
        return self.stop(defender).answer("battle")

    def turn_of(self, seat: str) -> RiddleTable:
        """End turns until it is this player's."""
        while self.game.seat != seat:
            self.answer("end-turn")
        return self


Make = Callable[..., RiddleTable]


@pytest.fixture
def table() -> Make:
    """Return the maker of tables: ``table("frodo", "br1")``, ``table(ruling="battle")``."""
    return RiddleTable
