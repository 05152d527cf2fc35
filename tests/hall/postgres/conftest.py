"""A server of PostgreSQL for all tests that need one, and for each folder of a test a database of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from referee.hall import store
from tests.components import POSTGRES
from tests.hall.postgres.servers import QUICK, Server, place

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
                session.execute("DROP SCHEMA IF EXISTS referee_record, referee_intake, referee_names CASCADE")
            self._empty.append(address)
        self._used.clear()

    def _create(self) -> str:
        name = f"event_{next(self._numbers)}"
        with psycopg.connect(self._server.address("postgres"), autocommit=True) as session:
            session.execute(f"CREATE DATABASE {name}".encode())
        return self._server.address(name)


@pytest.fixture(scope="session")
def postgres() -> Path:
    """Where the programs of PostgreSQL are."""
    assert POSTGRES, "PostgreSQL's server is not installed"
    return POSTGRES


@pytest.fixture(scope="session")
def server(postgres: Path) -> Iterator[Server]:
    with place() as make:
        server = make("server")
        server.begin(*QUICK)
        server.start()
        yield server


@pytest.fixture(scope="session")
def all_databases(server: Server) -> Databases:
    return Databases(server)


@pytest.fixture
def databases(all_databases: Databases) -> Iterator[Databases]:
    yield all_databases
    all_databases.empty()


@pytest.fixture
def in_postgres(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every folder names a database of its own, as if its line were there."""
    monkeypatch.setattr(store, "address", databases.of)
