"""A journal as one sequence: all its entries in the order in which they were written, whichever game they are of.

A *run* is what was written of one game before the journal went on with another: it begins at a link (chain.py) and
ends before the next. Whoever copies a journal elsewhere copies it run by run, and has to remember one entry.
"""

from __future__ import annotations

import sqlite3
from typing import Final, NamedTuple

from referee.errors import JournalDamaged
from referee.journal.database import Database
from referee.session import Entry

MOST: Final = 2**53
"""More than any entry's number."""

_END = """\
SELECT game, seq, hash FROM entries WHERE game = (SELECT game FROM links ORDER BY link DESC LIMIT 1)
ORDER BY seq DESC LIMIT 1"""
_ORDER = """\
SELECT (SELECT max(link) FROM links WHERE game = e.game AND seq <= e.seq) FROM entries AS e
WHERE game = ? AND seq = ? AND hash = ?"""
# Each is one statement, so that it sees one moment of a journal that another thread or program writes.
_REST = """\
SELECT :game, :seq + 1, min(
  (SELECT max(seq) FROM entries WHERE game = :game),
  coalesce((SELECT min(seq) - 1 FROM links WHERE game = :game AND seq > :seq), :most)) AS last
WHERE last > :seq"""
_NEXT = """\
SELECT run.game, run.seq, min(
  (SELECT max(seq) FROM entries WHERE game = run.game),
  coalesce((SELECT min(seq) - 1 FROM links WHERE game = run.game AND seq > run.seq), :most))
FROM links AS run WHERE link = 1 + coalesce((SELECT max(link) FROM links WHERE game = :game AND seq <= :seq), 0)
AND (:seq < 0 OR json_extract(follows, '$.game') = :game AND json_extract(follows, '$.seq') = :seq)"""


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


def end(db: Database) -> Place | None:
    """Return the entry written last, None in a journal without links."""
    row = db.execute(_END).fetchone()
    return None if row is None else Place(*row)


def order(db: Database, place: Place) -> int | None:
    """Return the number of the link that begins the run an entry is in, None where there is no such entry."""
    row = db.execute(_ORDER, tuple(place)).fetchone()
    return None if row is None else row[0]


def place(db: Database, game: int, digest: str) -> Place | None:
    """Return the entry of a game with that hash, None if there is none."""
    row = db.execute("SELECT game, seq, hash FROM entries WHERE game = ? AND hash = ?", (game, digest)).fetchone()
    return None if row is None else Place(*row)


def following(db: Database, game: int, seq: int) -> Run | None:
    """Return the run that follows an entry, or what is left of its own; None after the last entry."""
    values = {"game": game, "seq": seq, "most": MOST}
    row = db.connection.execute(_REST, values).fetchone() or db.connection.execute(_NEXT, values).fetchone()
    return None if row is None else Run(*row)


def list_game(db: Database, game: int, start: Entry) -> None:
    """List a game under the number it had. Raises JournalDamaged where that number is taken."""
    began = start.answer if isinstance(start.answer, dict) else {}
    row = (game, began.get("book"), start.edition, began.get("ruling"), start.wall)
    try:
        db.execute("INSERT INTO games (game, book, edition, ruling, began) VALUES (?, ?, ?, ?, ?)", row)
    except sqlite3.IntegrityError as fault:
        raise JournalDamaged(f"game {game}: cannot be listed: {fault}") from None
