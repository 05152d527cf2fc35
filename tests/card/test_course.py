"""What the test of the card does when something fails: it ends, and leaves what shows the fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.card import __main__ as course
from tests.card import bus
from tests.kernel.machine import Guest
from tests.kernel.sitting import Differs

NOTHING = Guest(Path("kernel"), Path("initrd"), Path(), Path())


@pytest.mark.parametrize(("said", "patience"), [("booting", 0.1), ("Kernel panic - not syncing", 600.0)])
def test_a_board_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, said: str, patience: float) -> None:
    monkeypatch.setattr(bus, "_emulator", lambda: ["sh", "-c", f"echo '{said}'; exec sleep 600"])
    with pytest.raises(Differs, match=said):
        bus.acknowledged(NOTHING, patience)


@pytest.mark.parametrize(("file", "why"), [("out/card.img", "is not empty"), ("out", "File exists")])
def test_nothing_of_before_is_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: str, why: str
) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("mine")
    monkeypatch.setattr("sys.argv", ["tests.card", "image", "package", "--keep", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as ended:
        course.main()
    assert ended.value.code == 2
    assert why in capsys.readouterr().err
    assert (tmp_path / file).read_text() == "mine"


@pytest.mark.parametrize(
    ("report", "left"), [({}, []), ({"fault": "dark"}, ["console", "copy/shown.png", "twin.db"])]
)
def test_what_shows_a_fault_is_left(tmp_path: Path, report: dict[str, Any], left: list[str]) -> None:
    folder = tmp_path / "folder"
    for name in ("card.img", "console", "twin.db", "copy/card.img", "copy/shown.png", "newer/usr/bin"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    course._cleared(folder, report)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.name != "copy") == left
