"""Which branch of a box's journal counts."""

from __future__ import annotations

from referee.errors import Malformed, NotNow
from referee.hall.boxes import Boxes
from referee.hall.choosing import Held, said_of, weigh
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.tournament.acts import BranchChosen, BranchTakenBack, ResultTakenBack
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
        choice = BranchChosen(**sender.mark, box=box, after=after, first=first)
        weighed = weigh(sender.desk, boxes.floor, choice, boxes.intake, said_of(boxes.intake, box))
        if weighed.held and not sender.form.fields.get("stand"):
            raise NotNow("bracket-on", " ".join(map(_held, weighed.held)))
        back = [_place(each.round, each.table) for each in weighed.acts if isinstance(each, ResultTakenBack)]
        stand = [_place(each.round, each.pairing.table) for each in weighed.held]
        notice = f"The branch that begins with {first[:16]} counts from now on"
        notice += f"; the result of {listed(back)} came from another one and is taken back" if back else ""
        notice += f"; the result of {listed(stand)} stands" if stand else ""
        return Asked(weighed.acts, {}, notice, _page(box))

    def take_back(sender: Sender) -> Asked:
        box, after = sender.form.text("box"), sender.form.text("after")
        taken = BranchTakenBack(**sender.mark, box=box, after=after)
        return Asked([taken], notice="No branch is chosen any more", then=_page(box))

    return {"choose": choose, "take-back-choice": take_back}


def _page(box: str) -> str:
    return f"/branches?box={box}"


def _place(round_: int, table: int) -> str:
    return f"round {round_}, table {table}"


def _held(held: Held) -> str:
    """Return why a choice is refused, and what makes it possible."""
    result = f"the result of {_place(held.round, held.pairing.table)}"
    return f"The bracket has gone on from {result}. First: {'; '.join(held.first)}. Or let it stand."
