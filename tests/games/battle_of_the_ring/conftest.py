"""A table playing Battle of the Ring through its public answers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import Choose, Event, Play, Reminder, Ruling


class RingTable:
    """One run with shorthand: `answer` several things, `refused` returns a code, `to` goes on to a phase."""

    def __init__(self, ruling: str | None = None, *, placed: bool = True, **settings: Any) -> None:
        self.play = Play(load("battle-of-the-ring"), settings, ruling)
        self.told: list[Event] = []
        if placed and ruling is None:
            self.answer("placed", "placed", "placed")

    @property
    def game(self) -> RingGame:
        assert isinstance(self.play.game, RingGame)
        return self.play.game

    @property
    def board(self) -> dict[str, int]:
        return self.game.on_board

    @property
    def key(self) -> str:
        return self.play.ask.key if self.play.ask else ""

    def answer(self, *answers: Any, override: bool = False) -> RingTable:
        """Give some answers; what the referee says is kept in ``told``."""
        for answer in answers:
            self.told += self.play.answer(answer, override=override)
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

    def open(self) -> list[str]:
        """Return the ids that are open now."""
        assert isinstance(self.play.ask, Choose)
        return [option.id for option in self.play.ask.options()]

    def barred(self) -> dict[str, str]:
        """Return the ids that are barred now, with their codes."""
        assert isinstance(self.play.ask, Choose)
        return {entry.option.id: entry.bar.code for entry in self.play.ask.barred()}

    def bundles(self) -> dict[str, tuple[Any, ...]]:
        """Return the bundles offered now."""
        assert self.play.ask is not None
        return {bundle.id: bundle.answers for bundle in self.play.ask.bundles()}

    def send(self, bundle: str) -> RingTable:
        """Send a bundle."""
        return self.answer(*self.bundles()[bundle])

    def judge(self, path: str, value: Any) -> RingTable:
        """Correct one field."""
        self.play.correct(path, value)
        return self

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

    def last(self) -> Ruling:
        """Return the last ruling."""
        return self.rulings[-1]


Make = Callable[..., RingTable]


@pytest.fixture
def ring() -> Make:
    """Return the maker of tables: ``ring(players=2)``, ``ring("attack")``."""
    return RingTable
