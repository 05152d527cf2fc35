"""A journal of linked games, for whoever has none of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journal.links import linked


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal of four games; the first was taken up again after the second, and has two stretches."""
    return linked(memory / "box" / "journal.db")
