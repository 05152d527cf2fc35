"""The two sides of the contract between a card and its console: what is done to a card, and what it may ask for."""

# ruff: noqa: B027 - a key that means nothing on a card does nothing there

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from referee.config import Table as Customs
from referee.console.buttons import SELECT, Button
from referee.console.gathering import Fallen
from referee.console.rolls import Rolls
from referee.console.shelf import BoxDice, Shelf, Visitors
from referee.console.table import Table
from referee.console.views import View
from referee.session import Right, Session
from referee.session.wish import Seating


class Card(ABC):
    """One screen and what the keys do on it.

    ``fills``  the key whose hold of one second means something here, "" if none: a bar shows how far it has come
    ``wakes``  the seat that may press its own button here; its lamp blinks
    ``asks``  the seat that a question here is for
    ``for_judges``  whether players in browsers may press nothing while it lies here, or under another card
    ``select``  what Select does, where a browser needs a button for it
    ``secret``  whether nobody but the seat in ``asks`` may see what is done here
    """

    for_judges: bool = False
    secret: bool = False
    select: str = ""

    def __init__(self, host: Host) -> None:
        self.host = host

    @property
    def fills(self) -> str:
        """The key whose hold of a second does something on this card."""
        return ""

    @property
    def wakes(self) -> str:
        """The seat whose button is heard on this card."""
        return ""

    @property
    def asks(self) -> str:
        """The seat that is asked here, "" for none."""
        return ""

    @property
    def gives_way_after(self) -> float | None:
        """Seconds on the glass after which the card gives way by itself, None: it waits for a press."""
        return None

    @abstractmethod
    def view(self, bar: float | None) -> View:
        """Return what is on the glass; ``bar`` is how far a hold of `fills` has come, 0 to 1."""

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What a browser can press here."""
        return (Button(SELECT, self.select, "Select"),) if self.select else ()

    def tap(self, button: str) -> None:
        """One of the `buttons` was pressed, by its id."""
        if button == SELECT:
            self.click()

    def die(self, number: int) -> None:
        """A die key went down."""

    def thrown(self, dice: Sequence[Fallen]) -> bool:
        """Self-reading dice were thrown while this lay on the glass; return whether they were asked for."""
        del dice
        return False

    def on_glass(self) -> None:
        """It has come onto the glass."""

    def turn(self, steps: int) -> None:
        """The encoder moved by so many detents."""

    def click(self) -> None:
        """Select was pressed and let go."""

    def hold(self) -> None:
        """Select has been down for 450 ms."""

    def long_hold(self) -> None:
        """The key in `fills` has been down for a second."""

    def back(self) -> None:
        """Back was pressed and let go."""

    def menu(self) -> None:
        """Back has been down for 450 ms."""
        self.host.open_menu()

    def seat(self) -> None:
        """The button of the seat in `wakes` was pressed."""

    def give_way(self) -> None:
        """The time in `gives_way_after` is over, and nobody touches a key."""


class AtEvent(Protocol):
    """The table's part in an event, as cards meet it."""

    @property
    def seating(self) -> Seating | None:
        """Where this box stands; None where no hall has said so."""

    @property
    def slip_due(self) -> bool:
        """Whether the table has a match whose slip was not keyed in here."""

    @property
    def held(self) -> str:
        """Why no game may go on after a pause, "" if it may."""

    def call_judge(self) -> None:
        """Call for a judge, through the journal."""

    def send_slip(self, seating: Seating, result: Mapping[str, Any]) -> None:
        """Write the slip that every seat has confirmed. ``seating``: under which they did."""

    def challenge(self, seating: Seating) -> None:
        """Write that the result at the desk is wrong. ``seating``: of the match that is meant."""

    def named(self, text: str) -> str:
        """Return a text of the desk with names in the place of numbers, where they have stood here."""

    def ask(self, card: Card) -> None:
        """Lay a card that holds for the match that is here now, and goes with it."""

    def open(self) -> None:
        """Lay what a table can do, if it is in an event."""

    def open_slip(self) -> None:
        """Lay the first question of the slip, if the table has a match."""


class Host(Protocol):
    """What a card may ask of its console."""

    @property
    def table(self) -> Table:
        """The game in progress, and what can be done with it."""

    @property
    def shelf(self) -> Shelf:
        """The games of this box."""

    @property
    def dice(self) -> BoxDice:
        """Whose dice count here, and the box's own."""

    @property
    def rolls(self) -> Rolls:
        """Which roll it is that dice were thrown for."""

    @property
    def config(self) -> Customs:
        """How this table plays."""

    @property
    def visitors(self) -> Visitors | None:
        """The browsers that were let in; None where nobody can be."""

    @property
    def event(self) -> AtEvent:
        """Its part in an event."""

    def lay(self, card: Card) -> None:
        """Lay a card on top."""

    def lift(self, card: Card) -> None:
        """Take a card away, with all that lies on it."""

    def withdraw(self, card: Card) -> None:
        """Take a card away from under whatever lies on it."""

    def clear(self) -> None:
        """Take everything away that lies on the lowest card."""

    def sound(self, name: str) -> None:
        """Ask for a sound, one of `referee.config.SOUNDS`."""

    def explain(self, title: str, text: str, code: str, hint: str) -> None:
        """Lay a refusal."""

    def attempt(self, action: Callable[[], object]) -> None:
        """Do something that may be refused or fail; what went wrong is shown."""

    def open_throw(self, right: Right) -> None:
        """Lay the throw entered last, so that its faces can be corrected; ``right``: who corrects."""

    def lies(self, card: Card) -> bool:
        """Whether a card lies here, on top or under others."""

    def open_dice(self) -> None:
        """Lay the page of the self-reading dice, where the box has some."""

    def open_clocks(self) -> None:
        """Lay the page of the clocks."""

    def open_menu(self) -> None:
        """Lay the menu, if there is a game."""

    def open(self, shelf: Shelf, home: Home, session: Session | None) -> None:
        """Go on with the games of another shelf."""


Home = Callable[[Host], Card]
"""What lies on the glass where there is no game."""
