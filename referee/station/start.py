"""One start of the station: it is counted, the journal is opened, and where either is bad it becomes a safe one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from referee import games
from referee.config import ClockSettings, TableSettings
from referee.console.cards.shelf import ShelfCard
from referee.console.console import CUSTOMS, NO_CLOCKS, Console
from referee.console.shelf import BoxDice, Visitors
from referee.errors import JournalBusy, JournalError, RefereeError, StationError
from referee.files import bounded, durable
from referee.journal import Journal
from referee.journal.database import Waiting
from referee.session import Session
from referee.station.shelf import StationShelf
from referee.station.starts import StartAgain, Starts

if TYPE_CHECKING:
    from referee.station.safe import SafeMode

_logger = logging.getLogger(__name__)

STOOD: Final = 30.0
"""Seconds after which a start has succeeded: longer than the watchdog of the service waits."""

MOST: Final = 6
"""Mistakes in the text file of a card that are told at one start."""


class Start:
    """From the journal's file to a console with what belongs on it, as a context.

    ``journal``    None in the safe mode, which never opens it
    ``safe_mode``  None for a normal start

    It has succeeded when an answer was accepted, when it has run for `STOOD` seconds, or when its context ends well.
    One that a `RefereeError` ends was told where it was started and counts neither way; any other end counts as a
    failed start.
    """

    def __init__(
        self,
        path: Path,
        *,
        terminal: bool,
        waiting: Waiting = nullcontext,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``terminal``: somebody reads there why the journal cannot be kept or is in use, so that is raised.

        ``waiting`` is entered while a stroke is written.
        """
        self._path = path
        self._terminal = terminal
        self._waiting = waiting
        self._clock = clock
        self._session: Session | None = None
        self._until: float | None = None
        self._from: object = None
        self.starts = Starts(path)
        self.journal: Journal | None = None
        self.safe_mode: SafeMode | None = None
        self.console: Console | None = None

    def __enter__(self) -> Self:
        """Open the journal, and take up the game that was left. Raises StationError or JournalBusy at a terminal."""
        try:
            durable.folder(self._path.parent)
        except OSError as error:
            text = f"the journal {self._path} cannot be used: {error}"
            if self._terminal:
                raise StationError(text) from error
            self._safe(JournalError(text))
            return self
        try:
            self.starts.begin()
            if self.starts.failing:
                self._safe(None)
            else:
                self._open()
        except BaseException as error:  # a signal while the disk is slow ends the start
            self.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def _open(self) -> None:
        try:
            self.journal = Journal(self._path, waiting=self._waiting)
            self._session = StationShelf(self.journal).latest()
        except RefereeError as error:
            _logger.error("the last game was not resumed: %s", error)
            if isinstance(error, JournalBusy):
                self.starts.leave()
                if self._terminal:
                    raise
            self._safe(error)

    def _safe(self, error: RefereeError | None) -> None:
        """Enter the safe mode; None: because the starts before this one failed."""
        from referee.station.safe import SafeMode, crash_loop, trouble_with

        if self.journal is not None:
            self.journal.close()
            self.journal = None
        trouble = (
            crash_loop(self.starts.failed, self.starts.why) if error is None else trouble_with(error, self._path)
        )
        self.safe_mode = SafeMode(self._path, trouble)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, StartAgain):
            self.starts.again()
        elif error is None:
            self.starts.stood()
        elif isinstance(error, RefereeError) or not isinstance(error, Exception):
            self.starts.withdraw()
        else:
            self.starts.fell(f"{type(error).__name__}: {error}")
        if self.journal is not None:
            self.journal.close()

    def open_console(
        self,
        dice: BoxDice,
        visitors: Visitors | None = None,
        config: TableSettings = CUSTOMS,
        clock: ClockSettings = NO_CLOCKS,
    ) -> Console:
        """Return a console with the game that was going on, or with the safe mode; clocks as for `Console`."""
        if self.safe_mode is None:
            assert self.journal is not None
            shelf = StationShelf(self.journal)
            self.console = Console(shelf, dice, ShelfCard, visitors, self._session, config, clock)
        else:
            safe = self.safe_mode
            self.console = Console(safe, dice, safe.home, visitors, None, config, clock)
            self.console.stage.fault("Safe mode", f"{safe.trouble.what} {safe.trouble.sure}", self._clock())
        self._from, self._until = self._place(), self._clock() + STOOD
        return self.console

    def trouble(self) -> str:
        """Return what keeps the station in its safe mode, "" if nothing does."""
        return self.safe_mode.trouble.what if self.safe_mode is not None else ""

    def deadline(self) -> float | None:
        """Return when `due` is wanted, None: never."""
        return self._until

    def due(self, now: float) -> None:
        """Look whether this start has succeeded by now."""
        if self._until is not None and (now >= self._until or self._place() != self._from):
            self._until = None
            self.starts.stood()

    def _place(self) -> object:
        """Return where the table is; another place once something was accepted."""
        session = self.console.table.session if self.console is not None else None
        return (session.game_id, session.n) if session is not None else None


def report_left_out(console: Console, now: float) -> None:
    """Say which rulebooks could not be loaded."""
    for each in games.left_out():
        _logger.error("rulebook not loaded: %s from %s: %s", *each)
        console.stage.fault("Not loaded", f"{each.game}: {each.why}", now, about=f"rulebook {each.game}")


def report_card(console: Console, problems: Path, now: float) -> None:
    """Say what is wrong with the text file of the card, the first mistake on top. ``problems``: one a line."""
    if not problems.is_file():
        return
    from referee.station.obstacle import parted

    try:
        lines = bounded.text(problems).splitlines()
    except (OSError, ValueError) as error:
        lines = [f"{problems}: cannot be read: {bounded.why(error)}"]
    for line in reversed(lines[:MOST]):
        number, expected = parted(line)
        _logger.error("the text file of the card is not used: %s", line)
        console.stage.fault(f"Card, line {number}" if number else "Card", expected, now, about=f"card {line}")
