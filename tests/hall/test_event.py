"""A whole event through the real programs, from the pasted list to the file that is verified offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hall.event.places import Database
from tests.hall.event.whole import play
from tests.hall.postgres.databases import Databases


@pytest.mark.long
def test_a_whole_event_is_played_through_the_real_programs(tmp_path: Path) -> None:
    story: list[str] = []
    assert play(tmp_path, story.append)["faults"] == [], story


@pytest.mark.long
def test_a_whole_event_is_played_with_what_the_hall_keeps_in_postgresql(databases: Databases, tmp_path: Path) -> None:
    story: list[str] = []
    report = play(tmp_path, story.append, lambda folder: Database(databases.of(folder)))
    assert report["faults"] == [], story
    assert not [*tmp_path.glob("*/hall.db"), *tmp_path.glob("*/intake.db"), *tmp_path.glob("*/names.db")]
