"""A ledger in a file, and in a database of PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from referee.hall.ledger.store import Store, sqlite
from tests.hall.postgres.databases import Databases

Open = Callable[[], Store]
"""Opens the same event again, as another hall does."""
_events = count(1)


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.long)])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    event = f"event {next(_events)}"
    if request.param == "file":
        address = sqlite(tmp_path / "event.db")
    else:
        databases: Databases = request.getfixturevalue("databases")
        address = databases.of(tmp_path)
    with ExitStack() as stack:

        def opened() -> Store:
            store = Store(address, event)
            stack.callback(store.close)
            return store

        yield opened
