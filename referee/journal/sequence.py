"""A journal as one sequence: all its entries in the order in which they were written, whichever game they are of.

A *run* is what was written of one game before the journal went on with another: it begins at a link (chain.py) and
ends before the next. Whoever copies a journal elsewhere copies it run by run, and has to remember one entry.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from referee.errors import JournalDamaged
from referee.journal.tables import Tables
from referee.session import Entry

_END = """\
SELECT game, seq, hash FROM entries WHERE game = (SELECT game FROM links ORDER BY link DESC LIMIT 1)
ORDER BY seq DESC LIMIT 1"""
_ORDER = """\
SELECT (SELECT max(link) FROM links WHERE game = e.game AND seq <= e.seq) FROM entries AS e
WHERE game = ? AND seq = ? AND hash = ?"""
# Each is one statement, so that it sees one moment of a journal that another thread or program writes.
_LAST = """\
(SELECT max(seq) FROM entries WHERE game = run.game),
(SELECT min(seq) - 1 FROM links WHERE game = run.game AND seq > run.seq)"""
_REST = f"SELECT game, seq + 1, {_LAST} FROM entries AS run WHERE game = ? AND seq = ?"  # noqa: S608 - our own words
_NEXT = f"""\
SELECT game, seq, {_LAST}, follows FROM links AS run
WHERE link = 1 + coalesce((SELECT max(link) FROM links WHERE game = ? AND seq <= ?), 0)"""  # noqa: S608
LIST: Final = "INSERT INTO games (game, book, edition, ruling, began) VALUES (?, ?, ?, ?, ?)"


class Place(NamedTuple):
    """An entry of a journal."""

    game: int
    seq: int
    hash: str


class Run(NamedTuple):
    """Entries of one game that were written one after another, from ``first`` to ``last``, both of them too."""

    game: int
    first: int
    last: int


def end(db: Tables) -> Place | None:
    """Return the entry written last, None in a journal without links."""
    row = db.execute(_END).fetchone()
    return None if row is None else Place(*row)


def order(db: Tables, place: Place) -> int | None:
    """Return the number of the link that begins the run an entry is in, None where there is no such entry."""
    row = db.execute(_ORDER, tuple(place)).fetchone()
    return None if row is None else row[0]


def place(db: Tables, game: int, digest: str) -> Place | None:
    """Return the entry of a game with that hash, None if there is none."""
    row = db.execute("SELECT game, seq, hash FROM entries WHERE game = ? AND hash = ?", (game, digest)).fetchone()
    return None if row is None else Place(*row)


def following(db: Tables, game: int, seq: int) -> Run | None:
    """Return the run that follows an entry, or what is left of its own; None after the last entry."""
    row = db.execute(_REST, (game, seq)).fetchone()
    run = None if row is None else _run(*row)
    if run is not None and run.first <= run.last:
        return run
    row = db.execute(_NEXT, (game, seq)).fetchone()
    return None if row is None or not _follows(json.loads(row[-1]), game, seq) else _run(*row[:-1])


def _run(game: int, first: int, end: int, before: int | None) -> Run:
    """Return a run. ``end``: of the game; ``before``: the entry before the next link in the game, if there is one."""
    return Run(game, first, end if before is None else min(end, before))


def _follows(link: Mapping[str, Any], game: int, seq: int) -> bool:
    return seq < 0 or (link.get("game"), link.get("seq")) == (game, seq)


def list_game(db: Tables, game: int, start: Entry) -> None:
    """List a game under the number it had. Raises JournalDamaged where that number is taken."""
    began = start.answer if isinstance(start.answer, dict) else {}
    book = began.get("book")
    if not isinstance(book, str):
        raise JournalDamaged(f"game {game}: cannot be listed: expected the name of its book")
    if db.execute("SELECT game FROM games WHERE game = ?", (game,)).fetchall():
        raise JournalDamaged(f"game {game}: cannot be listed: another has its number")
    db.execute(LIST, (game, book, start.edition, began.get("ruling"), start.wall))
