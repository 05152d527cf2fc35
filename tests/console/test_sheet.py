"""The sheet: people can look at every screen, and golden images change only where pixels do."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from referee import games
from referee.console.drawing.screens import LARGE, problems
from referee.console.views import Idle, Question, Ruling
from tests.console.sheet import contact_sheet, main, played, write_golden
from tests.console.specimens import SPECIMENS


def test_the_sheet_shows_what_is_seen_while_each_game_is_played() -> None:
    views = [view for book in games.books() for view in played(book.id, gestures=60)]
    assert {Idle, Question, Ruling} <= {type(view) for view in views}
    assert len(views) > 40
    assert not [line for view in views for line in problems(view)]
    assert contact_sheet(views[:7]).size == (6 * (256 + 8) + 8, 2 * (128 + 8) + 8)
    assert contact_sheet(views[:3], LARGE, 3).width == 3 * (512 + 8) + 8


def test_golden_images_are_rewritten_only_where_they_differ(tmp_path: Path) -> None:
    assert len(write_golden(tmp_path)) == len(SPECIMENS)
    assert write_golden(tmp_path) == []
    changed, stray = tmp_path / "idle.png", tmp_path / "gone.png"
    Image.new("1", (128, 64)).save(changed)
    Image.new("1", (128, 64)).save(stray)
    assert write_golden(tmp_path) == [changed, stray]
    assert not stray.exists()


def test_a_sheet_without_a_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 2
    assert "expected OUT.png or --golden" in capsys.readouterr().err
