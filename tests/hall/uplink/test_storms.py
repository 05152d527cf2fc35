"""What was acknowledged is never lost or doubled, no gap stays, and what differs is told: on virtual time."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from referee.hall.uplink import rebuild
from referee.hall.uplink.hall import HallSide
from referee.hall.uplink.intake import Intake
from tests.hall.uplink import lost
from tests.hall.uplink.chaos import storm

SEEDS = int(os.environ.get("REFEREE_STORMS", "12"))


@pytest.mark.long
def test_two_hundred_boxes_lose_nothing_in_a_storm() -> None:
    world = storm(seed=2026, boxes=200)
    assert world.faults == [], f"seed {world.seed}"
    assert world.tally["lost"] > 1000
    assert world.tally["hall killed"]
    assert world.tally["box killed"] > 50
    assert world.tally["compared"] > 2000


def test_smaller_storms_see_everything_that_differs() -> None:
    total: Counter[str] = Counter()
    for seed in range(SEEDS):
        world = storm(seed, boxes=12)
        assert world.faults == [], f"seed {seed}"
        total += world.tally
    assert all(total[kind] for kind in ("set back", "cloned", "fork", "set-back", "anew", "twin")), total


def test_a_hall_that_acknowledges_before_the_disk_has_it_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    commits = iter(range(10**9))
    commit = Intake.commit
    monkeypatch.setattr(Intake, "commit", lambda intake: commit(intake) if next(commits) % 20 == 0 else None)
    assert any("acknowledged and is gone" in fault for seed in range(3) for fault in storm(seed, boxes=12).faults)


def test_a_hall_that_does_not_look_for_forks_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HallSide, "_tell", lambda *_: None)
    assert any("nobody was told" in fault for seed in range(3) for fault in storm(seed, boxes=12).faults)


def test_a_hall_that_loses_its_folder_is_rebuilt_with_all_that_two_boxes_had() -> None:
    world = lost.storm(seed=2, boxes=4)
    assert world.faults == []
    assert world.tally["halls rebuilt"] > 1
    assert world.tally["compared"] > 100


@pytest.mark.long
def test_many_halls_that_lose_their_folders_lose_nothing() -> None:
    total: Counter[str] = Counter()
    for seed in range(12):
        world = lost.storm(seed, boxes=12)
        assert world.faults == [], f"seed {seed}"
        total += world.tally
    assert total["halls rebuilt"] > 15


def test_a_rebuilt_hall_that_takes_the_first_copy_it_hears_of_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild, "rank", lambda copy: (int(copy.end is not None), 0))
    assert any("gone from the record" in fault for fault in lost.storm(seed=0, boxes=4).faults)
