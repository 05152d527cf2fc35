"""For judges: every table with what is known of it, one table with its game; calls, more time, penalties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from referee.errors import Malformed, NotNow
from referee.hall.boxes import Shown
from referee.hall.pages.forms import Asked, Does, Forms, Sender, act, whole
from referee.hall.pages.players import filed
from referee.hall.pages.render import Look
from referee.hall.pages.rounds import FORMS as ROUNDS
from referee.hall.pages.tables import slips_of
from referee.hall.staff import JUDGES
from referee.hall.wishes import published
from referee.tournament import Round
from referee.tournament.acts.people import CallClaimed, CallOpened, CallResolved, PenaltyGiven, PenaltyLifted
from referee.tournament.event import PenaltyKind


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
    square = next((each for each in _squares(look, round_) if each["slip"].pairing.table == number), None)
    reports = look.served.reports
    return {
        "round": round_,
        "square": square,
        "table": number,
        "reports": reports.of(round_, square["slip"].pairing) if reports and square and round_ else (),
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
    changes = look.served.boxes.changes if look.served.boxes is not None else 0
    return {"newest": len(look.desk.acts) + changes, "now": look.desk.now()}


def _squares(look: Look, round_: Round | None) -> list[dict[str, Any]]:
    """Return the tables of a round.

    ``box``: how its box is doing, "paper" without one; ``grey``: whether what it says may be old; ``game``: how it
    stands, as `referee.session.board.state_of` says
    """
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
            game, old = shown.board if shown is not None else {}, state in ("silent", "not connected")
            squares.append({"slip": slip, "box": state, "grey": old, "call": calls.get(at), "game": game})
    return squares


def judges(look: Look) -> dict[str, Any]:
    """Calls by waiting time, more time, penalties."""
    event, now = look.desk.event, look.desk.now()
    waiting = [call for call in event.calls if not call.resolved]
    return {
        "waiting": sorted(waiting, key=lambda each: each.opened),
        "kinds": get_args(PenaltyKind),
        "listed": sorted(event.players, key=lambda each: filed(look.desk.names.player(each))),
        "now": now,
        "round": published(event),
    }


def call(sender: Sender) -> Asked:
    """A table calls for a judge."""
    table, round_ = sender.form.number("table"), published(sender.event)
    if round_ is None:
        raise NotNow("no-round", "Publish a round first; no table is known before it")
    tables = {pairing.table for pairing in round_.pairings if pairing.table}
    if table not in tables:
        raise Malformed(f"table: type a table of round {round_.number}, not {table}")
    return Asked([CallOpened(**sender.mark, table=table)], notice=f"Table {table} calls for a judge")


GIVEN: Final = "The penalty is given: {penalty} for player {player}"
CALLS: Final = (CallClaimed, CallResolved)
PENALTIES: Final = (PenaltyGiven, PenaltyLifted)
FORMS: Final[Forms] = {
    "call": Does(JUDGES, call),
    "claim": Does(JUDGES, act(CallClaimed, "The call is claimed"), CALLS),
    "resolve": Does(JUDGES, act(CallResolved, "The call is resolved"), CALLS),
    "extend": ROUNDS["extend"],
    "penalty": Does(JUDGES, act(PenaltyGiven, GIVEN), PENALTIES),
    "lift": Does(JUDGES, act(PenaltyLifted, "The penalty is lifted"), PENALTIES, ()),
}
