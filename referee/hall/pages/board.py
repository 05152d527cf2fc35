"""Every table of a round with what is known of it, and one table with its game, for whoever runs the event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from referee.clock.words import clock_text
from referee.hall.pages.due import due_of, seen
from referee.hall.pages.render import Look
from referee.hall.pages.tables import Slip, slips_of, whole
from referee.hall.wishes import published
from referee.tournament import Round
from referee.tournament.event import Call

MOST_NAME: Final = 40
"""Letters of a seat's name that are shown."""
MOST_SEATS: Final = 12


class Clock(NamedTuple):
    """A seat clock. ``text``, ``shown``: what it shows, and that in ms.

    ``ends``  ms until it shows 0:00, where a page can count it down by itself; else 0
    """

    seat: str
    text: str
    shown: int
    ends: int


@dataclass(frozen=True, slots=True)
class Square:
    """One table. ``box``: how its box is doing, "paper" without one; ``grey``: whether what it says may be old.

    ``game``  how its game stands, as `referee.session.board.state_of` says
    """

    slip: Slip
    box: str
    call: Call | None
    clocks: tuple[Clock, ...]
    game: Mapping[str, Any]

    @property
    def grey(self) -> bool:
        """Whether what stands here may be old."""
        return self.box in ("silent", "not connected")


def board(look: Look) -> dict[str, Any]:
    """Every table of the published round."""
    round_ = published(look.desk.event)
    return {"round": round_, "squares": _squares(look, round_), **_moment(look, round_)}


def table(look: Look) -> dict[str, Any]:
    """One table: its match, its game, and the log with reasons and dice."""
    number, round_ = whole(look.fields.get("table", "")), published(look.desk.event)
    square = next((each for each in _squares(look, round_) if each.slip.pairing.table == number), None)
    reports = look.served.reports
    return {
        "round": round_,
        "square": square,
        "table": number,
        "reports": reports.of(round_, square.slip.pairing) if reports and square and round_ else (),
        "log": (),
        "fault": "",
        **_moment(look, round_),
    }


async def log(look: Look) -> Mapping[str, Any]:
    """Have the game at a table replayed, for its log."""
    number = whole(look.fields.get("table", ""))
    shown = seen(look, number)
    if look.served.reports is None or shown is None or not shown.game:
        return {}
    return await look.served.reports.log(look.desk.event.boxes[number], shown.game)


def _moment(look: Look, round_: Round | None) -> dict[str, Any]:
    """Return what is due in the round, and what is newest, as `News` says it."""
    changes = look.served.boxes.changes if look.served.boxes is not None else 0
    return {"newest": len(look.desk.acts) + changes, **due_of(look, round_)}


def _squares(look: Look, round_: Round | None) -> list[Square]:
    if round_ is None:
        return []
    event, now = look.desk.event, look.desk.now()
    calls = {call.table: call for call in event.calls if not call.resolved}
    squares = []
    for slip in slips_of(event, round_, look.desk.names):
        at = slip.pairing.table
        shown = seen(look, at)
        state = shown.state(now) if shown is not None else "paper"
        times = clocks(shown.told, shown.at, now) if shown is not None else ()
        if at:
            squares.append(Square(slip, state, calls.get(at), times, shown.board if shown is not None else {}))
    return squares


def clocks(told: Mapping[str, Any], at: int, now: int) -> tuple[Clock, ...]:
    """Return the seat clocks of a game, none where it has none. ``told``: by its box, ``at`` that time, ms."""
    try:
        gone = int(told["ago"]) + max(0, now - at)
        gone = 0 if told["paused"] else gone
        return tuple(_clock(each, gone) for each in told["seats"][:MOST_SEATS])
    except (KeyError, TypeError, ValueError, OverflowError):  # a box without clocks, or nonsense
        return ()


def _clock(seat: Mapping[str, Any], gone: int) -> Clock:
    runs = bool(seat["runs"])
    shown = int(seat["ms"]) - (max(0, gone - int(seat["free"])) if runs else 0)
    ends = shown if runs and gone and shown > 0 else 0
    return Clock(str(seat["name"])[:MOST_NAME], clock_text(shown), shown, ends)
