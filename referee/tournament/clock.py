"""When a round is over, until when who is missing may come, and when games are adjudicated."""

from __future__ import annotations

from referee.tournament.event import Event, Round

MINUTE = 60_000
"""Milliseconds."""


def ends_at(event: Event, number: int, table: int) -> int:
    """Return when time is called at a table, ms since 1970 UTC; 0 where no clock runs. Raises NotNow for no table.

    While the round is paused it is when it would be if the clock had gone on at `Round.paused`.
    """
    round_ = event.round(number)
    return _after(round_, event.settings.minutes, round_.at(table).extension)


def come_until(event: Event, number: int, table: int) -> int:
    """Return until when who is missing at a table may come, as `ends_at` does; 0 where nobody is waited for.

    Time that a table was given counts, too: it gets some before it begins where something kept it from beginning.
    """
    round_ = event.round(number)
    extension = round_.at(table).extension
    return _after(round_, event.settings.no_show, extension) if round_.state == "started" else 0


def adjudicated_at(event: Event, number: int) -> int:
    """Return when games that are still played are adjudicated, as `ends_at` does; 0 where none is.

    Only time for all moves it: the hall closes at the same time for a table that had more time than others.
    """
    round_ = event.round(number)
    return _after(round_, event.settings.adjudicate, round_.extension) if round_.state == "started" else 0


def _after(round_: Round, minutes: int, extension: int) -> int:
    return round_.started + minutes * MINUTE + extension if round_.started and minutes else 0


def reached(round_: Round, now: int) -> int:
    """Return how far the time of a round has come: now, or when its clock was paused."""
    return round_.paused or now


def overdue(event: Event, number: int, now: int) -> tuple[int, ...]:
    """Return the tables without a result at which nobody is waited for any more."""
    moment = reached(event.round(number), now)
    return tuple(table for table in _open(event, number) if 0 < come_until(event, number, table) <= moment)


def to_adjudicate(event: Event, number: int, now: int) -> tuple[int, ...]:
    """Return the tables whose games are to be adjudicated now."""
    due = 0 < adjudicated_at(event, number) <= reached(event.round(number), now)
    return _open(event, number) if due else ()


def _open(event: Event, number: int) -> tuple[int, ...]:
    return tuple(pairing.table for pairing in event.round(number).pairings if pairing.open)
