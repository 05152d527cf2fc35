"""A flag fell: told until a key is pressed, or until a judge has ruled."""

from __future__ import annotations

from typing import Final

from referee.console.cards.base import Playing, fitting
from referee.console.cards.notices import RefusalCard
from referee.console.host import Host
from referee.console.views import Confirm, Idle, View
from referee.rulebook import Short

DOWN: Final = Short("flag down", "has no time left")


def first_of(host: Host, seat: str) -> str:
    """Return which flag fell first, in a few words for the foot."""
    fall = host.table.clocks.keeper.current.first_fall
    if fall is None or fall.seat == seat:
        return "first flag"
    return f"after {host.table.seat_name(fall.seat)}"


class FlagCard(RefusalCard):
    """A flag fell, and the game goes on: every key takes the card away and does nothing else."""

    def __init__(self, host: Host, seat: str) -> None:
        name = host.table.seat_name(seat)
        super().__init__(host, name, "Flag down")
        shown = Idle(name, DOWN, first_of(host, seat), "any key")
        self.flag_view = fitting(shown, Idle(name, DOWN, "", "any key"))
        self._seat = seat

    @property
    def wakes(self) -> str:
        """The lamp of the seat whose flag fell blinks; its button takes the card away, too."""
        return self._seat

    def view(self, bar: float | None) -> View:
        """Return whose flag fell."""
        del bar
        return self.flag_view


class FrozenCard(Playing):
    """A flag fell, and all stands still until a judge holds Select. The menu can be opened, to correct a clock."""

    for_judges = True

    @property
    def wakes(self) -> str:
        """The lamp of the seat whose flag fell first blinks."""
        fall = self.host.table.clocks.keeper.current.first_fall
        return fall.seat if fall is not None else ""

    @property
    def fills(self) -> str:
        """Going on takes a hold."""
        return "select"

    def view(self, bar: float | None) -> View:
        """Return whose flag fell, or how far the hold has come that lets the game go on."""
        name = self.host.table.seat_name(self.wakes)
        if bar is not None:
            return Confirm("Judge", "The clocks go on", bar)
        return Idle(name, DOWN, "", "call the judge")

    def long_hold(self) -> None:
        """Go on."""
        self.host.table.keep(self.host.table.clocks.keeper.resume)

    def seat(self) -> None:
        """The seat's button does nothing here: the judge decides."""
        self.host.sound("late")

    def back(self) -> None:
        """Nothing is taken back from here but by the menu."""
        self.host.sound("late")
