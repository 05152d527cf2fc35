"""What is decided at the desk about a table, as its box is told: it stands on the glass and in the box's journal.

An order has the number of its act in the record. A box has it once a note with that number has come back from its
journal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from referee.hall.results import in_words
from referee.hall.seatings import published
from referee.hall.uplink.messages import MOST_LETTERS, MOST_TEXT, Order
from referee.tournament import Event
from referee.tournament.acts import (
    Act,
    CallClaimed,
    CallResolved,
    ChallengeRejected,
    ExtensionGiven,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
    RoundPublished,
)
from referee.tournament.clock import MINUTE

MOST: Final = 32
"""Orders of one table that may wait for its box; older ones are not sent any more."""


def orders(event: Event, acts: Sequence[Act], known: Mapping[str, Collection[int]]) -> dict[str, tuple[Order, ...]]:
    """Return what each box is still to be told of the published round, by its key.

    ``known``: numbers of the orders that the journal of a box has.
    """
    since = next((at for at in range(len(acts) - 1, -1, -1) if isinstance(acts[at], RoundPublished)), len(acts))
    waiting: dict[str, tuple[Order, ...]] = {}
    for table, box in event.boxes.items():
        every = [_order(event, number, acts[number - 1], table) for number in range(since + 1, len(acts) + 1)]
        fresh = tuple(each for each in every if each is not None and each.number not in known.get(box, ()))
        if fresh:
            waiting[box] = fresh[-MOST:]
    return waiting


def _order(event: Event, number: int, act: Act, table: int) -> Order | None:
    """Return what an act is to a table, None for nothing."""

    def order(what: str, text: str, ms: int = 0) -> Order:
        return Order(number, what, ms, act.who[:MOST_LETTERS], text[:MOST_TEXT])

    if isinstance(act, (CallClaimed, CallResolved)):
        if event.calls[act.call - 1].table != table:
            return None
        return order("ruling", act.why) if isinstance(act, CallResolved) else order("coming", "A judge comes")
    if isinstance(act, ExtensionGiven) and act.table in (0, table):
        return order("extension", act.why or f"{act.ms // MINUTE:+} min for all", act.ms)
    if getattr(act, "table", 0) != table:
        return None
    if isinstance(act, ResultTakenBack):
        return order("result", f"Taken back: {act.why}")
    if isinstance(act, ResultEntered):
        return order("result", _result(event, act))
    if isinstance(act, ResultChallenged):
        return order("challenge", act.why)
    return order("challenge", f"Rejected: {act.why}") if isinstance(act, ChallengeRejected) else None


def _result(event: Event, act: ResultEntered) -> str:
    round_ = published(event)
    pairing = round_.at(act.table) if round_ is not None else None
    words = in_words(act.result, pairing, lambda player: f"player {player}") if pairing is not None else ""
    return f"{'Both seats' if act.by == 'seats' else act.by.capitalize()}: {words}"
