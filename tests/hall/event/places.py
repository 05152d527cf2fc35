"""Where a hall in a process of its own keeps what it keeps, and what somebody else reads there meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psycopg


class Place(Protocol):
    """``options``: of `referee hall`."""

    @property
    def options(self) -> Sequence[str]: ...

    def received(self, digest: str) -> bool:
        """Whether the hall has an entry durably."""

    def names(self) -> bytes:
        """Return whatever lies where names are kept."""


@dataclass
class Files:
    """Files of SQLite in the folder of the event."""

    folder: Path
    options: Sequence[str] = ()

    def received(self, digest: str) -> bool:
        with closing(sqlite3.connect(f"file:{self.folder / 'intake.db'}?mode=ro", uri=True)) as db:
            return bool(db.execute("SELECT 1 FROM entries WHERE hash = ?", [digest]).fetchall())

    def names(self) -> bytes:
        return (self.folder / "names.db").read_bytes()


@dataclass
class Database:
    """A database of PostgreSQL."""

    address: str

    @property
    def options(self) -> Sequence[str]:
        return "--store", self.address

    def received(self, digest: str) -> bool:
        with psycopg.connect(self.address) as session:
            query = "SELECT 1 FROM referee_intake.entries WHERE hash = %s"
            return bool(session.execute(query, [digest]).fetchall())

    def names(self) -> bytes:
        with psycopg.connect(self.address) as session:
            return repr(session.execute("SELECT * FROM referee_names.names").fetchall()).encode()
