"""A hall on a real intake, and the journal of a box that is paired with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY, Hall


@pytest.fixture
def hall(memory: Path) -> Iterator[Hall]:
    hall = Hall(memory / "intake.db")
    hall.side.intake.admit(KEY.public)
    yield hall
    hall.side.intake.close()


@pytest.fixture
def journal() -> MemoryJournal:
    """Two games, the first taken up again after the second."""
    journal = MemoryJournal(KEY)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    journal.write(1, "answer", [5, 4])
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    journal.write(1, "answer", "pass", over=True)
    return journal
