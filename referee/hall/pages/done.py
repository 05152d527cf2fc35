"""What was done, in words: the record as an organiser compares it with slips and with printed pairings."""

from __future__ import annotations

from collections.abc import Callable

from referee.files.receipt import receipt
from referee.hall.countersignature import text_of
from referee.tournament import Event
from referee.tournament.acts import Act, Countersigned
from referee.tournament.plain import to_json


def members(act: Act, event: Event, club: Callable[[int], str]) -> str:
    """Return what an act says besides who, when and why; players by number. ``club``: what a club is called."""
    if isinstance(act, Countersigned):
        signed = act.countersignature
        return f"round {signed.round}, table {signed.table}, receipt {receipt(text_of(to_json(signed)))}"
    return act.words(event, club)
