"""What was done, in words: the record as an organiser compares it with slips and with printed pairings."""

from __future__ import annotations

from typing import Final

from referee.errors import NotNow
from referee.files.receipt import receipt
from referee.hall.countersignature import text_of
from referee.hall.results import in_words
from referee.tournament import Event, Seats
from referee.tournament.acts import Act, BoxPlaced, Countersigned, PairingChanged, ResultEntered, RoundPaired
from referee.tournament.plain import to_json

ASIDE: Final = ("act", "who", "at", "why", "note", "seed")
"""Members that stand in columns of their own, or tell people nothing."""
MOST: Final = 160
"""Letters of members that are shown as they are."""
SHOWN_KEY: Final = 8
"""Digits of a box's key that name it."""


def members(act: Act, event: Event) -> str:
    """Return what an act says besides who, when and why; players by number."""
    if isinstance(act, Countersigned):
        signed = act.countersignature
        return f"round {signed.round}, table {signed.table}, receipt {receipt(text_of(to_json(signed)))}"
    if isinstance(act, (RoundPaired, PairingChanged)):
        return "; ".join(map(_pairing, act.pairings))
    if isinstance(act, BoxPlaced):
        return f"table {act.table}, " + (f"box {act.box[:SHOWN_KEY]}" if act.box else "no box")
    if isinstance(act, ResultEntered):
        return f"round {act.round}, table {act.table}, {_result(act, event)}, by {act.by}"
    plain = {name: value for name, value in act.as_json().items() if value and name not in ASIDE}
    if "settings" in plain or len(str(plain)) > MOST:
        plain = {name: value for name, value in plain.items() if isinstance(value, (int, str))}
    return ", ".join(name if value is True else f"{name} {value}" for name, value in plain.items())


def _pairing(seats: Seats) -> str:
    players = " and ".join(f"player {number}" for number in seats.players)
    return f"table {seats.table}: {players}" if seats.table else f"bye: {players}"


def _result(act: ResultEntered, event: Event) -> str:
    try:
        pairing = event.round(act.round).at(act.table)
    except NotNow:  # the round was taken back since
        return act.result.outcome
    return in_words(act.result, pairing, lambda player: f"player {player}")
