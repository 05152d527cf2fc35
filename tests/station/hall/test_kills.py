"""Nothing that was answered is lost, doubled or out of order, whatever is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.spread import missed
from tests.station.hall.copies import put_in_place, side_by_side
from tests.station.hall.kills import kill_at_random


@pytest.mark.timed
def test_sixty_kills_of_hall_boxes_and_lines_lose_nothing(tmp_path: Path) -> None:
    report = kill_at_random(tmp_path, boxes=3, kills=60, seed=7)
    assert report["faults"] == []
    assert report["acts"] > 0


@pytest.mark.timed
def test_an_old_copy_in_its_place_is_found_and_filled(tmp_path: Path) -> None:
    report = put_in_place(tmp_path, boxes=4, entries=200, acts=20)
    assert missed(report) == []


@pytest.mark.long
@pytest.mark.parametrize("both", [False, True])
def test_of_two_copies_side_by_side_the_old_one_stops(tmp_path: Path, *, both: bool) -> None:
    report = side_by_side(tmp_path, 3, both=both)
    assert missed(report) == []
    assert report["the_newer_one_goes_on"]
