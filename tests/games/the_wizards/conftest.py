"""A table playing The Wizards through its public answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games.the_wizards.state import Character, WizardsGame
from referee.rulebook import Count, Ruling
from tests.games.table import Table

SEED = ("bilbo", "balin", "bofur", "beretar", "beregond")


class WizardsTable(Table[WizardsGame]):
    """One run with shorthand: `attack` declares one, `status` changes a character's."""

    book = "middle-earth-the-wizards"

    def __init__(self, ruling: str | None = None, *, company: tuple[Any, ...] = (), **settings: Any) -> None:
        """``company``: "seed" for the printed example, or pairs (prowess, body)."""
        super().__init__(ruling, **settings)
        if company == ("seed",):
            self.answer(*(answer for who in SEED for answer in ("named", who)))
        for prowess, body in company if company != ("seed",) else ():
            self.answer("other", str(prowess), str(body))
        if company:
            self.answer("done")
            assert isinstance(self.play.ask, Count)
            self.answer(self.play.ask.default)

    def who(self, name: str) -> Character:
        return self.game.find(name)

    def attack(
        self,
        strikes: int,
        prowess: int,
        body: int = 0,
        *,
        source: str = "creature",
        kind: str = "orc",
        attacks: int = 1,
    ) -> WizardsTable:
        """Declare an attack, up to the question for changes."""
        if attacks > 1:
            self.answer("attack", "creature-again", str(attacks))
        else:
            self.answer("attack", source)
        return self.answer(kind, str(strikes), str(prowess), str(body))

    def status(self, who: str, status: str) -> WizardsTable:
        """Change a status by the entry every menu has."""
        return self.answer("status", who, status)

    @property
    def results(self) -> list[str]:
        return [ruling.result for ruling in self.rulings]

    def ruling(self, result: str) -> Ruling:
        """Return the last ruling with this result."""
        return [r for r in self.rulings if r.result == result][-1]


@pytest.fixture
def wizards() -> Callable[..., WizardsTable]:
    """Make a table: a company of pairs (prowess, body), or the printed example."""
    return WizardsTable
