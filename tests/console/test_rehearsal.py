"""What is rehearsed: a screen of each kind, and whatever has to be read for one."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from referee.console.drawing.rehearsal import SCREENS, rehearse
from referee.console.drawing.screens import SIZES, draw, problems
from referee.console.views import Blank, Grid, View
from tests.console.specimens import SPECIMENS


def test_every_kind_of_screen_is_rehearsed_and_fits() -> None:
    assert {type(view) for view in SCREENS} == set(get_args(View)) - {Blank}
    assert len([view for view in SCREENS if isinstance(view, Grid)]) == 1
    assert [problem for view in SCREENS for problem in problems(view)] == []


@pytest.mark.parametrize("size", SIZES)
def test_after_the_rehearsal_no_screen_waits_for_a_file(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len([*rehearse(size)]) > len(SCREENS), "it can be interrupted"
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} is read while somebody waits"))
    for view in SPECIMENS.values():
        draw(view, size)
