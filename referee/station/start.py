"""One start of the station: the journal is opened, and where it is bad the start becomes a safe one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from referee import games
from referee.config import Config
from referee.console.cards.shelf import ShelfCard
from referee.console.console import USUAL, Console
from referee.console.shelf import BoxDice, Visitors
from referee.errors import JournalBusy, JournalError, RefereeError, StationError
from referee.files import bounded, durable
from referee.journal import Journal
from referee.journal.database import Waiting
from referee.session import Session
from referee.station.shelf import StationShelf

if TYPE_CHECKING:
    from referee.station.safe import SafeMode

_logger = logging.getLogger(__name__)

MOST: Final = 6
"""Mistakes in the text file of a card that are told at one start."""


class Start:
    """From the journal's file to a console with what belongs on it, as a context.

    ``journal``    None in the safe mode, which never opens it
    ``safe_mode``  None for a normal start
    """

    def __init__(
        self,
        path: Path,
        *,
        terminal: bool,
        fault: Exception | None = None,
        waiting: Waiting = nullcontext,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``terminal``: somebody reads there why the journal cannot be kept or is in use, so that is raised.

        ``fault``: what ended the run before; ``waiting`` is entered while a stroke is written.
        """
        self._path = path
        self._terminal = terminal
        self._fault = fault
        self._waiting = waiting
        self._clock = clock
        self._session: Session | None = None
        self.journal: Journal | None = None
        self.safe_mode: SafeMode | None = None

    def __enter__(self) -> Self:
        """Open the journal, and take up the game that was left. Raises StationError or JournalBusy at a terminal."""
        if self._fault is not None:
            self._safe(self._fault)
            return self
        try:
            durable.folder(self._path.parent)
        except OSError as error:
            text = f"the journal {self._path} cannot be used: {error}"
            if self._terminal:
                raise StationError(text) from error
            self._safe(JournalError(text))
            return self
        try:
            self.journal = Journal(self._path, waiting=self._waiting)
            self._session = StationShelf(self.journal).latest()
        except JournalBusy as error:
            if self._terminal:
                raise
            self._safe(error)
        except RefereeError as error:
            self._safe(error)
        except BaseException:  # a signal while the disk is slow ends the start
            self._close()
            raise
        return self

    def _safe(self, error: Exception) -> None:
        """Enter the safe mode."""
        from referee.station.safe import SafeMode, trouble_with

        _logger.error("the last game was not resumed: %s", error)
        self._close()
        self.safe_mode = SafeMode(self._path, trouble_with(error, self._path))

    def _close(self) -> None:
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    def __exit__(self, *_: object) -> None:
        self._close()

    def open_console(self, dice: BoxDice, visitors: Visitors | None = None, config: Config = USUAL) -> Console:
        """Return a console with the game that was going on, or with the safe mode."""
        safe = self.safe_mode
        if safe is None:
            assert self.journal is not None
            return Console(StationShelf(self.journal), dice, ShelfCard, visitors, self._session, config)
        console = Console(safe, dice, safe.home, visitors, None, config)
        console.stage.fault("Safe mode", f"{safe.trouble.what} {safe.trouble.sure}", self._clock())
        return console


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
