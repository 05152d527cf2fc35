"""What the browsers see of the log: only what is new in it, because all of it is long and grows with each press."""

from __future__ import annotations

from collections.abc import Mapping

from referee.rulebook import ANYBODY, whole, written
from referee.session import LogLine, Session
from referee.session.board import labelled
from referee.web.hub import Message
from referee.web.outbox import LOG_LINES


class LogNews:
    """The log of a table as messages."""

    def __init__(self) -> None:
        self._of: object = None
        self._entries = 0

    def announce(self) -> None:
        """Tell the whole log next time."""
        self._of = None

    def message(self, session: Session | None, players: Mapping[str, str]) -> Message | None:
        """Return what is new or was taken back since the last message; None if nothing is."""
        of, entries = (session, tuple(players.items())), session.n if session else 0
        since = session.unchanged(self._entries) if session and of == self._of else 0
        if of == self._of and since == entries:
            return None
        self._of, self._entries = of, entries
        return log_message(session, players, since)


def log_message(session: Session | None, players: Mapping[str, str], since: int = 0) -> Message:
    """Return the newest part of the log from entry ``since`` on; ``players``: who plays, by seat."""
    if session is None:
        return {"type": "log", "since": 0, "entries": []}
    called = seat_names(session)
    names = labelled(called, players)
    lines = session.log(newest=LOG_LINES, since=since)
    entries = [
        line.as_json()
        | {
            "kind": _kind(line),
            "seat": names.get(line.seat, line.seat),
            "text": line.after(called.get(line.seat, "")),
            "why": [*filter(None, map(written, line.why))],
            "place": [*map(whole, line.place)],
        }
        for line in lines
    ]
    return {"type": "log", "since": since, "entries": entries}


def seat_names(session: Session) -> dict[str, str]:
    """Return what people call each seat, in whole words, and all of them together."""
    return {**{seat: whole(name) for seat, name in session.seats().items()}, ANYBODY: "Table"}


def _kind(line: LogLine) -> str:
    """Return the kind of a line as the panel names it."""
    if line.mode == "override":
        return "override"
    return {"void": "undo"}.get(line.kind, line.kind)
