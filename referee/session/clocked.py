"""The seat clocks of a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.clock import COMMON, NOBODY, Keeper, Seen
from referee.session.entries import Notebook
from referee.session.session import Session


def ms(at: float) -> int:
    """Return a time in s as whole ms."""
    return round(at * 1000)


def keeper_of(session: Session, notebook: Notebook | None, *, new: bool = False) -> Keeper:
    """Return the keeper of a session's clocks, as they were left; what is accepted has them beside it from here on.

    ``notebook``: of this game, None where nothing is written; a ``new`` game has nothing in it that would be read.
    Raises Malformed where it holds what no keeper wrote, JournalDamaged or JournalError.
    """

    def note(record: Mapping[str, Any], seat: str, source: str, when: int) -> None:
        if notebook is not None:
            notebook.add({"clock": record}, seat=seat, source=source, at=when / 1000)

    notes = notebook.read() if notebook is not None and not new else ()
    latest: Mapping[str, Any] = next(
        (entry.extra["clock"] for entry in reversed(session.entries) if "clock" in entry.extra), {}
    )
    keeper = Keeper.resumed(note, [each.extra["clock"] for each in notes if "clock" in each.extra], latest)
    session.accompany(lambda when: keeper.member(ms(when)))
    return keeper


def waits_for(session: Session, *, reads: bool = False) -> Seen:
    """Return what the table waits for. ``reads``: a ruling or a reminder is read before the question."""
    seats, prompt = session.seats(), session.prompt
    turn = session.game.seat if session.game.seat in seats else NOBODY
    if prompt is None or session.paused:
        asks, reads = NOBODY, False
    else:
        asks = prompt.seat if prompt.seat in seats and not prompt.sealed else COMMON
    return Seen(asks, turn, session.undoable, session.n, reads)
