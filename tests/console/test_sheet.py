"""The sheet: people can look at every screen, and golden images change only where pixels do."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.console.sheet import contact_sheet, main, write_golden
from tests.console.specimens import SPECIMENS


def test_the_sheet_shows_every_specimen_four_times_as_large(tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    assert main([str(out)]) == 0
    with Image.open(out) as sheet:
        lines = -(-len(SPECIMENS) // 2)
        assert sheet.size == (2 * (512 + 12) + 12, lines * (256 + 12) + 12)
    assert contact_sheet((256, 64), 1).width == 1024 + 24


def test_golden_images_are_rewritten_only_where_they_differ(tmp_path: Path) -> None:
    assert len(write_golden(tmp_path)) == 2 * len(SPECIMENS)
    assert write_golden(tmp_path) == []
    changed, stray = tmp_path / "idle-128x64.png", tmp_path / "gone-128x64.png"
    Image.new("1", (128, 64)).save(changed)
    Image.new("1", (128, 64)).save(stray)
    assert write_golden(tmp_path) == [changed, stray]
    assert not stray.exists()


def test_a_sheet_without_a_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 2
    assert "expected OUT.png or --golden" in capsys.readouterr().err
