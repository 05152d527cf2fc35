"""Tables in a file of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from referee.errors import JournalError
from referee.files import durable
from referee.hall import damage


class File(NamedTuple):
    """How a file is opened.

    ``prepare``   makes its tables, or sees that they are there; raises JournalError or sqlite3.Error
    ``patience``  how long to wait for another program that uses the file, s
    ``private``   only its owner may read it
    """

    prepare: Callable[[sqlite3.Connection, Path], None]
    patience: float = 2.0
    private: bool = False


class SqliteTables:
    """See `referee.hall.store.tables.Tables`. To be used by one thread at a time."""

    def __init__(self, path: Path, file: File) -> None:
        """Open a file; make it where there is none. Raises JournalError."""
        self._path = path
        try:
            if file.private and not path.exists():
                durable.replace(path, b"", mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=file.patience, check_same_thread=False)
        except (OSError, sqlite3.Error) as fault:
            raise damage.fault(path, fault) from fault
        try:
            damage.check(self._db, path)
            file.prepare(self._db, path)
        except (UnicodeDecodeError, sqlite3.Error) as fault:
            self._db.close()
            raise damage.fault(path, fault) from fault
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close it; what was not committed is gone."""
        self._db.close()

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        try:
            return self._db.execute(sql, values).fetchall()
        except (UnicodeDecodeError, sqlite3.Error) as fault:
            raise damage.fault(self._path, fault) from fault

    def write(self, sql: str, *values: object) -> int:
        """Execute in the open transaction, begin one if there is none; return how many rows were written."""
        return self._changed(lambda: self._db.execute(sql, values)).rowcount

    def write_all(self, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Execute once for each row, as `write`."""
        self._changed(lambda: self._db.executemany(sql, rows))

    def commit(self) -> None:
        """Make all that was written since the last commit durable, or nothing of it."""
        if self._db.in_transaction:
            self._changed(lambda: self._db.execute("COMMIT"))

    def rollback(self) -> None:
        """Forget all that was written since the last commit."""
        if self._db.in_transaction:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def wipe(self, _table: str) -> None:
        """Write the file anew without the rows that were deleted, cut the log, overwrite what was set aside."""
        try:
            self._db.execute("VACUUM")
            (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            damage.forget(self._path)
        except (OSError, sqlite3.Error) as fault:
            raise damage.fault(self._path, fault) from fault
        if busy:
            raise JournalError(
                f"{self._path}: another program reads it: close it and start the hall again, which erases the names"
            )

    def _changed(self, change: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            return change()
        except sqlite3.Error as fault:
            self.rollback()
            raise damage.fault(self._path, fault) from fault
