"""Pages for a television: few lines, so large that they can be read at 10 m, one after the other by themselves.

The size stands in `files/tv.css`: on a television of 65 inches, a capital letter is seen under 16 minutes of arc (ISO
9241-303) from there. Each page names the next one. A script turns to it once the hall answers, so that no television
is left with the browser's own error; without scripts a refresh does. ``hold=1`` keeps a page, ``seconds=15`` lets
each stay longer.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from referee.hall.desk import Desk
from referee.hall.pages.tables import round_ends, round_title, seats_by_name, table_of, whole_event
from referee.tournament import Pairing, Round, Stage

LINES: Final = 8
COLUMNS: Final = 2
LETTERS: Final = 14
"""Letters of a name in a line of a column; a longer one takes as many lines as it needs. `files/tv.css` has room."""
SECONDS: Final = 8
MAX_SECONDS: Final = 60
"""How long a page stays, if nobody says otherwise, and at most."""
BESIDE: Final = 5
"""Letters of a value that is shown beside a name."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One page of the television.

    ``kind``     title, pairings, clock, standings, table, or none: there is no such table
    ``columns``  what it lists: place or table, player, and a value or ""
    ``pairing``, ``game``  of a table: who plays there, and how its game stands, as the board has it
    """

    kind: str
    title: str
    columns: tuple[tuple[tuple[str, int, str], ...], ...] = ()
    ends: int = 0
    paused: int = 0
    pairing: Pairing | None = None
    game: Mapping[str, Any] = field(default_factory=dict)


def screens(desk: Desk, round_: Round | None, stage: Stage | None) -> list[Screen]:
    """Return all pages in their order. ``round_``: the last that is public; ``stage``: whose standings are shown."""
    event, name = desk.event, desk.names.player
    pages: list[Screen] = []
    if round_ is not None and round_.state in ("published", "started"):
        title = round_title(event, round_)
        places = [(each.where, each.player, "") for each in seats_by_name(event, round_, desk.names)]
        pages += _paged("pairings", f"{title}: your table", places, name)
        ends = round_ends(event, round_)
        if ends:
            pages.append(Screen("clock", title, (), ends, round_.paused))
    if stage is not None and event.rounds_of(stage):
        table = table_of(desk, stage)
        values = all(len(shown[0]) <= BESIDE for _, shown in table["rows"])
        rows = [(str(row.place), row.player, shown[0] if values else "") for row, shown in table["rows"] if row.place]
        final = [(str(row.place), row.player, "") for row in whole_event(desk, stage) if row.place]
        pages += _paged("standings", f"Standings: {table['criteria'][0]}" if values else "Standings", rows, name)
        pages += _paged("standings", "The whole event", final, name)
    return pages or [Screen("title", desk.names.event)]


def featured(round_: Round | None, game: Callable[[int], Mapping[str, Any]], wanted: int = 0) -> list[Screen]:
    """Return the page of one table with its last ruling, nothing where there is none.

    ``game``: how the game at a table stands; ``wanted``: the table, 0: the first that has a ruling.
    """
    if round_ is None:
        return []
    tables = {each.table: each for each in round_.pairings if each.table and wanted in (0, each.table)}
    for number, pairing in sorted(tables.items()) if round_.state == "started" else ():
        state = game(number)
        if state.get("ruling"):
            return [Screen("table", f"Table {number}", pairing=pairing, game=state)]
    return [Screen("none", f"Round {round_.number}, table {wanted}")] if wanted and not tables else []


def _paged(kind: str, title: str, rows: list[tuple[str, int, str]], name: Callable[[int], str]) -> list[Screen]:
    columns: list[list[tuple[str, int, str]]] = []
    left = 0
    for row in rows:
        lines = lines_of(name(row[1]))
        if lines > left:
            columns.append([])
            left = LINES
        columns[-1].append(row)
        left -= lines
    filled = [tuple(each) for each in columns]
    return [Screen(kind, title, tuple(filled[at : at + COLUMNS])) for at in range(0, len(filled), COLUMNS)]


def lines_of(name: str) -> int:
    """Return how many lines a name takes. A wide letter takes the place of two.

    >>> lines_of("Frodo"), lines_of("Maximilian Brandybuck"), lines_of("東京都千代田区")
    (1, 2, 1)
    """
    taken = "".join(each * (1 + (unicodedata.east_asian_width(each) in "WF")) for each in name)
    return min(max(1, len(textwrap.wrap(taken, LETTERS))), LINES)
