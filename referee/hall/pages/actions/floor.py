"""On the floor: calls for a judge, more time, penalties."""

from __future__ import annotations

from typing import Any, Final, get_args

from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.pages.actions.rounds import extend
from referee.hall.staff.roles import DESK
from referee.tournament.acts import CallClaimed, CallOpened, CallResolved, PenaltyGiven, PenaltyLifted
from referee.tournament.event import PenaltyKind


def _mark(sender: Sender) -> dict[str, Any]:
    """Return who acts: at the desk a judge by number, where one is named; on a tablet whose it is."""
    judge = sender.form.number("judge", 0) if sender.role == DESK else 0
    return sender.mark | ({"who": f"judge {judge}"} if judge else {})


def call(sender: Sender) -> Asked:
    """A table calls for a judge."""
    return Asked([CallOpened(**sender.mark, table=sender.form.number("table"))])


def claim(sender: Sender) -> Asked:
    """A judge goes to the table."""
    return Asked([CallClaimed(**_mark(sender), call=sender.form.number("call"))])


def resolve(sender: Sender) -> Asked:
    """The judge has ruled."""
    return Asked([CallResolved(**_mark(sender), call=sender.form.number("call"))])


def penalty(sender: Sender) -> Asked:
    """A judge punishes a player."""
    form = sender.form
    kind: PenaltyKind = form.choice("penalty", get_args(PenaltyKind))  # type: ignore[assignment]
    player, points = form.number("player"), form.number("points", 0)
    return Asked([PenaltyGiven(**_mark(sender), player=player, penalty=kind, points=points)])


def lift(sender: Sender) -> Asked:
    """A penalty was wrong."""
    return Asked([PenaltyLifted(**_mark(sender), penalty=sender.form.number("penalty"))])


ACTIONS: Final[Actions] = {
    "call": call,
    "claim": claim,
    "resolve": resolve,
    "extend": extend,
    "penalty": penalty,
    "lift": lift,
}
