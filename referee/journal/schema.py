"""The tables of a journal file, and the triggers that protect them."""

from __future__ import annotations

import sqlite3

from referee.errors import JournalDamaged

VERSION = 1
"""Version of the schema; a journal of another one is not opened."""

APPLICATION = 0x52454652

_STATEMENTS = (
    """\
CREATE TABLE games (
    game INTEGER PRIMARY KEY, book TEXT NOT NULL, edition TEXT NOT NULL, ruling TEXT, began REAL NOT NULL
) STRICT""",
    """\
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, kind TEXT NOT NULL, edition TEXT NOT NULL,
    ask TEXT NOT NULL, rule TEXT NOT NULL, seat TEXT NOT NULL, by TEXT NOT NULL, answer TEXT NOT NULL,
    mode TEXT NOT NULL, "group" INTEGER, source TEXT NOT NULL, at REAL NOT NULL, wall REAL NOT NULL,
    result TEXT NOT NULL, extra TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID""",
    "CREATE TRIGGER games_keep BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    "CREATE TRIGGER games_stay BEFORE DELETE ON games BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    """\
CREATE TRIGGER games_once BEFORE INSERT ON games WHEN EXISTS (SELECT 1 FROM games WHERE game = NEW.game)
BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    """\
CREATE TRIGGER entries_keep BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    """\
CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    """\
CREATE TRIGGER entries_once BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE game = NEW.game AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
)


def empty(db: sqlite3.Connection) -> bool:
    """Whether nothing has been made in the file yet."""
    return not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def make(db: sqlite3.Connection) -> None:
    """Make the tables of an empty file, all or none."""
    marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}"
    db.executescript(f"BEGIN IMMEDIATE; {'; '.join(_STATEMENTS)}; {marks}; COMMIT")


def check(db: sqlite3.Connection) -> None:
    """Raise JournalDamaged unless the file has exactly the tables and triggers of a journal."""
    present = {str(row[0]) for row in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    triggers = {text for text in _STATEMENTS if text.startswith("CREATE TRIGGER")}
    there = len(triggers & present)
    if there != len(triggers):
        raise JournalDamaged(f"{there} of the {len(triggers)} triggers that refuse changes are in place")
    if present != set(_STATEMENTS):
        raise JournalDamaged("the tables are not those of a journal")
