"""What the time of a round asks of whoever runs the event: who is missing at a table, and what is adjudicated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.hall.boxes import Shown
from referee.hall.pages.render import Look
from referee.tournament import Round, adjudicated_at, come_until, ends_at, overdue, reached, to_adjudicate


@dataclass(frozen=True, slots=True)
class Due:
    """All of it is empty or 0 where nothing is due.

    ``waits``       until when who is missing may come, ms since 1970 UTC, with the tables; none: at every open table
    ``absent``      tables that have not begun, and at which nobody is waited for any more
    ``unknown``     those of which nobody knows it: "paper", until time is called, or "not connected"
    ``adjudicate``  when games are adjudicated; 0 before time is called
    ``tables``      whose games are to be adjudicated now
    ``paused``      since when the clock of the round stands still, 0: it runs
    ``changes``     when something of this changes by itself
    """

    waits: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    absent: tuple[int, ...] = ()
    unknown: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    adjudicate: int = 0
    tables: tuple[int, ...] = ()
    paused: int = 0
    changes: int = 0


def seen(look: Look, table: int) -> Shown | None:
    """Return what the box at a table shows of its match, None without a box."""
    box = look.desk.event.boxes.get(table, "")
    if not box:
        return None
    return look.served.boxes.seen(box) if look.served.boxes is not None else Shown()


def due_of(look: Look, round_: Round | None) -> dict[str, Any]:
    """Return what is due in a round, and the time, for its page."""
    return {"times": due(look, round_), "now": look.desk.now()}


def due(look: Look, round_: Round | None) -> Due:
    """Return what is due in a round now."""
    if round_ is None or round_.state != "started":
        return Due()
    event, number, now = look.desk.event, round_.number, look.desk.now()
    moment = reached(round_, now)
    played = [each.table for each in round_.pairings if each.open]
    ends = min((ends_at(event, number, each.table) for each in round_.pairings if each.table), default=0)
    states = {table: _begun(seen(look, table), now) for table in played}
    waits: dict[int, tuple[int, ...]] = {}
    for table in played:
        until = come_until(event, number, table)
        if states[table] != "begun" and until > moment:
            waits[until] = (*waits.get(until, ()), table)
    late, unknown = overdue(event, number, now), dict[str, tuple[int, ...]]()
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


def _begun(shown: Shown | None, now: int) -> str:
    """Return whether a table plays its match, as its box has said: "begun", "not begun"; else why nobody knows."""
    if shown is None:
        return "paper"
    if shown.game:
        return "begun"
    return "not connected" if shown.state(now) == "not connected" else "not begun"
