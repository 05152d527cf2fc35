"""How the board of this table stands, for the hall: told once it is on the glass, when anything of it is new."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.console.console import Console
from referee.session import Session
from referee.session.board import state_of
from referee.station.news import clock_message


class Board:
    """Tells the hall's thread. It belongs to the loop's."""

    def __init__(self, console: Console, tell: Callable[[Mapping[str, Any]], None]) -> None:
        self._console = console
        self._tell = tell
        self._told: object = None
        self._state: tuple[object, Mapping[str, Any]] = (None, {})

    def publish(self) -> None:
        """Tell how the board stands, if anything of it is new."""
        table = self._console.table
        session, keeper = table.session, table.clocks.keeper
        clocks = keeper.clocks
        runs = None if clocks is None else (keeper.number, clocks.runs, clocks.paused, len(clocks.falls))
        match = self._console.event.match
        now = (
            match,
            session,
            session.n if session else 0,
            session is not None and session.paused,
            self._console.stage.screen,
            runs,
        )
        if now == self._told:
            return
        self._told = now
        board = {"number": session.game_id if session is not None else None, "match": match, **self._game(session)}
        self._tell(board if clocks is None else {**board, **clock_message(table)})

    def _game(self, session: Session | None) -> Mapping[str, Any]:
        if session is None:
            return {}
        of = session, session.n, session.paused
        if self._state[0] != of:
            self._state = of, state_of(session)
        return {"board": self._state[1]}
