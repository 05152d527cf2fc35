"""`make help` lists every target there is, with what it is for; `make test` leaves no check out."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def make(*arguments: str) -> str:
    """Return what make prints, called from a shell: what called the tests may be a make itself."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout


def test_every_test_runs_in_one_of_the_groups() -> None:
    commands = make("--dry-run", "--assume-old=.venv/.test", "pytest", "test-long")
    assert re.findall(r"-m (\"[^\"]+\"|\w+) ", commands.replace("-m pytest ", "")) == [
        '"not long and not timed"',
        "timed",
        "long",
    ]


def test_timed_tests_run_though_others_have_failed(tmp_path: Path) -> None:
    """F6: they have the machine to themselves after the others."""
    called = tmp_path / "called"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >>{called}\n[ "$4" = timed ]\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "--assume-old=.venv/.test", "pytest", f"BIN={tmp_path}", "PYTEST_NEEDS="],
        cwd=ROOT, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    first, second = called.read_text().splitlines()
    assert "not timed" in first
    assert second.startswith("-m pytest -m timed")
    assert done.returncode != 0
