"""Seat clocks over the drive protocol: set, taken away, and told beside every prompt."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from referee.errors import JournalError
from referee.session import Notebook, Session, give_all, keeper_of, ms, waits_for


class DriveClocks:
    """The clocks of a session that a program drives. Nobody presses keys, so they run from the moment they are set.

    What a flag does is up to the program: it is told, and nothing is refused for it.
    """

    def __init__(self, session: Session, notebook: Notebook | None) -> None:
        """``notebook``: of this game, None without a journal. Raises Malformed, JournalDamaged or JournalError."""
        self._session = session
        self._keeper = keeper_of(session, notebook)
        self._keeper.only_tell()

    def obey(self, value: Any, at: float) -> None:
        """Set the clocks of all seats, as an object says, or take them away (false). Raises Refused, JournalError."""
        if value is False:
            self._keeper.stop(ms(at), "drive")
        else:
            give_all(self._keeper, self._session, value, at, "drive")

    def look(self, at: float) -> list[dict[str, Any]]:
        """Let the clocks follow what is asked; return a message for each flag that fell.

        What could not be recorded now is with the next record.
        """
        keeper = self._keeper
        keeper.touch()
        falls = keeper.see(waits_for(self._session), ms(at))
        with suppress(JournalError):
            keeper.record(ms(at))
        return [{"type": "flag", "seat": fall.seat} for fall in falls]

    def member(self) -> dict[str, Any]:
        """Return what stands beside a prompt; nothing without clocks."""
        clocks = self._keeper.clocks
        if clocks is None:
            return {}
        seats = [
            {"seat": name, "ms": seat.left, **({"down": True} if seat.fallen else {})}
            for name, seat in clocks.seats.items()
        ]
        first = clocks.first_fall
        fields = {
            "runs": "" if clocks.paused else clocks.runs,
            "seats": seats,
            "first": first.seat if first is not None else "",
        }
        return {"clock": {name: value for name, value in fields.items() if value}}
