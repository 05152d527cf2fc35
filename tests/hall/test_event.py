"""A whole event through the real programs, from the pasted list to the file that is verified offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hall.event.whole import play


@pytest.mark.long
def test_a_whole_event_is_played_through_the_real_programs(tmp_path: Path) -> None:
    story: list[str] = []
    assert play(tmp_path, story.append)["faults"] == [], story
