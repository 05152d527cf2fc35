"""Tables that the hall reads and writes by SQL that both databases understand, and what they are made of.

The SQL has ``?`` where a value belongs, and nothing that only one of them knows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Schema(NamedTuple):
    """What a set of tables is made of.

    ``name``     of the set: "record", "intake", "names"
    ``version``  of a later one nothing is read
    ``tables``   columns by table, in the words of SQLite: TEXT, INTEGER, REAL
    ``indexes``  each a name, and what it is on
    ``kept``     tables in which nothing is changed or deleted
    """

    name: str
    version: int
    tables: Mapping[str, str]
    indexes: Mapping[str, str]
    kept: Collection[str]


class Tables(Protocol):
    """One set of tables. Each method raises JournalError if the database fails; then nothing is left half written."""

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query; it sees what was written before it, durable or not."""

    def write(self, sql: str, *values: object) -> int:
        """Execute in the open transaction, begin one if there is none; return how many rows were written."""

    def write_all(self, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Execute once for each row, as `write`."""

    def commit(self) -> None:
        """Make all that was written since the last commit durable, or nothing of it."""

    def rollback(self) -> None:
        """Forget all that was written since the last commit."""

    def wipe(self, table: str) -> None:
        """Leave nothing of the rows that were deleted from a table, as far as the database can."""

    def close(self) -> None:
        """Close it; what was not committed is gone."""
