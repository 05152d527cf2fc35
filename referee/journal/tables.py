"""What a journal needs of the database that it is in; `referee.journal.database` is that of SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol


class Cursor(Protocol):
    """What a statement returned."""

    def fetchone(self) -> Any:
        """Return the next row, None after the last."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Tables(Protocol):
    """The tables of `referee.journal.schema`. The SQL has ``?`` for values, and nothing of one database alone.

    ``path``: of the file, or of what stands for it in the folder with the keys.
    """

    path: Path

    @property
    def version(self) -> int:
        """The version of the tables."""

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> Cursor:
        """Execute one statement, within `reading` or `writing`."""

    def stroke(self) -> AbstractContextManager[None]:
        """Write several statements as one commit, all or none."""

    def whole(self) -> AbstractContextManager[None]:
        """Write one statement as one commit."""

    def reading(self) -> AbstractContextManager[None]:
        """Tell faults while something is read as JournalError; what cannot have been written as JournalDamaged."""

    def writing(self) -> AbstractContextManager[None]:
        """Tell faults while something is written as JournalError."""

    def examine(self) -> None:
        """Check the tables below their rows. Raises JournalDamaged, or a fault that `reading` tells."""

    def close(self) -> None:
        """Close it and let another station write it."""
