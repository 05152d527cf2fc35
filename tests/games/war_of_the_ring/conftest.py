"""A table fighting battles through its public answers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.games.war_of_the_ring.state import Army, WarGame
from referee.rulebook import Choose, Count, Event, Play, Reminder, Roll, Ruling

Figures = tuple[int, int, int]


class WarTable:
    """One run with shorthand. ``army``: Regulars, Elites, Leadership; the Shadow attacks."""

    def __init__(
        self,
        attacker: Figures | None = None,
        defender: Figures = (5, 0, 0),
        ground: str = "field",
        ruling: str | None = "battle",
        **settings: Any,
    ) -> None:
        self.play = Play(load("war-of-the-ring"), settings, ruling)
        self.told: list[Event] = []
        if attacker is not None:
            self.answer("shadow", ground, *attacker, *defender)

    @property
    def game(self) -> WarGame:
        assert isinstance(self.play.game, WarGame)
        return self.play.game

    @property
    def attacker(self) -> Army:
        return self.game.armies["attacker"]

    @property
    def defender(self) -> Army:
        return self.game.armies["defender"]

    @property
    def key(self) -> str:
        return self.play.ask.key if self.play.ask else ""

    def left(self, side: str = "defender") -> tuple[int, int]:
        return self.game.armies[side].regulars, self.game.armies[side].elites

    def answer(self, *answers: Any, override: bool = False) -> WarTable:
        """Give some answers; what the referee says is kept in ``told``."""
        for answer in answers:
            self.told += self.play.answer(answer, override=override)
        return self

    def cards(self, attackers: tuple[Any, ...] | None, defenders: tuple[Any, ...] | None = None) -> WarTable:
        """Play cards with their requirements met and these effects; None: no card."""
        cards = (attackers, defenders)
        self.answer(*("none" if effects is None else "card" for effects in cards))
        for effects in cards:
            if effects is not None:
                self.answer("yes", *effects, "done")
        return self

    def hit(self, by_attacker: int, by_defender: int = 0) -> WarTable:
        """Throw the Combat rolls so that they hit so often; no Leaders must be there. Cards: none, if asked."""
        if self.key == "cards.attacker":
            self.answer("none", "none")
        for hits in (by_attacker, by_defender):
            assert isinstance(self.play.ask, Roll)
            self.answer((6,) * hits + (1,) * (self.play.ask.dice - hits))
        return self

    def judge(self, path: str, value: Any) -> WarTable:
        self.play.correct(path, value)
        return self

    @property
    def rulings(self) -> list[Ruling]:
        return [event for event in self.told if isinstance(event, Ruling)]

    @property
    def reminders(self) -> list[str]:
        return [event.rule for event in self.told if isinstance(event, Reminder)]

    @property
    def result(self) -> str:
        return self.rulings[-1].result

    def refused(self, answer: Any) -> str:
        """Give an answer that must be refused; return the code. The state and the question stay as they were."""
        state, asked, moves = copy.deepcopy(self.game), self.play.ask, list(self.play.moves)
        with pytest.raises(Refused) as refusal:
            self.play.answer(answer)
        assert refusal.value.text
        assert self.game == state
        assert self.play.ask is asked
        assert self.play.moves == moves
        return refusal.value.code

    def allowance(self) -> int:
        """Return how many dice the Leader re-roll has."""
        assert self.key in ("reroll.roll", "reroll.hits")
        assert isinstance(self.play.ask, (Roll, Count))
        return self.play.ask.dice if isinstance(self.play.ask, Roll) else self.play.ask.high

    def open(self) -> list[str]:
        assert isinstance(self.play.ask, Choose)
        return [option.id for option in self.play.ask.options()]

    def bundles(self) -> dict[str, tuple[Any, ...]]:
        assert self.play.ask is not None
        return {bundle.id: bundle.answers for bundle in self.play.ask.bundles()}

    def bundle(self, id_: str) -> WarTable:
        return self.answer(*self.bundles()[id_])


@pytest.fixture
def war() -> Callable[..., WarTable]:
    """Return the maker of tables."""
    return WarTable
