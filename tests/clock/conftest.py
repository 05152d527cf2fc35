"""A folder in memory, for journals whose disk does not matter."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.cuts import MEMORY


@pytest.fixture
def memory() -> Iterator[Path]:
    """A fresh folder, in memory where the machine has such a place."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)
