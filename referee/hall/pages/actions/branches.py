"""Which branch of a box's journal counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.errors import Malformed, NotNow
from referee.hall.boxes import Boxes
from referee.hall.branches import Branches
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.tournament import Event
from referee.tournament.acts import (
    Act,
    BranchChosen,
    BranchTakenBack,
    ChallengeRejected,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
)
from referee.tournament.words import listed


def actions(boxes: Boxes | None) -> Actions:
    """Return what the forms of the page do. ``boxes``: None where none can connect."""

    def choose(sender: Sender) -> Asked:
        box, after, first = (sender.form.text(name) for name in ("box", "after", "first"))
        forks = boxes.branches.forks(box) if boxes is not None else []
        fork = next((each for each in forks if each.after.hash == after), None)
        if boxes is None or fork is None or first not in {each.first.hash for each in fork.branches}:
            raise NotNow("no-such-branch", "expected a branch of this box's journal; load the page again")
        if not sender.form.text("why"):
            raise Malformed("why: expected why this branch counts")
        event = sender.desk.event
        chosen = {**event.branches, (box, after): first}
        undone = list(_undone(sender, box, Branches(boxes.intake, lambda: chosen)))
        back = [f"round {each.round}, table {each.table}" for each in undone if isinstance(each, ResultTakenBack)]
        follows = f"; the result of {listed(back)} came from another one and is taken back" if back else ""
        notice = f"The branch that begins with {first[:16]} counts from now on{follows}"
        return Asked(
            [BranchChosen(**sender.mark, box=box, after=after, first=first), *undone], {}, notice, _page(box)
        )

    def take_back(sender: Sender) -> Asked:
        box, after = sender.form.text("box"), sender.form.text("after")
        taken = BranchTakenBack(**sender.mark, box=box, after=after)
        return Asked([taken], notice="No branch is chosen any more", then=_page(box))

    return {"choose": choose, "take-back-choice": take_back}


def _page(box: str) -> str:
    return f"/branches?box={box}"


def _undone(sender: Sender, box: str, branches: Branches) -> Iterator[Act]:
    """Yield the acts that undo what the desk took from slips of a box that would count no more."""
    event: Event = sender.desk.event
    entered: dict[tuple[int, int], ResultEntered] = {}
    challenged: dict[tuple[int, int], ResultChallenged] = {}
    for act in sender.desk.acts:
        if isinstance(act, ResultEntered):
            entered[act.round, act.table] = act
        if isinstance(act, ResultChallenged):
            challenged[act.round, act.table] = act
    for round_ in event.rounds:
        for pairing in round_.pairings:
            place = (round_.number, pairing.table)
            result, challenge = entered.get(place), challenged.get(place)
            meant: dict[str, Any] = {**sender.mark, "round": round_.number, "table": pairing.table}
            if pairing.result is None:
                continue
            if result is not None and result.note and not branches.counts(box, result.note):
                yield ResultTakenBack(**meant)
            elif pairing.challenged and challenge is not None and not branches.counts(box, challenge.note):
                yield ChallengeRejected(**meant)
