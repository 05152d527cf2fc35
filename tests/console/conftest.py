"""Boxes for the tests of the console, with a configuration each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.config import parse
from referee.station.virtual.bench import Bench

Open = Callable[..., Bench]


@pytest.fixture
def open_bench(tmp_path: Path) -> Iterator[Open]:
    """Open boxes on one journal, each from the text of a configuration; whatever they showed must have fitted."""
    opened: list[Bench] = []

    def opens(text: str = "") -> Bench:
        opened.append(Bench(tmp_path / "journal.db", parse(text)))
        return opened[-1]

    yield opens
    for bench in opened:
        bench.close()
        assert bench.misfits == []
