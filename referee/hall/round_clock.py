"""How the clock of the round stands at each table, as its box is told."""

from __future__ import annotations

from typing import Final

from referee.hall.desk import Desk
from referee.hall.seatings import published
from referee.hall.uplink.messages import Clock
from referee.tournament import ends_at
from referee.tournament.acts import (
    BoxPlaced,
    ExtensionGiven,
    PairingChanged,
    RoundPaused,
    RoundPublished,
    RoundResumed,
    RoundStarted,
)

SETS: Final = (
    BoxPlaced, ExtensionGiven, PairingChanged, RoundPaused, RoundPublished, RoundResumed, RoundStarted,
)  # fmt: skip
"""Acts after which a clock may stand otherwise than time alone would have it."""


def round_clock(desk: Desk, key: str) -> Clock | None:
    """Return how the clock stands now for the box with that key, None where none runs."""
    event = desk.event
    round_ = published(event)
    table = next((table for table, box in event.boxes.items() if box == key), 0)
    if round_ is None or round_.state != "started" or all(each.table != table for each in round_.pairings):
        return None
    ends = ends_at(event, round_.number, table) if table else 0
    if not ends:
        return None
    number = desk.once("clock set", lambda: max(at for at, act in enumerate(desk.acts, 1) if isinstance(act, SETS)))
    left = ends - (round_.paused or desk.now())
    return Clock(number, round_.number, left, runs=not round_.paused, then=event.settings.at_time)
