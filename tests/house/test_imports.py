"""What the contracts in pyproject.toml cannot say of imports.

`make lint` runs import-linter with those contracts: floors, circles, who knows whom.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OWN = ("referee", "hardware")
STANDARD_ONLY = ("referee.errors", "referee.rulebook", "referee.games", "referee.session")
"""Parts that need nothing but Python: rulebooks and sessions run wherever Python does."""

NO_IO = {
    "random",
    "secrets",
    "time",
    "datetime",
    "os",
    "pathlib",
    "io",
    "socket",
    "subprocess",
    "threading",
    "asyncio",
}
"""What neither kit, game nor tournament may touch: a game is a function of its answers, an event of its acts."""


@pytest.fixture(scope="module")
def libraries() -> dict[str, set[str]]:
    """What each module of the house imports from outside it, wherever in it the import stands."""
    imports: dict[str, set[str]] = {}
    for path in (path for package in OWN for path in sorted((ROOT / package).rglob("*.py"))):
        names = imports.setdefault(".".join(path.relative_to(ROOT).with_suffix("").parts), set())
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(str(node.module))
    own = ("__future__", *OWN)
    return {module: {n for n in names if n.partition(".")[0] not in own} for module, names in imports.items()}


def test_rulebooks_and_sessions_need_nothing_but_python(libraries: dict[str, set[str]]) -> None:
    for module, names in libraries.items():
        if module.startswith(STANDARD_ONLY):
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names, module


def test_kit_games_and_tournament_do_no_io(
    libraries: dict[str, set[str]],
) -> None:
    for module, names in libraries.items():
        asks = {"threading"} if module == "referee.rulebook.watchdog" else set()  # in which thread it is
        if module.startswith(("referee.rulebook", "referee.games", "referee.tournament")):
            assert not {name.partition(".")[0] for name in names} & NO_IO - asks, module


def test_dependencies_are_what_is_imported(
    libraries: dict[str, set[str]],
) -> None:
    project = PYPROJECT["project"]
    lines = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    dependencies = {match[0].lower() for line in lines if (match := re.match(r"[\w.-]+", line))}
    owners = packages_distributions()
    used: set[str] = set()
    for name in set().union(*libraries.values()):
        top, _, rest = name.partition(".")
        if top == "luma":  # one namespace, two distributions
            used.add(f"luma.{rest.partition('.')[0]}")
        elif top not in sys.stdlib_module_names:
            used |= {each.lower() for each in owners[top]}
    assert used <= dependencies
    # imported by name, on a Pi only, and by uvicorn
    assert dependencies - used == {"lgpio", "spidev", "websockets"}
