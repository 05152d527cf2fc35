"""For all tests: what a machine lacks is said, and what depends on it is left out."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import settings

from tests.components import COMPONENTS, MEMORY, TOOLS, command, missing

HERE = Path(__file__).parent
SLOWEST = ("e2e", "web", "conformance", "bench", "pi", "oracles", "hall", "house", "games", "console")

# How long one example takes depends on who else uses the machine.
settings.register_profile("unhurried", parent=settings.default, deadline=None)
settings.load_profile("unhurried")


def rank(folder: str) -> int:
    """Return the place of a folder of tests: the slowest first."""
    return SLOWEST.index(folder) if folder in SLOWEST else len(SLOWEST)


lacking = pytest.StashKey[Counter[str]]()
"""How many tests were left out, by what this machine lacks."""
late = pytest.StashKey[int]()
"""How many tests were left out because the time for them was over."""
end = pytest.StashKey[float]()
"""The time after which no test begins, as `monotonic` tells it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, help="begin no test later than so many seconds after the start")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[lacking] = Counter()
    config.stash[late] = 0
    config.stash[end] = monotonic() + (config.getoption("seconds") or math.inf)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what cannot run here, and begin with the slowest: workers take the files in this order."""
    if not config.getoption("seconds"):
        items.sort(key=lambda item: rank(item.path.relative_to(HERE).parts[0]))
    reasons = missing()
    without = []
    for item in items:
        # A test that is repeated with another store (tests/hall/conftest.py) needs that one, too.
        store = item.callspec.params.get("store", "") if hasattr(item, "callspec") else ""
        needs = [*getattr(item, "fixturenames", ()), store]
        if wanting := {reasons[name] for name in needs if name in reasons}:
            config.stash[lacking].update(wanting)
            without.append(item)
    if without:
        items[:] = [item for item in items if item not in without]
        config.hook.pytest_deselected(items=without)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Pass over what would begin too late."""
    if monotonic() < item.config.stash[end]:
        return None
    item.config.stash[late] += 1
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a worker tell the controller what it left out."""
    if hasattr(session.config, "workeroutput"):
        counts = session.config.stash[lacking]
        session.config.workeroutput |= {"lacking": dict(counts), "late": session.config.stash[late]}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear it from a worker. Each collects every test, and runs some."""
    output = getattr(node, "workeroutput", {})
    node.config.stash[lacking] |= Counter(output.get("lacking", {}))
    node.config.stash[late] += output.get("late", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for reason, count in config.stash[lacking].items():
        terminalreporter.write_line(f"{count} tests left out: {reason}")
    if config.stash[late]:
        terminalreporter.write_line(f"{config.stash[late]} tests left out: the time for them was over")


@pytest.fixture
def memory() -> Iterator[Path]:
    """A fresh folder, in memory where the machine has such a place: its disk is simulated, or does not matter."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


def component(name: str) -> object:
    """Return the fixture of a component: where its command is, if it is one. With CI=true it may be missing."""

    @pytest.fixture(name=name, scope="session")
    def found() -> str | None:
        reason, there = COMPONENTS[name]
        assert there, reason
        return command(name.replace("_", "-"))

    return found


for tool in ("axe", "pyodide", "root", "terminal", *TOOLS):
    globals()[f"{tool}_component"] = component(tool.replace("-", "_"))
