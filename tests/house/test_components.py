"""What a machine lacks: tests that need it are left out and said to be; with CI=true they fail. (F6)"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import components

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "tests/docs",
    "tests/firmware",
    "tests/hardware/dice",
    "tests/pi",
    "tests/station/test_voice.py",
    "tests/hall/test_curl.py",
)


WITHOUT_TOOLS = (
    "import shutil, sys, pytest; shutil.which = lambda *_, **__: None; sys.exit(pytest.main(sys.argv[1:]))"
)


def bare(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run tests where no command is found."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_TOOLS, "-q", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT, env=environment | more, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_each_missing_tool_is_said_in_a_line() -> None:
    done = bare("--collect-only", *FOLDERS)
    assert done.returncode == 0, done.stdout
    said = re.findall(r"^\d+ tests left out: (.+)$", done.stdout, re.MULTILINE)
    wanted = {f"{tool} is not installed" for tool in components.TOOLS}
    assert wanted <= {*said}
    assert len(said) == len({*said})


def test_in_continuous_integration_nothing_is_left_out() -> None:
    done = bare("tests/firmware/test_init.py", CI="true")
    assert done.returncode == 1
    assert "left out" not in done.stdout
    assert "sfdisk is not installed" in done.stdout


def test_a_machine_without_terminals_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> tuple[int, int]:
        raise OSError("out of pty devices")

    monkeypatch.setattr(os, "openpty", none)
    assert not components.terminal()


def test_a_place_in_memory_that_nobody_may_write_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """F6: there is a /dev/shm in a bare root file system, for root alone."""
    monkeypatch.setattr(os, "access", lambda path, mode: path != "/dev/shm")
    spec = importlib.util.spec_from_file_location("components_of_a_plain_user", components.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.MEMORY is None
