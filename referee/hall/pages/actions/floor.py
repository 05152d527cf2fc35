"""On the floor: calls for a judge, more time, penalties."""

from __future__ import annotations

from typing import Any, Final, get_args

from referee.errors import Malformed, NotNow
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.pages.actions.rounds import extend
from referee.hall.pages.tables import in_ranges
from referee.hall.staff.roles import DESK
from referee.hall.wishes import published
from referee.tournament.acts.floor import CallClaimed, CallOpened, CallResolved, PenaltyGiven, PenaltyLifted
from referee.tournament.event import PenaltyKind


def _mark(sender: Sender) -> dict[str, Any]:
    """Return who acts: at the desk a judge by number, where one is named; on a tablet whose it is."""
    judge = sender.form.number("judge", 0) if sender.role == DESK else 0
    return sender.mark | ({"who": f"judge {judge}"} if judge else {})


def call(sender: Sender) -> Asked:
    """A table calls for a judge."""
    table, round_ = sender.form.number("table"), published(sender.desk.event)
    if round_ is None:
        raise NotNow("no-round", "expected a published round; no table is known before it")
    tables = {pairing.table for pairing in round_.pairings if pairing.table}
    if table not in tables:
        raise Malformed(f"table: expected a table of round {round_.number}: {in_ranges(tables)}; got {table}")
    return Asked([CallOpened(**sender.mark, table=table)], notice=f"Table {table} calls for a judge")


def claim(sender: Sender) -> Asked:
    """A judge goes to the table."""
    number = sender.form.number("call")
    return Asked([CallClaimed(**_mark(sender), call=number)], notice=f"The call{_of(sender, number)} is claimed")


def resolve(sender: Sender) -> Asked:
    """The judge has ruled."""
    number = sender.form.number("call")
    return Asked([CallResolved(**_mark(sender), call=number)], notice=f"The call{_of(sender, number)} is resolved")


def _of(sender: Sender, number: int) -> str:
    """Return which table has called, in words."""
    return next((f" of table {each.table}" for each in sender.desk.event.calls if each.number == number), "")


def penalty(sender: Sender) -> Asked:
    """A judge punishes a player."""
    form = sender.form
    kind: PenaltyKind = form.choice("penalty", get_args(PenaltyKind))  # type: ignore[assignment]
    player, points = form.number("player"), form.number("points", 0)
    given = PenaltyGiven(**_mark(sender), player=player, penalty=kind, points=points)
    return Asked([given], notice=f"The penalty is given: {kind} for player {player}")


def lift(sender: Sender) -> Asked:
    """A penalty was wrong."""
    return Asked(
        [PenaltyLifted(**_mark(sender), penalty=sender.form.number("penalty"))], notice="The penalty is lifted"
    )


ACTIONS: Final[Actions] = {
    "call": call,
    "claim": claim,
    "resolve": resolve,
    "extend": extend,
    "penalty": penalty,
    "lift": lift,
}
