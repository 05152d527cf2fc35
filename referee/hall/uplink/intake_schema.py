"""The tables of the hall's intake, and the triggers that keep what is in them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from referee.errors import JournalError, JournalNewer
from referee.hall.store import Schema

VERSION: Final = 1
APPLICATION: Final = 0x52454649

_TABLES: Final = {
    "boxes": "box INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE",
    "admissions": "admission INTEGER PRIMARY KEY, box INTEGER NOT NULL REFERENCES boxes, allowed INTEGER NOT NULL",
    "incidents": """\
incident INTEGER PRIMARY KEY, box INTEGER NOT NULL REFERENCES boxes, kind TEXT NOT NULL, text TEXT NOT NULL,
UNIQUE (box, kind, text)""",
    "branches": """\
branch INTEGER PRIMARY KEY, box INTEGER NOT NULL REFERENCES boxes, parent INTEGER REFERENCES branches,
fork INTEGER NOT NULL""",
    "entries": """\
entry INTEGER PRIMARY KEY, box INTEGER NOT NULL REFERENCES boxes, branch INTEGER NOT NULL REFERENCES branches,
at INTEGER NOT NULL, game INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, link INTEGER NOT NULL,
first TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (box, hash), UNIQUE (branch, at)""",
    "seals": """\
seal INTEGER PRIMARY KEY, box INTEGER NOT NULL, hash TEXT NOT NULL, signature TEXT NOT NULL,
UNIQUE (box, hash), FOREIGN KEY (box, hash) REFERENCES entries (box, hash)""",
}
_INDEXES: Final = {"entries_of_game": "entries (branch, game, at)", "forks": "branches (parent, fork)"}
SCHEMA: Final = Schema("intake", VERSION, _TABLES, _INDEXES, kept=_TABLES)
_KEPT = "SELECT RAISE(ABORT, 'what was received is never changed')"


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make an empty file an intake, or see that it is one. Raises JournalError, JournalNewer, sqlite3.Error."""
    fresh = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if not fresh and db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise JournalError(f"{path} is a database, but not what a hall received")
    if version > VERSION:
        raise JournalNewer(f"{path} was written by a later referee (version {version}, not {VERSION})")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    if fresh:
        db.executescript("BEGIN IMMEDIATE;" + ";".join([*_statements(), ""]) + "COMMIT")


def _statements() -> list[str]:
    statements = [f"CREATE TABLE {name} ({columns}) STRICT" for name, columns in _TABLES.items()]
    statements += [f"CREATE INDEX {name} ON {on}" for name, on in _INDEXES.items()]
    for name in _TABLES:
        statements.append(f"CREATE TRIGGER {name}_keep BEFORE UPDATE ON {name} BEGIN {_KEPT}; END")
        statements.append(f"CREATE TRIGGER {name}_stay BEFORE DELETE ON {name} BEGIN {_KEPT}; END")
    return [*statements, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}"]
