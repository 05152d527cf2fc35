"""Names of players and clubs, beside the record and outside every chain, so that they can be erased.

The record knows numbers only. `Names.erase` leaves no byte of a name in the folder: deleted rows are overwritten
(``secure_delete``), the file is written anew, and SQLite's log is cut to nothing; what was set aside is overwritten.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

from referee.errors import JournalError
from referee.files import durable
from referee.hall import damage

Kind: TypeAlias = Literal["player", "club", "event"]
"""What has a name. The event has one, of number 0; it is not erased."""
NewNames: TypeAlias = Mapping[Kind, Mapping[int, str]]

PATIENCE: Final = 0.5
"""How long to wait for another program that uses the file, s."""
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS names (kind TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, "
    "PRIMARY KEY (kind, number)) STRICT, WITHOUT ROWID"
)
_PUT: Final = "INSERT OR REPLACE INTO names VALUES (?, ?, ?)"
_DROP: Final = "DELETE FROM names WHERE kind = ? AND number = ?"


class Names:
    """Names by kind and number. To be used by one thread."""

    def __init__(self, path: Path) -> None:
        """Open the file; make it where there is none, readable by its owner alone. Raises JournalError."""
        self._path = path
        self._names: dict[Kind, dict[int, str]] = {"player": {}, "club": {}, "event": {}}
        try:
            if not path.exists():
                durable.replace(path, b"", mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)
        except (OSError, sqlite3.Error) as fault:
            raise damage.fault(path, fault) from fault
        try:
            damage.check(self._db, path)
            for pragma in ("secure_delete = ON", "journal_mode = WAL", "synchronous = FULL"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.execute(_TABLE)
            for kind, number, name in self._db.execute("SELECT kind, number, name FROM names"):
                self._names[kind][number] = name
        except JournalError:
            self._db.close()
            raise
        except (KeyError, UnicodeDecodeError, sqlite3.Error) as fault:
            self._db.close()
            raise damage.fault(path, fault, damaged=isinstance(fault, KeyError)) from fault

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def of(self, kind: Kind) -> Mapping[int, str]:
        """Return all names of a kind by number."""
        return self._names[kind]

    def player(self, number: int) -> str:
        """Return what a player is called, by number where there is no name."""
        return self._names["player"].get(number, f"Player {number}")

    def club(self, number: int) -> str:
        """Return what a club is called, "" for none."""
        return self._names["club"].get(number, f"Club {number}" if number else "")

    @property
    def event(self) -> str:
        """What the event is called."""
        return self._names["event"].get(0, "Event")

    def put(self, names: NewNames) -> NewNames:
        """Name players, clubs or the event, durably; "" takes a name away. Raises JournalError, nothing is changed.

        Return what puts everything back as it was.
        """
        rows = [(kind, number, name) for kind, each in names.items() for number, name in each.items()]
        before = {
            kind: {number: self._names[kind].get(number, "") for number in each} for kind, each in names.items()
        }
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany(_PUT, [row for row in rows if row[2]])
                self._db.executemany(_DROP, [row[:2] for row in rows if not row[2]])
        except sqlite3.Error as fault:
            raise damage.fault(self._path, fault) from fault
        for kind, number, name in rows:
            self._names[kind].pop(number, None)
            if name:
                self._names[kind][number] = name
        return before

    def erase(self) -> None:
        """Erase every player and club. Raises JournalError; what is left then is erased the next time."""
        try:
            self._db.execute("DELETE FROM names WHERE kind != 'event'")
            self._db.execute("VACUUM")
            (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            damage.forget(self._path)
        except (OSError, sqlite3.Error) as fault:
            raise damage.fault(self._path, fault) from fault
        if busy:
            raise JournalError(
                f"{self._path}: another program reads it: close it and start the hall again, which erases the names"
            )
        self._names["player"].clear()
        self._names["club"].clear()

    def numbered(self, text: str) -> str:
        """Return a text with numbers in the place of players' full names, for the record, which is never erased."""
        names = sorted(self._names["player"].items(), key=lambda item: -len(item[1]))
        for number, name in names:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {number}", text, flags=re.IGNORECASE)
        return text
