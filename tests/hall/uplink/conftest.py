"""The journal of a box that is paired with the hall."""

from __future__ import annotations

import pytest

from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY


@pytest.fixture
def journal() -> MemoryJournal:
    """Two games, the first taken up again after the second."""
    journal = MemoryJournal(KEY)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    journal.write(1, "answer", [5, 4])
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    journal.write(1, "answer", "pass", over=True)
    return journal
