"""The shelf with all its games fits both glasses; what a single game shows is looked at by conformance."""

from __future__ import annotations

import pytest

from referee import games
from referee.console.console import Console
from referee.console.drawing.screens import SIZES, problems
from referee.testing.fits import DICE, Bare


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_shelf_fits(size: tuple[int, int]) -> None:
    console = Console(Bare(*games.books()), DICE)
    assert problems(console.stage.top.view(None), size) == []
