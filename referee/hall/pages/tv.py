"""Pages for a television: few lines, so large that they can be read at 10 m, one after the other by themselves.

The size stands in `files/tv.css`: on a television of 65 inches, a capital letter is seen under 16 minutes of arc (ISO
9241-303) from there. Each page names the next one. A script turns to it once the hall answers, so that no television
is left with the browser's own error; without scripts a refresh does. ``hold=1`` keeps a page, ``seconds=15`` lets
each stay longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from referee.hall.desk import Desk
from referee.hall.pages.tables import round_ends, seats_by_name, table_of
from referee.tournament import Round, Stage

LINES: Final = 8
COLUMNS: Final = 2
SECONDS: Final = 8
MAX_SECONDS: Final = 60
"""How long a page stays, if nobody says otherwise, and at most."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One page of the television. ``kind``: title, pairings, clock or standings; ``rows``: what it lists."""

    kind: str
    title: str
    rows: tuple[Any, ...] = ()
    ends: int = 0
    paused: int = 0


def screens(desk: Desk, round_: Round | None, stage: Stage | None) -> list[Screen]:
    """Return all pages in their order. ``round_``: the last that is public; ``stage``: whose standings are shown."""
    event = desk.event
    pages: list[Screen] = []
    if round_ is not None and round_.state in ("published", "started"):
        places = [(place.player, place.table or "bye") for place in seats_by_name(round_, desk.names)]
        pages += _paged("pairings", f"Round {round_.number}: your table", places)
        ends = round_ends(event, round_)
        if ends:
            pages.append(Screen("clock", f"Round {round_.number}", ends=ends, paused=round_.paused))
    if stage is not None and event.rounds_of(stage):
        table = table_of(desk, stage)
        rows = [(row.place, row.player, values[0]) for row, values in table["rows"]]
        pages += _paged("standings", f"Standings: {table['criteria'][0]}", rows)
    return pages or [Screen("title", desk.names.event)]


def _paged(kind: str, title: str, rows: list[Any]) -> list[Screen]:
    size = LINES * COLUMNS
    parts = [rows[at : at + size] for at in range(0, len(rows), size)]
    return [Screen(kind, title, tuple(part)) for part in parts]
