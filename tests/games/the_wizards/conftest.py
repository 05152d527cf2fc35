"""A table playing The Wizards through its public answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import pytest

from referee.games.the_wizards.state import Character, WizardsGame
from referee.rulebook import Choose, Count, Ruling
from referee.testing.table import Table

SEED = ("bilbo", "balin", "bofur", "beretar", "beregond")


class WizardsTable(Table[WizardsGame]):
    """One run with shorthand: `attack` declares one, `status` changes a character's."""

    book = "middle-earth-the-wizards"

    def __init__(
        self, ruling: str | None = None, *, company: tuple[Any, ...] = (), limit: int | None = None, **settings: Any
    ) -> None:
        """``company``: "seed" for the printed example, or pairs (prowess, body); ``limit``: hazards on it."""
        super().__init__(ruling, **settings)
        if company == ("seed",):
            self.answer(*(answer for who in SEED for answer in ("named", who)))
        for prowess, body in company if company != ("seed",) else ():
            self.answer("other", str(prowess), str(body))
        if company:
            self.answer("done")
            assert isinstance(self.play.ask, Count)
            self.answer(limit or self.play.ask.default)

    def answer(self, *answers: Any, override: bool = False) -> Self:
        """Give some answers; the attacker plays nothing on a strike unless the answer is one of his."""
        for answer in answers:
            self._pass_before(answer)
            super().answer(answer, override=override)
        return self

    def refused(self, answer: Any) -> str:
        """As in every game, with the attacker playing nothing unless the answer is one of his."""
        self._pass_before(answer)
        return super().refused(answer)

    def _pass_before(self, answer: Any) -> None:
        ask = self.play.ask
        if self.key == "strike.attacker" and isinstance(ask, Choose) and answer not in (*ask.among.by_id, "back"):
            super().answer("none")

    def passed(self) -> Self:
        """Let the attacker play nothing on the strike, if he is asked."""
        return self.answer("none") if self.key == "strike.attacker" else self

    def who(self, name: str) -> Character:
        return self.game.find(name)

    @property
    def mps(self) -> int:
        """Marshalling points of the first player."""
        return self.game.marshalling["player-1"]

    def attack(
        self, strikes: int, prowess: int, body: int = 0, *, source: str = "creature", kind: str = "", attacks: int = 1
    ) -> WizardsTable:
        """Declare an attack, up to the question for changes."""
        if attacks > 1:
            self.answer("attack", "creature-again", str(attacks))
        else:
            self.answer("attack", source)
        self.answer(str(strikes), str(prowess), str(body))
        return self.answer("kind", kind) if kind else self

    def status(self, who: str, status: str) -> WizardsTable:
        """Change a status by the entry every menu has."""
        return self.answer("status", who, status)

    def cp(self, who: str, points: int) -> WizardsTable:
        """Give a character corruption points by the same entry."""
        self.answer("status")
        return self.answer(*([who] if self.key == "status.who" else []), "cp", str(points))

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
