"""What cards work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from referee.console.event import TableAtEvent
from referee.console.shelf import Visitors
from referee.console.stage import Card, Stage
from referee.console.table import Table
from referee.session import Right


@dataclass
class Context:
    """What the cards of one box see and use.

    ``visitors``  the browsers that were let in, None where nobody can be
    ``home``      what lies on the glass where there is no game
    ``menu``      lays the menu, if there is a game
    ``correct``   lays the throw entered last, for whoever has that right
    """

    table: Table
    event: TableAtEvent
    visitors: Visitors | None
    home: Home
    menu: Callable[[], None]
    correct: Callable[[Right], None]

    @property
    def stage(self) -> Stage:
        """Where it is shown and heard."""
        return self.table.stage


Home: TypeAlias = Callable[[Context], Card]


class TableCard(Card):
    """A card about the table."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.stage)
        self.context = context
        self.table = context.table

    def menu(self) -> None:
        self.context.menu()


class Playing(TableCard):
    """A card of the game itself: Back opens the last throw, or takes the last answer of this turn back."""

    def back(self) -> None:
        """Open the throw entered last, where the table may correct it; else take the last answer back."""
        if self.table.customs.corrections == "table" and self.table.last_throw is not None:
            self.context.correct("table")
        else:
            self.step_back()

    def step_back(self) -> None:
        """Take the last answer back; what lies before this turn takes the menu."""
        if self.table.may_step_back:
            self.table.undo()
        elif self.table.current.undoable:
            self.stage.explain("Earlier turn", "That was an earlier turn: hold Back, then press 1")
        else:
            self.stage.sound("late")
