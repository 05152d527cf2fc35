"""Tools that check what goes onto a Raspberry Pi or into its case.

Where one is missing, the tests that need it are left out and the summary says so; with CI=true they fail instead.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

TOOLS = {
    "systemd_analyze": "systemd-analyze",
    "shellcheck": "shellcheck",
    "dot": "dot",
    "wireviz": "wireviz",
    "openscad": "openscad",
}
"""Fixture -> command."""

DOCS_TOOLS = Path(__file__).parents[2] / ".venv-docs" / "bin"

left_out = pytest.StashKey[dict[str, int]]()


def found(command: str) -> str | None:
    """Return where a command is: on the path, or in the environment of `make wiring-tools`."""
    return shutil.which(command) or shutil.which(command, path=str(DOCS_TOOLS))


def needed(command: str) -> str:
    path = found(command)
    assert path is not None, f"{command} is not installed"
    return path


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("CI") == "true":
        return
    missing = {fixture for fixture, command in TOOLS.items() if found(command) is None}
    without = [item for item in items if missing & set(getattr(item, "fixturenames", ()))]
    items[:] = [item for item in items if item not in without]
    config.hook.pytest_deselected(items=without)
    counts: dict[str, int] = {}
    for item in without:
        for fixture in missing & set(getattr(item, "fixturenames", ())):
            counts[TOOLS[fixture]] = counts.get(TOOLS[fixture], 0) + 1
    config.stash[left_out] = counts


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for command, count in config.stash.get(left_out, {}).items():
        terminalreporter.write_line(f"{count} tests left out: {command} is not installed")


@pytest.fixture
def systemd_analyze() -> str:
    return needed("systemd-analyze")


@pytest.fixture
def shellcheck() -> str:
    return needed("shellcheck")


@pytest.fixture
def dot() -> str:
    return needed("dot")


@pytest.fixture
def wireviz() -> str:
    return needed("wireviz")


@pytest.fixture
def openscad() -> str:
    return needed("openscad")
