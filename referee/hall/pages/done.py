"""What was done, in words: the record as an organiser compares it with slips and with printed pairings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from referee.errors import NotNow
from referee.files.receipt import receipt
from referee.hall.countersignature import text_of
from referee.hall.results import in_words
from referee.tournament import Event, Seats
from referee.tournament.acts import (
    Act,
    BoxPlaced,
    BranchChosen,
    BranchTakenBack,
    Countersigned,
    ExtensionGiven,
    PairingChanged,
    ResultEntered,
    RoundPaired,
    SettingsChosen,
    StageOpened,
)
from referee.tournament.clock import MINUTE
from referee.tournament.plain import to_json
from referee.tournament.settings import Settings
from referee.tournament.words import listed

ASIDE: Final = ("act", "who", "at", "why", "note", "seed")
"""Members that stand in columns of their own, or tell people nothing."""
MOST: Final = 16
"""Players that are listed; of more it is said how many."""
SHOWN_KEY: Final = 8
"""Digits of a box's key that name it."""
SHOWN_HASH: Final = 16
"""Digits of an entry's hash that name it."""


def members(act: Act, event: Event, club: Callable[[int], str]) -> str:
    """Return what an act says besides who, when and why; players by number. ``club``: what a club is called."""
    if isinstance(act, Countersigned):
        signed = act.countersignature
        return f"round {signed.round}, table {signed.table}, receipt {receipt(text_of(to_json(signed)))}"
    if isinstance(act, (RoundPaired, PairingChanged)):
        return "; ".join(map(_pairing, act.pairings))
    if isinstance(act, BoxPlaced):
        return f"table {act.table}, " + (f"box {act.box[:SHOWN_KEY]}" if act.box else "no box")
    if isinstance(act, (BranchChosen, BranchTakenBack)):
        fork = f"box {act.box[:SHOWN_KEY]}, after entry {act.after[:SHOWN_HASH]}"
        return f"{fork}: the branch of entry {act.first[:SHOWN_HASH]}" if isinstance(act, BranchChosen) else fork
    if isinstance(act, ResultEntered):
        return f"round {act.round}, table {act.table}, {_result(act, event)}, by {act.by}"
    words = [_word(name, value, act, event, club) for name, value in _said(act).items()]
    return ", ".join(filter(None, words))


def _said(act: Act) -> dict[str, Any]:
    """Return the members of an act that tell people something."""
    plain = {name: value for name, value in act.as_json().items() if value and name not in ASIDE}
    if isinstance(act, StageOpened) and act.format != "pods":
        plain.pop("pod", None)
    if isinstance(act, ExtensionGiven) and not act.table:
        plain["table"] = "every table"
    return plain


def _word(name: str, value: Any, act: Act, event: Event, club: Callable[[int], str]) -> str:
    """Return a member of an act in words."""
    if name == "settings" and isinstance(act, SettingsChosen):
        return _settings(act.settings)
    if name == "players":
        return listed(f"player {each}" for each in value) if len(value) <= MOST else f"{len(value)} players"
    if name == "call":
        return next((f"table {each.table}" for each in event.calls if each.number == value), f"call {value}")
    if name == "club":
        return f"club {club(value)}"
    if name == "ms":
        return f"{value / MINUTE:g} min"
    if name == "pod":
        return f"pods of {value}"
    if name == "bids":
        return "bids " + listed(map(str, value))
    name = name.replace("_", " ")
    return name if value is True else value if value == "every table" else f"{name} {value}"


def _settings(settings: Settings) -> str:
    parts = [f"rounds of {settings.minutes} min" if settings.minutes else "no round clock"]
    parts += [f"sides {listed(settings.sides)}"] if settings.sides else []
    parts += [f"kinds of win {listed(settings.wins)}"] if settings.wins else []
    parts += [f"seat clocks: {settings.clock.words}"] if settings.clock is not None else []
    return "; ".join([*parts, f"ordered by {', '.join(settings.tiebreakers)}"])


def _pairing(seats: Seats) -> str:
    players = listed(f"player {number}" for number in seats.players)
    return f"table {seats.table}: {players}" if seats.table else f"bye: {players}"


def _result(act: ResultEntered, event: Event) -> str:
    try:
        pairing = event.round(act.round).at(act.table)
    except NotNow:  # the round was taken back since
        return act.result.outcome
    return in_words(act.result, pairing, lambda player: f"player {player}")
