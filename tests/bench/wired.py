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
from referee.station.glass.screen import DisplayReport, Screen
from referee.station.glass.slow import SlowDisk
from referee.station.inbox import Inbox
from referee.station.loop import Loop
from referee.station.notify import SILENT, Notifier
from referee.station.panel import Publisher
from referee.station.shelf import StationShelf, throw


def console_on(journal: Journal, session: Session | None = None, config: Config | None = None) -> Console:
    """Return a console with the games of a journal."""
    table = (config or Config()).table
    return Console(StationShelf(journal), BoxDice("either", throw), session=session, config=table)


def wired(
    box: Box,
    console: Console,
    config: Config | None = None,
    *,
    notifier: Notifier = SILENT,
    clock: Callable[[], float] = time.monotonic,
    shown: Callable[[DisplayReport], None] | None = None,
    inbox: Inbox | None = None,
    publisher: Publisher | None = None,
) -> tuple[Loop, Inbox]:
    """Return a loop and its inbox; ``shown`` hears as well what the display's thread reports."""
    inbox = Inbox(clock) if inbox is None else inbox

    def report(what: DisplayReport) -> None:
        inbox.put(what)
        if shown is not None:
            shown(what)

    screen = Screen(box.display, report)
    slow = SlowDisk(screen, fitting_size(box.display.size))
    loop = Loop(
        box,
        console,
        config or Config(),
        inbox=inbox,
        screen=screen,
        slow=slow,
        publisher=publisher,
        notifier=notifier,
        clock=clock,
    )
    return loop, inbox
