"""Four halls on one PostgreSQL lose nothing that was answered, whatever is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.station.hall.kills import kill_at_random


@pytest.mark.long
@pytest.mark.usefixtures("postgres")
def test_sixty_kills_of_four_halls_lose_nothing(tmp_path: Path) -> None:
    report = kill_at_random(tmp_path, boxes=3, kills=60, seed=7, halls=4)
    assert report["faults"] == []
    assert report["kills"]["server"] > 0
