"""For judges: calls, more time, penalties."""

from __future__ import annotations

from typing import Any, Final, get_args

from referee.errors import Malformed, NotNow
from referee.hall.pages.forms import Asked, Does, Forms, Sender, act
from referee.hall.pages.render import Look
from referee.hall.pages.roster import filed
from referee.hall.pages.rounds import FORMS as ROUNDS
from referee.hall.staff import JUDGES
from referee.hall.wishes import published
from referee.tournament.acts.people import CallClaimed, CallOpened, CallResolved, PenaltyGiven, PenaltyLifted
from referee.tournament.event import PenaltyKind


def view(look: Look) -> dict[str, Any]:
    """Calls by waiting time, more time, penalties."""
    event, now = look.desk.event, look.desk.now()
    waiting = [(call, max(0, now - call.opened) // 60_000) for call in event.calls if not call.resolved]
    return {
        "waiting": sorted(waiting, key=lambda each: each[0].opened),
        "penalties": list(enumerate(event.penalties, 1)),
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
