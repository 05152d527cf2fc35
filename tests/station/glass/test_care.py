"""Care of the glass by the clock of the last input: when it dims, where it drifts, and when that is next due."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.simulated.box import SimulatedBox
from referee.config import Glass
from referee.console.views import Notice
from referee.station.picture import HANGS, MINUTE, Care, Picture, SlowDisk
from referee.station.screen import Screen, Shown


@pytest.fixture
def simulated() -> Iterator[SimulatedBox]:
    box = SimulatedBox()
    yield box
    box.close()


@pytest.mark.parametrize(
    ("dim", "drift", "first"), [(0, 0, None), (3, 0, 3 * MINUTE), (0, 7, 7 * MINUTE), (9, 2, 2 * MINUTE)]
)
def test_either_can_be_switched_off(dim: int, drift: int, first: float | None) -> None:
    care = Care(Glass(dim_minutes=dim, drift_minutes=drift), 0.0)
    assert care.deadline() == first
    look = care.look(1e6)
    assert look.contrast == (Glass().dim_contrast if dim else Glass().contrast)
    assert (look.shift == (0, 0)) or drift


def test_a_picture_given_late_is_waited_for_as_long_as_any_other(simulated: SimulatedBox) -> None:
    """The loop waited for the disk: the first picture arrived long before the second was given."""
    now = [10.0]
    screen = Screen(simulated.box.display)
    picture = Picture(screen, SlowDisk(screen, (128, 64)), Glass(), lambda: now[0])
    picture.put(1, Notice("One", ""), now[0])
    now[0] = 10.0 + 2 * HANGS
    picture.put(2, Notice("Two", ""), now[0])
    picture.shown(Shown(1, 10.1, 1))
    assert picture.deadline() == 10.0 + 3 * HANGS
    assert not picture.hangs(10.0 + 2.5 * HANGS)
    picture.shown(Shown(1, 10.0 + 2.5 * HANGS, 1))  # the one before, again and again
    assert picture.hangs(10.0 + 4.5 * HANGS)
    assert not picture.hangs(10.0 + 4.5 * HANGS), "it is told once"
    assert picture.dark
    assert picture.shown(Shown(2, 10.0 + 5 * HANGS, 2))
    assert not picture.dark
