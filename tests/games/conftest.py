"""A box for the games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.station.virtual.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A simulated box with the shelf on its glass."""
    with Bench(tmp_path / "journal.db") as bench:
        yield bench


def pressed(bench: Bench, *keys: str) -> int:
    """Press these keys as a player does; return how many presses that were."""
    before = bench.presses
    bench.key(*keys)
    return bench.presses - before
