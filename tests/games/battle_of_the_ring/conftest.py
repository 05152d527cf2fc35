"""A table playing Battle of the Ring through its public answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games.battle_of_the_ring.state import RingGame
from referee.testing.table import Table


class RingTable(Table[RingGame]):
    """One run with shorthand: `to` goes on to a phase, `attack` makes one."""

    book = "battle-of-the-ring"

    def __init__(self, ruling: str | None = None, *, placed: bool = True, **settings: Any) -> None:
        super().__init__(ruling, **settings)
        if placed and ruling is None:
            self.answer("placed", "placed", "placed")

    @property
    def board(self) -> dict[str, int]:
        return self.game.on_board

    def pass_phase(self) -> RingTable:
        """End the phase that stands, with nothing special."""
        if "quiet" in self.bundles():
            return self.send("quiet")
        return self.answer("done")

    def to(self, seat: str, phase: str, round_: int = 1) -> RingTable:
        """Go on quietly until this phase stands."""
        for _ in range(400):
            if (self.game.round, self.game.seat, self.game.phase) == (round_, seat, phase):
                return self
            self.pass_phase()
        raise AssertionError(f"never came to {seat} {phase} in round {round_}")

    def attack(self, attacker: str, target: str, helped: str, position: str, *dice: Any) -> str:
        """Make one attack; the helper question is answered if it is asked. Return the result."""
        self.answer(attacker, target)
        if self.key == "attack.column":
            self.answer(helped)
        else:
            assert helped == "none", "nobody could help"
        self.answer(position, dice[0] if len(dice) == 1 else list(dice))
        return self.result


Make = Callable[..., RingTable]


@pytest.fixture
def ring() -> Make:
    """Return the maker of tables: ``ring(players=2)``, ``ring("attack")``."""
    return RingTable
