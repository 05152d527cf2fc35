"""A loop on real threads, wired as the station wires it, on a simulated box."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.box import Box
from referee.config import Config
from referee.console.console import Console
from referee.console.drawing.screens import fitting_size
from referee.console.shelf import BoxDice
from referee.journal import Journal
from referee.session import Session
from referee.station.loop import Inbox, Loop
from referee.station.notify import SILENT, Notifier
from referee.station.picture import SlowDisk
from referee.station.screen import DisplayReport, Screen
from referee.station.shelf import StationShelf, throw


def console_on(journal: Journal, session: Session | None = None, config: Config | None = None) -> Console:
    """Return a console with the games of a journal."""
    return Console(StationShelf(journal), BoxDice("either", throw), session=session, config=config or Config())


class Overheard(Screen):
    """A display's thread whose reports somebody else hears as well."""

    shown: Callable[[DisplayReport], None] | None = None

    def start(self, report: Callable[[DisplayReport], None]) -> None:
        def both(what: DisplayReport) -> None:
            report(what)
            if self.shown is not None:
                self.shown(what)

        super().start(both)


def wired(
    box: Box,
    console: Console,
    config: Config | None = None,
    *,
    notifier: Notifier = SILENT,
    clock: Callable[[], float] = time.monotonic,
    shown: Callable[[DisplayReport], None] | None = None,
) -> tuple[Loop, Inbox]:
    """Return a loop and its inbox; ``shown`` hears as well what the display's thread reports."""
    inbox = Inbox()
    screen = Overheard(box.display)
    screen.shown = shown
    slow = SlowDisk(screen, fitting_size(box.display.size))
    loop = Loop(
        box, console, config or Config(), inbox=inbox, screen=screen, slow=slow, notifier=notifier, clock=clock
    )
    return loop, inbox
