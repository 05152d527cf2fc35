"""Names of players and clubs, beside the record and outside every chain, so that they can be erased.

The record knows numbers only. `Names.erase` leaves no byte of a name in the folder: deleted rows are overwritten
(``secure_delete``), the file is written anew, and SQLite's log is cut to nothing; what was set aside is overwritten.
Of PostgreSQL the tables are written anew; its log and its backups keep names as long as they are kept.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

from referee.errors import JournalError
from referee.hall import damage, store

Kind: TypeAlias = Literal["player", "club", "event"]
"""What has a name. The event has one, of number 0; it is not erased."""
NewNames: TypeAlias = Mapping[Kind, Mapping[int, str]]

PATIENCE: Final = 0.5
"""How long to wait for another program that uses the file, s."""
_COLUMNS: Final = "kind TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, number)"
_SCHEMA: Final = store.Schema("names", 1, {"names": _COLUMNS}, {}, kept=())
_PUT: Final = """\
INSERT INTO names (kind, number, name) VALUES (?, ?, ?)
ON CONFLICT (kind, number) DO UPDATE SET name = excluded.name"""
_DROP: Final = "DELETE FROM names WHERE kind = ? AND number = ?"


class Names:
    """Names by kind and number. To be used by one thread."""

    def __init__(self, path: Path) -> None:
        """Open the table. ``path``: where the file is, or would be if the event were not kept elsewhere.

        The file is made where there is none, readable by its owner alone. Raises JournalError.
        """
        self._names: dict[Kind, dict[int, str]] = {"player": {}, "club": {}, "event": {}}
        self._tables = store.tables(path, _SCHEMA, store.File(_prepare, PATIENCE, private=True))
        try:
            for kind, number, name in self._tables.rows("SELECT kind, number, name FROM names"):
                self._names[kind][number] = name
        except KeyError as fault:
            self.close()
            raise damage.of(path, str(fault)) from fault
        except JournalError:
            self.close()
            raise

    def close(self) -> None:
        """Close the table."""
        self._tables.close()

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
            self._tables.write_all(_PUT, [row for row in rows if row[2]])
            self._tables.write_all(_DROP, [row[:2] for row in rows if not row[2]])
            self._tables.commit()
        except BaseException:
            self._tables.rollback()
            raise
        for kind, number, name in rows:
            self._names[kind].pop(number, None)
            if name:
                self._names[kind][number] = name
        return before

    def erase(self) -> None:
        """Erase every player and club. Raises JournalError; what is left then is erased the next time."""
        self._tables.write("DELETE FROM names WHERE kind != 'event'")
        self._tables.commit()
        self._tables.wipe("names")
        self._names["player"].clear()
        self._names["club"].clear()

    def numbered(self, text: str) -> str:
        """Return a text with numbers in the place of players' full names, for the record, which is never erased."""
        names = sorted(self._names["player"].items(), key=lambda item: -len(item[1]))
        for number, name in names:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {number}", text, flags=re.IGNORECASE)
        return text


def _prepare(db: sqlite3.Connection, _path: Path) -> None:
    for pragma in ("secure_delete = ON", "journal_mode = WAL", "synchronous = FULL"):
        db.execute(f"PRAGMA {pragma}")
    db.execute(f"CREATE TABLE IF NOT EXISTS names ({_COLUMNS}) STRICT, WITHOUT ROWID")
