"""What the time of a round asks of whoever runs the event: who is missing at a table, and what is adjudicated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from referee.tournament import Event, Round, adjudicated_at, come_until, ends_at, overdue, reached, to_adjudicate

Begun: TypeAlias = Literal["begun", "not begun", "not connected", "paper"]
"""Whether a table plays its match, as its box has said; else why nobody knows."""


@dataclass(frozen=True, slots=True)
class Due:
    """All of it is empty or 0 where nothing is due.

    ``waits``       until when who is missing may come, ms since 1970 UTC, with the tables; none: at every open table
    ``absent``      tables that have not begun, and at which nobody is waited for any more
    ``unknown``     those of which nobody knows it: on paper, until time is called, or without a connection to the box
    ``adjudicate``  when games are adjudicated; 0 before time is called
    ``tables``      whose games are to be adjudicated now
    ``paused``      since when the clock of the round stands still, 0: it runs
    ``changes``     when something of this changes by itself
    """

    waits: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    absent: tuple[int, ...] = ()
    unknown: Mapping[Begun, tuple[int, ...]] = field(default_factory=dict)
    adjudicate: int = 0
    tables: tuple[int, ...] = ()
    paused: int = 0
    changes: int = 0


NOTHING = Due()


def due(event: Event, round_: Round | None, now: int, begun: Callable[[int], Begun]) -> Due:
    """Return what is due in a round at a time. ``begun``: whether the table of a number plays."""
    if round_ is None or round_.state != "started":
        return NOTHING
    number, moment = round_.number, reached(round_, now)
    played = [each.table for each in round_.pairings if each.open]
    ends = min((ends_at(event, number, each.table) for each in round_.pairings if each.table), default=0)
    late = overdue(event, number, now)
    states = {table: begun(table) for table in played}
    missing = [table for table in played if states[table] != "begun"]
    waits: dict[int, tuple[int, ...]] = {}
    for table in missing:
        until = come_until(event, number, table)
        if until > moment:
            waits[until] = (*waits.get(until, ()), table)
    unknown: dict[Begun, tuple[int, ...]] = {}
    for table in late:
        if states[table] == "not connected" or (states[table] == "paper" and not 0 < ends <= moment):
            unknown[states[table]] = (*unknown.get(states[table], ()), table)
    adjudicate = adjudicated_at(event, number)
    moments = sorted(each for each in (*waits, *((ends, adjudicate) if adjudicate else ())) if each > moment)
    return Due(
        {until: () if list(tables) == played else tables for until, tables in sorted(waits.items())},
        tuple(table for table in late if states[table] == "not begun"),
        unknown,
        adjudicate if played and ends <= moment else 0,
        to_adjudicate(event, number, now),
        round_.paused,
        moments[0] if moments and not round_.paused else 0,
    )
