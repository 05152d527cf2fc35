"""One start of the station: it is counted, the journal is opened, and where either is bad it becomes a safe one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.clock.settings import OFF
from referee.clock.settings import Settings as Clock
from referee.config import Table
from referee.console.cards.shelf import ShelfCard
from referee.console.console import CUSTOMS, Console
from referee.console.shelf import BoxDice, Shelf, Visitors
from referee.errors import JournalBusy, JournalError, RefereeError, StationError
from referee.files import durable
from referee.journal import Journal
from referee.journal.database import Waiting
from referee.session import Session
from referee.station.shelf import StationShelf
from referee.station.starting.safe import SafeMode, Trouble, crash_loop, trouble_with
from referee.station.starting.starts import Starts, Trial

_logger = logging.getLogger(__name__)


class Start:
    """From the journal's file to a console with what belongs on it, as a context.

    ``journal``    None if it could not be opened, or must not be
    ``safe_mode``  None for a normal start

    A start ends well when its context does. One that a `RefereeError` ends was told where it was started and counts
    neither way; any other end counts as a failed start.
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
        self._trial: Trial | None = None
        self.starts = Starts(path)
        self.journal: Journal | None = None
        self.safe_mode: SafeMode | None = None
        self.console: Console | None = None

    def __enter__(self) -> Self:
        """Open the journal. Raises StationError or JournalBusy, at a terminal only."""
        try:
            durable.folder(self._path.parent)
        except OSError as error:
            text = f"the journal {self._path} cannot be used: {error}"
            if self._terminal:
                raise StationError(text) from error
            self._safe(trouble_with(JournalError(text), self._path))
            return self
        try:
            self._begin()
        except BaseException as error:  # a signal while the disk is slow ends the start
            self.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def _begin(self) -> None:
        starts = self.starts
        starts.begin()
        if starts.bare:
            self._safe(crash_loop(starts.past, bare=True), bare=True)
            return
        try:
            self.journal = self._opened()
        except JournalError as error:
            self._unopened(error)
        else:
            if starts.failing:
                self._safe(crash_loop(starts.past, bare=False))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.starts.stood(safe=self._still_safe())
        elif isinstance(error, RefereeError) or not isinstance(error, Exception):
            self.starts.withdraw()
        else:
            self.starts.fell(f"{kind.__name__ if kind else ''}: {error}")
        if self.journal is not None:
            self.journal.close()

    def open_console(
        self,
        dice: BoxDice,
        visitors: Visitors | None = None,
        config: Table = CUSTOMS,
        clock: Clock = OFF,
        of_event: Clock | None = None,
    ) -> Console:
        """Return a console with the game that was going on, or with the safe mode; clocks as for `Console`."""
        shelf: Shelf
        shelf, session = self._resumed()
        home = ShelfCard if self.safe_mode is None else self.safe_mode.home
        self.console = Console(shelf, dice, home, visitors, session, config, clock, of_event)
        if self.safe_mode is not None:
            trouble = self.safe_mode.trouble
            self.console.stage.fault("Safe mode", f"{trouble.what} {trouble.sure}", self._clock())
        return self.console

    def trial(self) -> Trial:
        """Return what watches whether this start succeeds."""

        def stood(answered: bool) -> None:  # noqa: FBT001 - the trial calls it so
            self.starts.stood(safe=self._still_safe() and not answered)

        self._trial = Trial(stood, self._place, self._clock())
        return self._trial

    def trouble(self) -> str:
        """Return what keeps the station in its safe mode, "" if nothing does."""
        return self.safe_mode.trouble.what if self.safe_mode is not None and not self.safe_mode.left else ""

    def _place(self) -> tuple[int | None, int]:
        """Return where the table is; another place once something was accepted."""
        session = self.console.table.session if self.console is not None else None
        return (session.game_id, session.n) if session is not None else (None, 0)

    def _still_safe(self) -> bool:
        return bool(self.trouble())

    def _resumed(self) -> tuple[Shelf, Session | None]:
        if self.safe_mode is None:
            assert self.journal is not None
            shelf = StationShelf(self.journal)
            try:
                session = shelf.latest()
            except RefereeError as error:
                _logger.error("the last game was not resumed: %s", error)
                self._safe(trouble_with(error, self._path))
            else:
                if session is not None and session.prompt is not None:
                    seat = session.seats().get(session.prompt.seat, "")
                    self.starts.asking(f"{seat}: {session.prompt.text}" if seat else session.prompt.text)
                return shelf, session
        assert self.safe_mode is not None
        return self.safe_mode.shelf(), None

    def _left(self) -> None:
        """The safe mode was left: what was tried from there is a start of its own."""
        if self._trial is not None:
            self._trial.again(self._clock())

    def _opened(self) -> Journal:
        self.journal = Journal(self._path, waiting=self._waiting)
        return self.journal

    def _unopened(self, error: JournalError) -> None:
        if isinstance(error, JournalBusy):
            self.starts.leave()
            if self._terminal:
                raise error
        _logger.error("the journal was not opened: %s", error)
        self._safe(trouble_with(error, self._path))

    def _safe(self, trouble: Trouble, *, bare: bool = False) -> None:
        self.safe_mode = SafeMode(
            self._path,
            trouble,
            self.starts,
            journal=self.journal,
            opened=self._opened,
            on_leave=self._left,
            bare=bare,
        )
