"""When a display is thought to hang: its newest picture was given long ago, whatever became of those before."""

from __future__ import annotations

from referee.station.picture import HANGS, Vigil
from referee.station.screen import Shown


def test_a_picture_given_late_has_as_long_as_any_other() -> None:
    """The loop waited for the disk: the first picture arrived long before the second was given."""
    vigil = Vigil()
    first = vigil.sent(10.0)
    second = vigil.sent(10.0 + 2 * HANGS)
    vigil.shown(Shown(1, 10.1, first))
    assert vigil.deadline() == 10.0 + 3 * HANGS
    assert not vigil.due(10.0 + 2.5 * HANGS)
    vigil.shown(Shown(2, 10.0 + 2.5 * HANGS, second))
    assert vigil.deadline() is None
    assert not vigil.due(100.0)


def test_a_display_that_shows_the_one_before_again_and_again_hangs_in_the_end() -> None:
    vigil = Vigil()
    first = vigil.sent(10.0)
    vigil.sent(10.0)
    vigil.shown(Shown(1, 10.5, first))
    assert not vigil.due(10.5 + HANGS - 0.01)
    assert vigil.due(10.5 + HANGS)
    assert vigil.dark
    assert not vigil.due(10.5 + HANGS), "it is told once"
