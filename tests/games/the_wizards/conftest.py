"""A table playing The Wizards through its public answers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.games.the_wizards.state import Character, WizardsGame
from referee.rulebook import Count, Event, Play, Ruling

SEED = ("bilbo", "balin", "bofur", "beretar", "beregond")


class WizardsTable:
    """One run with shorthand: `answer` several things, `refused` returns a code, `attack` declares one."""

    def __init__(self, ruling: str | None = None, *, company: tuple[Any, ...] = (), **settings: Any) -> None:
        """``company``: "seed" for the printed example, or pairs (prowess, body)."""
        self.play = Play(load("middle-earth-the-wizards"), settings, ruling)
        self.told: list[Event] = []
        if company == ("seed",):
            self.answer(*(answer for who in SEED for answer in ("named", who)))
        for prowess, body in company if company != ("seed",) else ():
            self.answer("other", str(prowess), str(body))
        if company:
            self.answer("done")
            assert isinstance(self.play.ask, Count)
            self.answer(self.play.ask.default)

    @property
    def game(self) -> WizardsGame:
        assert isinstance(self.play.game, WizardsGame)
        return self.play.game

    @property
    def key(self) -> str:
        return self.play.ask.key if self.play.ask else ""

    def who(self, name: str) -> Character:
        return self.game.find(name)

    def answer(self, *answers: Any, override: bool = False) -> WizardsTable:
        """Give some answers; what the referee says is kept in ``told``."""
        for answer in answers:
            self.told += self.play.answer(answer, override=override)
        return self

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

    def judge(self, path: str, value: Any) -> WizardsTable:
        self.play.correct(path, value)
        return self

    @property
    def rulings(self) -> list[Ruling]:
        return [event for event in self.told if isinstance(event, Ruling)]

    @property
    def results(self) -> list[str]:
        return [ruling.result for ruling in self.rulings]

    @property
    def result(self) -> str:
        return self.rulings[-1].result

    def ruling(self, result: str) -> Ruling:
        """Return the last ruling with this result."""
        return [r for r in self.rulings if r.result == result][-1]

    def refused(self, answer: Any) -> str:
        """Give an answer that must be refused; return the code. The state and the question stay as they were."""
        state, asked, moves = copy.deepcopy(self.game), self.play.ask, list(self.play.moves)
        with pytest.raises(Refused) as refusal:
            self.play.answer(answer)
        assert self.game == state
        assert self.play.ask is asked
        assert self.play.moves == moves
        return refusal.value.code


@pytest.fixture
def wizards() -> Callable[..., WizardsTable]:
    """Make a table: a company of pairs (prowess, body), or the printed example."""
    return WizardsTable
