"""A station on virtual time, for the tests of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.station.virtual.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A station with the shelf on its glass; whatever it showed must have fitted."""
    with Bench(tmp_path / "journal.db") as opened:
        yield opened
        assert opened.misfits == []
