"""The safe mode on the glass: what failed, the last state as far as it can be read, and what can be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from referee.console.cards.base import Text, legible
from referee.console.cards.cells import Item
from referee.console.cards.menu import Action, ListCard
from referee.console.cards.shelf import ShelfCard
from referee.console.host import Host
from referee.console.views import Band, Grid, View
from referee.rulebook import Bar


class Recovery(Protocol):
    """What the card needs of the station."""

    @property
    def name(self) -> str:
        """What is wrong, in a word or two."""

    @property
    def forbids(self) -> str:
        """Why no other game can be begun, "" if one can."""

    def why(self) -> tuple[str, ...]:
        """Return what failed and what to do, as lines to read."""

    def state(self) -> tuple[str, ...]:
        """Return the last state of the game as far as it can be read, as lines to read."""

    def export(self) -> tuple[str, ...]:
        """Write the journal out and return where it is. Raises RefereeError."""

    def again(self, host: Host) -> None:
        """Try a normal start. Raises RefereeError, with everything as it was."""


class SafeCard(ListCard):
    """What lies on the glass where the normal start failed; nothing of the game can be reached from here."""

    for_judges = True

    def __init__(self, host: Host, recovery: Recovery) -> None:
        self.recovery = recovery
        self.question = legible(recovery.why()[0])
        bar = Bar("safe", recovery.forbids) if recovery.forbids else None

        def entry(name: str, text: str, action: Callable[[], None], bar: Bar | None = None) -> tuple[Item, Action]:
            return Item(name, text, "", bar), action

        super().__init__(
            host,
            Band("Safe mode", recovery.name),
            [
                entry("why", "Why", lambda: self._read("What failed", recovery.why())),
                entry("state", "State", lambda: self._read("Last state", recovery.state())),
                entry("export", "Export", lambda: host.attempt(self._export)),
                entry("again", "Retry", lambda: host.attempt(lambda: recovery.again(host))),
                entry("new", "New", lambda: host.lay(SafeShelf(host)), bar),
            ],
        )

    def view(self, bar: float | None) -> View:
        """Return what can be done."""
        del bar
        grid = self.deal.grid(self.band, self.question)
        assert isinstance(grid, Grid)
        return grid

    def menu(self) -> None:
        """There is no menu without a game."""

    def _read(self, title: str, lines: tuple[str, ...]) -> None:
        self.host.lay(Text(self.host, title, lines))

    def _export(self) -> None:
        self._read("Exported", self.recovery.export())


class SafeShelf(ShelfCard):
    """The games of the box, for another one than the game that is left alone."""

    def back(self) -> None:
        """Return to what can be done."""
        self.host.lift(self)
