"""For each folder of a test a database of its own, in one server."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import psycopg

from tests.hall.postgres.servers import Server

END_OTHERS = """\
SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
WHERE datname = current_database() AND pid != pg_backend_pid()"""


class Databases:
    """Empty databases of one server; they are emptied and used again."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._numbers = count(1)
        self._empty: list[str] = []
        self._used: dict[Path, str] = {}

    def of(self, folder: Path) -> str:
        """Return the address of the database of a folder."""
        if folder not in self._used:
            self._used[folder] = self._empty.pop() if self._empty else self._create()
        return self._used[folder]

    def empty(self) -> None:
        """Begin the next test."""
        for address in self._used.values():
            with psycopg.connect(address, autocommit=True) as session:
                session.execute(END_OTHERS)
                session.execute("DROP SCHEMA public CASCADE")
                session.execute("CREATE SCHEMA public")
            self._empty.append(address)
        self._used.clear()

    def _create(self) -> str:
        name = f"event_{next(self._numbers)}"
        with psycopg.connect(self._server.address("postgres"), autocommit=True) as session:
            session.execute(f"CREATE DATABASE {name}".encode())
        return self._server.address(name)
