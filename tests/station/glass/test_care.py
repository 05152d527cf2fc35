"""Care of the glass by the clock of the last input: when it dims, where it drifts, and when that is next due."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from hardware.simulated.box import SimulatedBox
from referee.config import Glass
from referee.console.views import Notice
from referee.station.picture import HANGS, MINUTE, ORBIT, Care, Look, Picture, SlowDisk
from referee.station.screen import Screen, Shown


@pytest.fixture
def simulated() -> Iterator[SimulatedBox]:
    box = SimulatedBox()
    yield box
    box.close()


GLASS = Glass(contrast=200, dim_contrast=5, dim_minutes=10, drift_minutes=4)


def test_it_dims_and_drifts_at_the_configured_minutes() -> None:
    care, now, seen = Care(GLASS, 50.0), 50.0, []
    for _ in range(5):
        at = care.deadline()
        assert at is not None
        assert care.look(at - 0.001) == care.look(now)
        now = at
        seen.append((now - 50.0, care.look(now)))
    assert seen == [
        (4 * MINUTE, Look(200, ORBIT[1])),
        (8 * MINUTE, Look(200, ORBIT[2])),
        (10 * MINUTE, Look(5, ORBIT[2])),
        (12 * MINUTE, Look(5, ORBIT[3])),
        (16 * MINUTE, Look(5, ORBIT[4])),
    ]


def test_a_touch_makes_it_bright_and_puts_it_back() -> None:
    care = Care(GLASS, 0.0)
    assert care.look(5000.0) != Look(200)
    care.touched(5000.0)
    assert care.look(5000.0) == Look(200)
    assert care.deadline() == 5000.0 + 4 * MINUTE


@pytest.mark.parametrize(
    ("dim", "drift", "first"), [(0, 0, None), (3, 0, 3 * MINUTE), (0, 7, 7 * MINUTE), (9, 2, 2 * MINUTE)]
)
def test_either_can_be_switched_off(dim: int, drift: int, first: float | None) -> None:
    care = Care(Glass(dim_minutes=dim, drift_minutes=drift), 0.0)
    assert care.deadline() == first
    look = care.look(1e6)
    assert look.contrast == (Glass().dim_contrast if dim else Glass().contrast)
    assert (look.shift == (0, 0)) or drift


def test_no_step_moves_the_picture_further_than_a_pixel() -> None:
    for (x, y), (x2, y2) in pairwise((*ORBIT, ORBIT[0])):
        assert max(abs(x - x2), abs(y - y2)) == 1
        assert max(abs(x), abs(y)) <= 1
    assert len(set(ORBIT)) == 9, "every place once"


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
