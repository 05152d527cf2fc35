"""What the browsers see of the clocks: told when something changes, not each second.

A message has ``at``: when it was so. What is sent says instead for how long it has been so; see `counted_on`.
"""

from __future__ import annotations

from referee.clock import COMMON
from referee.clock.round import RoundClock
from referee.console.table import Table
from referee.rulebook import whole
from referee.web.hub import Message


class ClockNews:
    """The clocks of a table as messages; between two of them a browser counts by itself."""

    def __init__(self) -> None:
        self._latest: object = None

    def announce(self) -> None:
        """Tell everything next time."""
        self._latest = None

    def message(self, table: Table) -> Message | None:
        """Return what is new; None if nothing is. A table that never had clocks has no news of them."""
        keeper = table.clocks.keeper
        clocks = keeper.clocks
        if clocks is None:
            had, self._latest = self._latest, None
            return None if had is None else {"type": "clock", "seats": []}
        news = (id(keeper), keeper.number, keeper.waiting, clocks.runs, clocks.paused, len(clocks.falls))
        if news == self._latest:
            return None
        self._latest = news
        return clock_message(table)


class RoundClockNews:
    """The clock of the round as messages, where this box is one of an event."""

    def __init__(self) -> None:
        self._latest: object = None

    def announce(self) -> None:
        """Tell everything next time."""
        self._latest = None

    def message(self, clock: RoundClock) -> Message | None:
        """Return what is new; None if nothing is. A table that never had such a clock has no news of it."""
        news = clock.news
        if news is None:
            had, self._latest = self._latest, None
            return None if had is None else {"type": "round", "round": 0, "ms": 0, "runs": False, "about": False}
        if news == self._latest:
            return None
        self._latest = news
        message = {"type": "round", "round": news.round, "ms": clock.left, "runs": news.runs, "about": news.about}
        return {**message, "at": clock.at}


def counted_on(message: Message, now: int) -> Message:
    """Return a message as it is sent ``now``, ms: in place of when it was so, for how long it has been so."""
    if "at" not in message:
        return message
    return {name: value for name, value in message.items() if name != "at"} | {"ago": max(0, now - message["at"])}


def clock_message(table: Table) -> Message:
    """Return how the clocks stand; see `referee.web.hub`."""
    seat_clocks = table.clocks
    clocks = seat_clocks.keeper.current
    first = clocks.first_fall
    return {
        "type": "clock",
        "at": clocks.at,
        "control": clocks.control.words,
        "up": seat_clocks.counts_up,
        "shared": len(clocks.seats) if clocks.runs == COMMON else 1,
        "paused": bool(clocks.paused),
        "first": "" if first is None else whole(table.seat_name(first.seat)),
        "seats": [
            {
                "key": table.seat_keys.get(time.seat, ""),
                "name": whole(time.name),
                "ms": time.ms,
                "free": clocks.seats[time.seat].free if time.runs else 0,
                "runs": time.runs,
                "down": time.fallen,
            }
            for time in seat_clocks.times()
        ],
    }
