"""When a round is over."""

from __future__ import annotations

from referee.tournament.event import Event

MINUTE = 60_000
"""Milliseconds."""


def ends_at(event: Event, number: int, table: int) -> int:
    """Return when time is called at a table, ms since 1970 UTC; 0 where no clock runs. Raises NotNow for no table.

    While the round is paused it is when it would be if the clock had gone on at `Round.paused`.
    """
    round_ = event.round(number)
    extension = round_.at(table).extension
    if not round_.started or not event.settings.minutes:
        return 0
    return round_.started + event.settings.minutes * MINUTE + extension
