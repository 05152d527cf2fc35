"""Nothing that was answered is lost, doubled or out of order, whatever is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.station.hall.kills import kill_at_random


@pytest.mark.timed
def test_sixty_kills_of_hall_boxes_and_lines_lose_nothing(tmp_path: Path) -> None:
    report = kill_at_random(tmp_path, boxes=3, kills=60, seed=7)
    assert report["faults"] == []
    assert report["acts"] > 0
