"""Noise on the lines of the encoder: the knob is named, and what is pressed still counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hardware.keys.quadrature import ENCODER_LINES
from referee.station.virtual.bench import Bench


@pytest.mark.parametrize("rate", [50, 100, 400, 1000])
def test_the_knob_is_named_and_select_counts_20_times_of_20(tmp_path: Path, rate: int) -> None:
    """P4: at 50 to 1,000 edges a second 6 to 20 of 20 were swallowed, and nothing was said."""
    chance = random.Random(rate)
    with Bench(tmp_path / "journal.db") as box:
        changed: set[str] = set()

        def flick(line: str) -> None:
            changed.symmetric_difference_update({line})
            box.simulated.flick(line)

        def pass_by(seconds: float) -> None:
            for _ in range(int(seconds * rate)):
                flick(chance.choice(ENCODER_LINES))
                box.wait(1 / rate)

        pass_by(1)
        assert "Knob chatters" in box.text
        counted = 0
        for _ in range(20):
            pass_by(0.7)  # a ruling counts so long after it came by itself
            before = len(box.views), box.prompt
            box.simulated.press("select")
            pass_by(0.1)
            box.simulated.release("select")
            pass_by(0.1)
            counted += (len(box.views), box.prompt) != before
        assert counted == 20
        assert sum("Knob" in str(view) for view in box.views) == 1, "it is said once"
        for line in sorted(changed):
            flick(line)
        box.wait(2.5)
        resting = box.view
        box.turn(1)
        assert box.view != resting, "it counts again once it has rested"
