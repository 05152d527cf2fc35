"""A table that plays any book of the shelf through its public answers; each game's folder adds its own words."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Generic, Self, TypeVar

from referee.errors import Refused
from referee.games import load
from referee.rulebook import Choose, Event, Game, Pick, Play, Reminder, Ruling

G = TypeVar("G", bound=Game)


class Table(Generic[G]):
    """One run with shorthand: `answer` several things, `refused` returns a code."""

    book: ClassVar[str]
    """The id of the book on the shelf."""

    def __init__(self, ruling: str | None = None, **settings: Any) -> None:
        self.play = Play(load(self.book), settings, ruling)
        self.events: list[Event] = []

    @property
    def game(self) -> G:
        """The state."""
        return self.play.game  # type: ignore[return-value]  # the book makes its own game

    @property
    def key(self) -> str:
        """Key of the pending question, "" after the end."""
        return self.play.ask.key if self.play.ask else ""

    def answer(self, *answers: Any, override: bool = False) -> Self:
        """Give some answers; what the referee says is added to ``events``."""
        for answer in answers:
            self.events += self.play.answer(answer, override=override)
        return self

    def refused(self, answer: Any) -> str:
        """Give an answer that must be refused; return the code. The state and the question stay as they were."""
        state, asked, moves = copy.deepcopy(self.game), self.play.ask, list(self.play.moves)
        try:
            self.play.answer(answer)
        except Refused as refusal:
            same = self.game == state and self.play.ask is asked and self.play.moves == moves
            if not (same and refusal.text):
                raise AssertionError(f"{refusal} changed something, or says nothing") from refusal
            return refusal.code
        raise AssertionError(f"{answer!r} was not refused")

    def judge(self, path: str, value: Any) -> Self:
        """Correct one field."""
        self.events += self.play.correct(path, value)
        return self

    # -- what is offered

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
        return {bundle.id: bundle.answers for bundle in self.play.ask.offered()}

    def send(self, bundle: str) -> Self:
        """Send a bundle."""
        return self.answer(*self.bundles()[bundle])

    # -- what was said

    @property
    def rulings(self) -> list[Ruling]:
        """All rulings so far."""
        return [event for event in self.events if isinstance(event, Ruling)]

    def last(self) -> Ruling:
        """Return the last ruling."""
        return self.rulings[-1]

    @property
    def result(self) -> str:
        """Result of the last ruling."""
        return self.last().result

    @property
    def reminders(self) -> list[str]:
        """Rules of all reminders so far."""
        return [event.rule for event in self.events if isinstance(event, Reminder)]
