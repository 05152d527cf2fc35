"""Every table of a round with what is known of it, and one table with its game, for whoever runs the event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.hall.boxes import Shown
from referee.hall.pages.render import Look
from referee.hall.pages.tables import Slip, slips_of, whole
from referee.hall.wishes import published
from referee.tournament import Round
from referee.tournament.event import Call


@dataclass(frozen=True, slots=True)
class Square:
    """One table. ``box``: how its box is doing, "paper" without one; ``grey``: whether what it says may be old.

    ``game``  how its game stands, as `referee.session.board.state_of` says
    """

    slip: Slip
    box: str
    call: Call | None
    game: Mapping[str, Any]

    @property
    def grey(self) -> bool:
        """Whether what stands here may be old."""
        return self.box in ("silent", "not connected")


def _seen(look: Look, table: int) -> Shown | None:
    box = look.desk.event.boxes.get(table, "")
    if not box:
        return None
    return look.served.boxes.seen(box) if look.served.boxes is not None else Shown()


def board(look: Look) -> dict[str, Any]:
    """Every table of the published round."""
    round_ = published(look.desk.event)
    return {"round": round_, "squares": _squares(look, round_), **_moment(look)}


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
        **_moment(look),
    }


async def log(look: Look) -> Mapping[str, Any]:
    """Have the game at a table replayed, for its log."""
    number = whole(look.fields.get("table", ""))
    shown = _seen(look, number)
    if look.served.reports is None or shown is None or not shown.game:
        return {}
    return await look.served.reports.log(look.desk.event.boxes[number], shown.game)


def _moment(look: Look) -> dict[str, Any]:
    """Return the time, and what is newest, as `News` says it."""
    changes = look.served.boxes.changes if look.served.boxes is not None else 0
    return {"newest": len(look.desk.acts) + changes, "now": look.desk.now()}


def _squares(look: Look, round_: Round | None) -> list[Square]:
    if round_ is None:
        return []
    event, now = look.desk.event, look.desk.now()
    calls = {call.table: call for call in event.calls if not call.resolved}
    squares = []
    for slip in slips_of(event, round_, look.desk.names):
        at = slip.pairing.table
        shown = _seen(look, at)
        state = shown.state(now) if shown is not None else "paper"
        if at:
            squares.append(Square(slip, state, calls.get(at), shown.board if shown is not None else {}))
    return squares
