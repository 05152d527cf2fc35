"""What the service manager shows in one line: the game of this box and whom it waits for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.console.table import Table
from referee.files.plain import plain
from referee.station.notify import Notifier

NO_GAME: Final = "No game: waiting for one to be chosen"


class Status:
    """Sends ``STATUS=`` when the line has changed, and wakes nobody for it."""

    def __init__(self, notifier: Notifier, table: Table, trouble: Callable[[], str]) -> None:
        """``trouble``: what keeps the station in its safe mode, "" in good times."""
        self._notifier = notifier
        self._table = table
        self._trouble = trouble
        self._sent = ""

    def follow(self) -> None:
        """Tell how it stands, if that is new."""
        line = self._line()
        if line != self._sent:
            self._sent = line
            self._notifier.send(f"STATUS={plain(line)}")

    def _line(self) -> str:
        trouble, session = self._trouble(), self._table.session
        if trouble:
            return f"Safe mode: {trouble}"
        if session is None:
            return NO_GAME
        title = session.book.title
        if session.paused:
            return f"{title}: paused"
        if session.prompt is None:
            return f"{title}: over"
        return f"{title}: waiting for {self._table.seat_name(session.prompt.seat) or 'the table'}"
