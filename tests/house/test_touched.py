"""`make check` runs the tests that a change touches, the nearest first."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.house.touched import Tree, changed

FILES = {
    "referee/session/__init__.py": "from referee.session.session import Session",
    "referee/session/session.py": "",
    "referee/session/replay.py": "from referee.session.session import Session",
    "referee/web/panel/panel.js": "",
    "hardware/knob.py": "",
    "tests/bench/rig.py": "from hardware import knob",
    "tests/bench/test_evening.py": "from tests.bench.rig import Rig",
    "tests/console/conftest.py": "",
    "tests/console/test_screens.py": "",
    "tests/hardware/test_knob.py": "",
    "tests/hardware/test_lamp.py": "",
    "referee/testing/hands.py": "from hardware import knob",
    "tests/cli/test_cli.py": "from referee.testing.hands import Hands",
    "tests/house/test_docs.py": "",
    "tests/journal/test_journal.py": "from referee.session import Session",
    "tests/session/test_replay.py": "",
    "tests/session/test_session.py": "import referee.session.session",
    "tests/web/test_panel.py": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("referee/session/session.py", ["session/test_session", "session/test_replay", "journal/test_journal"]),
        ("referee/session/replay.py", ["session/test_replay", "session/test_session"]),
        ("hardware/knob.py", ["hardware/test_knob", "hardware/test_lamp", "bench/test_evening", "cli/test_cli"]),
        ("tests/bench/rig.py", ["bench/test_evening"]),
        ("tests/web/test_panel.py", ["web/test_panel"]),
        ("tests/console/conftest.py", ["console/test_screens"]),
        ("tests/console/golden/idle.png", ["console/test_screens"]),
        ("referee/web/panel/panel.js", ["web/test_panel"]),
        ("docs/box.md", ["house/test_docs"]),
        ("Makefile", ["house/test_docs"]),
    ],
)
def test_a_change_touches_what_mirrors_and_what_imports_it(root: Path, file: str, tests: list[str]) -> None:
    assert Tree(root).touched(file) == [f"tests/{test}.py" for test in tests]


def test_what_has_changed_is_told_by_git_new_files_too(root: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=root, check=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    assert changed(root) == []
    (root / "hardware/knob.py").write_text("CLICK = 1\n")
    (root / "hardware/new.py").touch()
    assert changed(root) == ["hardware/knob.py", "hardware/new.py"]
