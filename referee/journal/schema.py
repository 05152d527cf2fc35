"""The tables of a journal file, and the triggers that keep what is in them."""

from __future__ import annotations

import re
import sqlite3

from referee.errors import JournalDamaged

VERSION = 3
"""Version of the schema; 1 had no seals, 2 no links and extras. A journal of a later version is not opened."""

APPLICATION = 0x52454652

_FIRST = (
    """\
CREATE TABLE games (
    game INTEGER PRIMARY KEY, book TEXT NOT NULL, edition TEXT NOT NULL, ruling TEXT, began REAL NOT NULL
) STRICT""",
    """\
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, kind TEXT NOT NULL, edition TEXT NOT NULL,
    ask TEXT NOT NULL, rule TEXT NOT NULL, seat TEXT NOT NULL, by TEXT NOT NULL, answer TEXT NOT NULL,
    mode TEXT NOT NULL, "group" INTEGER, source TEXT NOT NULL, at REAL NOT NULL, wall REAL NOT NULL,
    result TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (game, seq)
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

_SEALS = (
    """\
CREATE TABLE seals (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, key TEXT NOT NULL, signature TEXT NOT NULL,
    PRIMARY KEY (game, seq), FOREIGN KEY (game, seq) REFERENCES entries
) STRICT, WITHOUT ROWID""",
    "CREATE TRIGGER seals_keep BEFORE UPDATE ON seals BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    "CREATE TRIGGER seals_stay BEFORE DELETE ON seals BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    """\
CREATE TRIGGER seals_once BEFORE INSERT ON seals
WHEN EXISTS (SELECT 1 FROM seals WHERE game = NEW.game AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
)

_LINKS = (
    """\
CREATE TABLE links (
    link INTEGER PRIMARY KEY, game INTEGER NOT NULL, seq INTEGER NOT NULL, follows TEXT NOT NULL,
    UNIQUE (game, seq), FOREIGN KEY (game, seq) REFERENCES entries
) STRICT""",
    "CREATE TRIGGER links_keep BEFORE UPDATE ON links BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    "CREATE TRIGGER links_stay BEFORE DELETE ON links BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    """\
CREATE TRIGGER links_once BEFORE INSERT ON links
WHEN EXISTS (SELECT 1 FROM links WHERE link = NEW.link OR game = NEW.game AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    """\
CREATE TABLE extras (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, extra TEXT NOT NULL,
    PRIMARY KEY (game, seq), FOREIGN KEY (game, seq) REFERENCES entries
) STRICT, WITHOUT ROWID""",
    "CREATE TRIGGER extras_keep BEFORE UPDATE ON extras BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    "CREATE TRIGGER extras_stay BEFORE DELETE ON extras BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    """\
CREATE TRIGGER extras_once BEFORE INSERT ON extras
WHEN EXISTS (SELECT 1 FROM extras WHERE game = NEW.game AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    # No trigger keeps the names of people: they may be erased at any time, and no hash covers them.
    "CREATE TABLE players (player INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
)

_STEPS = (_FIRST, _SEALS, _LINKS)
"""What each version added to the one before."""


def columns() -> dict[str, str]:
    """Return the columns of each table of this version, in the words of SQLite."""
    texts = "\n".join(statement for step in _STEPS for statement in step)
    return dict(re.findall(r"^CREATE TABLE (\w+) \((.*?)\) STRICT", texts, re.MULTILINE | re.DOTALL))


def empty(db: sqlite3.Connection) -> bool:
    """Whether nothing has been made in the file yet."""
    return not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def make(db: sqlite3.Connection) -> None:
    """Make the tables of an empty file, all or none."""
    _add(db, 0, f"PRAGMA application_id = {APPLICATION}; ")


def upgrade(db: sqlite3.Connection) -> None:
    """Bring a journal of an earlier version to this one, all or nothing. What is in it is not touched."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version < VERSION:
        _add(db, version)


def _add(db: sqlite3.Connection, version: int, marks: str = "") -> None:
    statements = "; ".join(statement for step in _STEPS[version:] for statement in step)
    db.executescript(f"BEGIN IMMEDIATE; {statements}; {marks}PRAGMA user_version = {VERSION}; COMMIT")


def check(db: sqlite3.Connection) -> None:
    """Raise JournalDamaged unless the file has exactly the tables and triggers of its version."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    wanted = {statement for step in _STEPS[:version] for statement in step}
    present = {str(row[0]) for row in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    triggers = sum(text.startswith("CREATE TRIGGER") for text in wanted)
    there = sum(text in wanted for text in present if text.startswith("CREATE TRIGGER"))
    if there != triggers:
        raise JournalDamaged(f"{there} of the {triggers} triggers that refuse changes are in place")
    if present != wanted:
        raise JournalDamaged("the tables are not those of a journal")
