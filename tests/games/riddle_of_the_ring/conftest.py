"""A table playing Riddle of the Ring through its public answers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import Choose, Event, Pick, Play, Reminder, Ruling


class RiddleTable:
    """One run with shorthand: `answer` several things, `refused` returns a code, `stop` moves beside players."""

    def __init__(self, *players: str, ruling: str | None = None, **settings: Any) -> None:
        """Whoever is named first begins; Frodo, BR1, Sam, BR2 if nobody is named."""
        self.play = Play(load("riddle-of-the-ring"), settings, ruling)
        self.told: list[Event] = []
        if ruling is None:
            seated = players or ("frodo", "br1", "sam", "br2")
            self.answer(*seated)
            if len(seated) < 8:
                self.answer("everybody")

    @property
    def game(self) -> RiddleGame:
        assert isinstance(self.play.game, RiddleGame)
        return self.play.game

    @property
    def key(self) -> str:
        return self.play.ask.key if self.play.ask else ""

    @property
    def score(self) -> str:
        return f"{self.game.battle.att_total}-{self.game.battle.def_total}"

    def answer(self, *answers: Any, override: bool = False) -> RiddleTable:
        """Give some answers; what the referee says is kept in ``told``."""
        for answer in answers:
            self.told += self.play.answer(answer, override=override)
        return self

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

    def last(self) -> Ruling:
        """Return the last ruling."""
        return [event for event in self.told if isinstance(event, Ruling)][-1]

    @property
    def reminders(self) -> list[str]:
        return [event.rule for event in self.told if isinstance(event, Reminder)]

    def open(self) -> list[str]:
        """Return the ids that are open now."""
        assert isinstance(self.play.ask, (Choose, Pick))
        return [option.id for option in self.play.ask.options()]

    def barred(self) -> dict[str, str]:
        """Return the ids that are barred now, with their codes."""
        assert isinstance(self.play.ask, (Choose, Pick))
        return {entry.option.id: entry.bar.code for entry in self.play.ask.barred()}

    def bundles(self) -> dict[str, tuple[Any, ...]]:
        """Return the bundles offered now."""
        assert self.play.ask is not None
        return {bundle.id: bundle.answers for bundle in self.play.ask.bundles()}

    def send(self, bundle: str) -> RiddleTable:
        """Send a bundle."""
        return self.answer(*self.bundles()[bundle])

    def judge(self, path: str, value: Any) -> RiddleTable:
        """Correct one field."""
        self.play.correct(path, value)
        return self

    def stop(self, *near: str, exchange: str = "done") -> RiddleTable:
        """Move and stop beside these players, with that result of every Friendly Exchange."""
        return self.answer("move", "finished", list(near), *(exchange for _ in near))

    def attack(self, defender: str) -> RiddleTable:
        """Stop beside a player, have the Friendly Exchange, open a battle."""
        return self.stop(defender).answer("battle", defender)

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
