"""What is decided at the desk about a table, as its box is told: it stands on the glass and in the box's journal.

An order has the number of its act in the record. A box has it once a note of it has come back from its journal. The
record of a rebuilt hall may have another act under a number that was told before, so what it says counts, too. A
spare is told of what was decided before it came only what is still open: its players have heard the rest. A box on a
branch in whose place a judge chose another is told so each time it connects: what it notes is on that branch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from referee.files.receipt import receipt
from referee.hall.countersignature import text_of
from referee.hall.not_taken import NotTaken
from referee.hall.seatings import published
from referee.hall.takeover import replaced
from referee.hall.uplink.messages import MOST_LETTERS, MOST_TEXT, Order
from referee.tournament import Event
from referee.tournament.acts import (
    Act,
    BranchChosen,
    BranchTakenBack,
    CallClaimed,
    CallResolved,
    ChallengeRejected,
    Countersigned,
    ExtensionGiven,
    PenaltyGiven,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
    RoundPublished,
)
from referee.tournament.plain import to_json
from referee.tournament.words import in_words

EVERY: Final = 0
"""Where an extension is for all tables."""
ABOUT_A_TABLE: Final = (ExtensionGiven, ResultTakenBack, ResultEntered, ResultChallenged, ChallengeRejected)
COUNTS: Final = "What this box has counts."
DOES_NOT_COUNT: Final = "Stop: this box does not count. The judge goes by another copy of its card."
"""What a box is told of a choice, before its reason."""
_KINDS: Final = {"slip": "result", "challenge": "challenge"}
"""Of which kind the order is that a slip or a challenge was not taken."""
MOST: Final = 32
"""Orders of one table that may wait for its box; older ones are not sent any more."""


Known: TypeAlias = tuple[int, str, str]
"""What tells an order from others: its number, its kind, what it says."""


def orders(
    event: Event,
    acts: Sequence[Act],
    known: Mapping[str, Collection[Known]],
    rejected: Collection[str] = (),
    turned: Iterable[NotTaken] = (),
) -> dict[str, tuple[Order, ...]]:
    """Return what each box is still to be told of the published round, by its key.

    ``known``: orders that the journal of a box has; ``rejected``: boxes that stand on a branch which does not count;
    ``turned``: what was not taken of boxes, which has the number of the publication of its round.
    """
    since = next((at for at in range(len(acts) - 1, -1, -1) if isinstance(acts[at], RoundPublished)), len(acts))
    spares = {box: each.number for box, each in replaced(acts).items()}
    waiting: dict[str, list[Order]] = {}
    for number, act in enumerate(acts[since:], since + 1):
        table = _table(event, act)
        if isinstance(act, (BranchChosen, BranchTakenBack)) and act.box in rejected:
            continue
        for box in event.boxes.values() if table == EVERY else filter(None, [event.boxes.get(table)]):
            old = number <= spares.get(box, 0) and not _open(event, act)
            order = None if old else _order(event, number, act)
            if order is not None and (number, order.what, order.text) not in known.get(box, ()):
                waiting.setdefault(box, []).append(order)
    for each in turned:
        order = Order(since + 1, _KINDS[each.kind], 0, "hall", each.at_box(event)[:MOST_TEXT])
        if order.text and (order.number, order.what, order.text) not in known.get(each.box, ()):
            waiting.setdefault(each.box, []).append(order)
    for box in rejected:  # last, so that it lies over the others on the glass
        choices = [_rejected(number, act) for number, act in enumerate(acts, 1) if _chooses(act, box)]
        waiting[box] = [*waiting.get(box, ()), *choices[-1:]]
    return {box: tuple(each[-MOST:]) for box, each in waiting.items()}


def _table(event: Event, act: Act) -> int:
    """Return the table that an act is about, `EVERY` for all of them, -1 for none."""
    if isinstance(act, (CallClaimed, CallResolved)):
        return event.calls[act.call - 1].table
    if isinstance(act, PenaltyGiven):
        round_ = published(event)
        pairing = round_.of(act.player) if round_ is not None else None
        return pairing.table if pairing is not None and pairing.table else -1
    if isinstance(act, (BranchChosen, BranchTakenBack)):
        return next((table for table, box in event.boxes.items() if box == act.box), -1)
    if isinstance(act, Countersigned):
        return act.countersignature.table
    return int(getattr(act, "table", -1)) if isinstance(act, ABOUT_A_TABLE) else -1


def _open(event: Event, act: Act) -> bool:
    """Whether a table still waits for what an act began, or a box still goes by it."""
    if isinstance(act, CallClaimed):
        return not event.calls[act.call - 1].resolved
    if isinstance(act, ResultChallenged):
        round_ = published(event)
        return round_ is not None and bool(round_.at(act.table).challenged)
    return isinstance(act, (BranchChosen, BranchTakenBack))


def _chooses(act: Act, box: str) -> bool:
    return isinstance(act, BranchChosen) and act.box == box


def _rejected(number: int, act: Act) -> Order:
    """Return what the players at a box are told whose branch a judge did not choose."""
    return Order(number, "ruling", 0, act.who[:MOST_LETTERS], f"{DOES_NOT_COUNT} {act.why}"[:MOST_TEXT])


def _order(event: Event, number: int, act: Act) -> Order | None:
    """Return what a table is told of an act about it, None for nothing."""

    def order(what: str, text: str, ms: int = 0) -> Order:
        return Order(number, what, ms, act.who[:MOST_LETTERS], text[:MOST_TEXT])

    if isinstance(act, Countersigned):
        text = text_of(to_json(act.countersignature))
        long = order("result", f"Countersigned, receipt {receipt(text)}")
        return order("countersigned", text) if len(text) <= MOST_TEXT else long
    if isinstance(act, CallClaimed):
        return order("coming", "A judge comes")
    if isinstance(act, (CallResolved, BranchTakenBack)):
        return order("ruling", act.why)
    if isinstance(act, BranchChosen):
        return order("ruling", f"{COUNTS} {act.why}")
    if isinstance(act, PenaltyGiven):
        points = f", {act.points} points" if act.points else ""
        return order("penalty", f"Player {act.player}: {act.penalty}{points}. {act.why}")
    if isinstance(act, ExtensionGiven):
        return order("extension", act.why or "for all", act.ms)
    what, text = _about_result(event, act)
    return order(what, text) if what else None


def _about_result(event: Event, act: Act) -> tuple[str, str]:
    """Return of which kind an order about a result is, and what it says; two empty texts for other acts."""
    if isinstance(act, ResultTakenBack):
        return "result", f"Taken back: {act.why}"
    if isinstance(act, ResultEntered) and act.by != "seats":  # those keyed it, and are told the receipt
        return "result", _result(event, act)
    if isinstance(act, ResultChallenged):
        return "challenge", act.why
    return ("challenge", f"Rejected: {act.why}") if isinstance(act, ChallengeRejected) else ("", "")


def _result(event: Event, act: ResultEntered) -> str:
    round_ = published(event)
    pairing = round_.at(act.table) if round_ is not None else None
    words = in_words(act.result, pairing, lambda player: f"player {player}") if pairing is not None else ""
    return f"{act.by.capitalize()}: {words}"
