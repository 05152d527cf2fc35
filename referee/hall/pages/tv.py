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
from referee.hall.pages.tables import in_ranges, round_ends, seats_by_name, table_of, whole_event
from referee.tournament import Pairing, Round, Stage, adjudicated_at

LINES: Final = 8
COLUMNS: Final = 2
LETTERS: Final = 14
"""Letters of a name in a line of a column; a longer one takes as many lines as it needs. `files/tv.css` has room."""
SECONDS: Final = 8
MAX_SECONDS: Final = 60
"""How long a page stays, if nobody says otherwise, and at most."""
BESIDE: Final = 5
"""Letters of a value that stands beside a name; a longer one is the heading of those who share it."""
ACROSS: Final = 20
"""Letters of a heading in a line of a column."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One page of the television.

    ``kind``     title, pairings, clock, standings, table, or none: there is no such table
    ``columns``  what it lists: player and table; place, player and value, or for a heading 0
                 (1 if the column before has it, too), 0 and the value
    ``adjudicate``, ``open``  of the clock: when games are adjudicated, 0: not; and the tables that play, in words
    ``pairing``, ``game``  of a table: who plays there, and how its game stands, as the board has it
    """

    kind: str
    title: str
    columns: tuple[tuple[Any, ...], ...] = ()
    ends: int = 0
    paused: int = 0
    adjudicate: int = 0
    open: str = ""
    pairing: Pairing | None = None
    game: Mapping[str, Any] = field(default_factory=dict)


def screens(desk: Desk, round_: Round | None, stage: Stage | None) -> list[Screen]:
    """Return all pages in their order. ``round_``: the last that is public; ``stage``: whose standings are shown."""
    event = desk.event
    pages: list[Screen] = []
    if round_ is not None and round_.state in ("published", "started"):
        places = [(place.player, place.where) for place in seats_by_name(event, round_, desk.names)]
        pages += _paged(
            "pairings", f"Round {round_.number}: your table", places, lambda row: desk.names.player(row[0])
        )
        ends = round_ends(event, round_)
        tables = [each.table for each in round_.pairings if each.open]
        at = adjudicated_at(event, round_.number) if tables else 0
        if ends or at:
            still = f"table{'s' if len(tables) > 1 else ''} {in_ranges(tables)}"
            pages.append(Screen("clock", f"Round {round_.number}", (), ends, round_.paused, at, still))
    if stage is not None and event.rounds_of(stage):
        table = table_of(desk, stage)
        rows = [(row.place, row.player, values[0]) for row, values in table["rows"] if row.place]
        title = "Standings" if "elimination" in stage.format else f"Standings: {table['criteria'][0]}"
        heads = any(len(value) > BESIDE for _, _, value in rows)
        pages += _paged("standings", title, rows, lambda row: desk.names.player(row[1]), heads=heads)
        everybody = [(row.place, row.player, "") for row in whole_event(desk, stage) if row.place]
        pages += _paged("standings", "The whole event", everybody, lambda row: desk.names.player(row[1]))
    return pages or [Screen("title", desk.names.event)]


def featured(round_: Round | None, game: Callable[[int], Mapping[str, Any]], wanted: int = 0) -> list[Screen]:
    """Return the page of one table with its last ruling, nothing where there is none.

    ``game``: how the game at a table stands; ``wanted``: the table, 0: the first that has a ruling.
    """
    if round_ is None or round_.state != "started":
        return []
    for pairing in sorted(round_.pairings, key=lambda each: each.table):
        if pairing.table and wanted in (0, pairing.table):
            state = game(pairing.table)
            if state.get("ruling"):
                return [Screen("table", f"Table {pairing.table}", pairing=pairing, game=state)]
    return []


def absent(round_: Round | None, wanted: int) -> list[Screen]:
    """Return a page that says so where a round has no table of this number, else nothing."""
    if round_ is None or not wanted or any(pairing.table == wanted for pairing in round_.pairings):
        return []
    return [Screen("none", f"Round {round_.number}, table {wanted}")]


def _paged(
    kind: str, title: str, rows: list[Any], name: Callable[[Any], str], *, heads: bool = False
) -> list[Screen]:
    """Return the pages of a list. ``heads``: the last member of a row heads those who share it, in each column."""
    columns: list[list[Any]] = []
    left, last = 0, ""
    for row in rows:
        head = row[-1] if heads else ""
        lines, of_head = lines_of(name(row)), lines_of(head, ACROSS) if heads else 0
        again = head == last
        full = lines + (0 if again else of_head) > left
        if full:
            columns.append([])
            left = LINES
        if heads and (full or not again):
            columns[-1].append((int(again), 0, head))
            left -= of_head
        last = head
        columns[-1].append((*row[:-1], "") if heads else row)
        left -= lines
    filled = [tuple(each) for each in columns]
    return [Screen(kind, title, tuple(filled[at : at + COLUMNS])) for at in range(0, len(filled), COLUMNS)]


def lines_of(name: str, letters: int = LETTERS) -> int:
    """Return how many lines of so many letters a name takes. A wide letter takes the place of two.

    >>> lines_of("Frodo"), lines_of("Maximilian Brandybuck"), lines_of("東京都千代田区")
    (1, 2, 1)
    """
    taken = "".join(each * (1 + (unicodedata.east_asian_width(each) in "WF")) for each in name)
    return min(max(1, len(textwrap.wrap(taken, letters))), LINES)
