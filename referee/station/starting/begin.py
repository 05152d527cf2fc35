"""One start of the station: it is counted, the journal is opened, and where either is bad it becomes a safe one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.config import DiceRule
from referee.console.console import Console
from referee.errors import JournalBusy, JournalError, RefereeError, StationError
from referee.journal import Journal
from referee.station.desk import StationDesk
from referee.station.loop import Loop
from referee.station.starting.safe import SafeRoom, Trouble, crash_loop, trouble_with
from referee.station.starting.starts import Starts, Trial

_logger = logging.getLogger(__name__)


class Start:
    """From the journal's file to a console with what belongs on it, as a context.

    ``journal``  None where it could not be opened, or was better left alone
    ``room``     the safe mode, None for a normal start

    A start ends well when its context does. One that a `RefereeError` ends was told where it was started and counts
    neither way; any other end counts as a failed start.
    """

    def __init__(self, path: Path, dice: DiceRule, *, terminal: bool) -> None:
        """``terminal``: somebody reads there why the journal cannot be kept or is in use, so that is raised."""
        self._path = path
        self._dice = dice
        self._terminal = terminal
        self.starts = Starts(path)
        self.journal: Journal | None = None
        self.room: SafeRoom | None = None
        self.console: Console | None = None

    def __enter__(self) -> Self:
        """Open the journal. Raises StationError or JournalBusy, at a terminal only."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            text = f"no journal can be kept at {self._path}: {error}"
            if self._terminal:
                raise StationError(text) from error
            self._safe(trouble_with(JournalError(text), self._path))
            return self
        try:
            self._begin()
        except BaseException as error:  # whoever ends it while the disk is slow has ended it
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

    def open_console(self) -> Console:
        """Return a console with the game that was going on, or with the safe mode."""
        if self.room is None:
            console = self._resumed()
            if console is not None:
                return console
        room = self.room
        assert room is not None
        self.console = console = Console(room.desk(), room.home)
        return console

    def trial(self, now: float) -> Trial:
        """Return what watches whether this start comes to something."""

        def stood(answered: bool) -> None:  # noqa: FBT001 - the trial calls it so
            self.starts.stood(safe=self._still_safe() and not answered)

        return Trial(stood, self._place, now)

    def _place(self) -> tuple[int | None, int]:
        """Return where the table is; another place once something was accepted."""
        session = self.console.session if self.console is not None else None
        return (session.game_id, session.n) if session is not None else (None, 0)

    def _still_safe(self) -> bool:
        return self.room is not None and self.console is not None and self.console.home == self.room.home

    def _resumed(self) -> Console | None:
        assert self.journal is not None
        desk = StationDesk(self.journal, self._dice)
        try:
            session = desk.latest()
        except RefereeError as error:
            _logger.error("the last game was not taken up: %s", error)
            self._safe(trouble_with(error, self._path))
            return None
        if session is not None and session.prompt is not None:
            seat = session.seats().get(session.prompt.seat, "")
            self.starts.asking(f"{seat}: {session.prompt.text}" if seat else session.prompt.text)
        self.console = Console(desk)
        self.console.use(session)
        return self.console

    def _opened(self) -> Journal:
        self.journal = Journal(self._path)
        return self.journal

    def _unopened(self, error: JournalError) -> None:
        if isinstance(error, JournalBusy):
            self.starts.leave()
            if self._terminal:
                raise error
        _logger.error("the journal was not opened: %s", error)
        self._safe(trouble_with(error, self._path))

    def _safe(self, trouble: Trouble, *, bare: bool = False) -> None:
        self.room = SafeRoom(
            self._path, self._dice, trouble, self.starts, journal=self.journal, opened=self._opened, bare=bare
        )


def enter(start: Start, loop: Loop, clock: Callable[[], float] = time.monotonic) -> None:
    """Tie a start to the loop: a slow disk is shown, the start is watched, and the safe mode says what failed."""

    def entered() -> None:
        if start.journal is not None:
            start.journal.waiting = loop.waiting
        loop.trial = start.trial(clock())

    entered()
    if start.room is not None:
        start.room.entered = entered
        trouble = start.room.trouble
        loop.console.fault("Safe mode", f"{trouble.what} {trouble.sure}", clock())
