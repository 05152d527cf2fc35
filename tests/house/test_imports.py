"""What the contracts in pyproject.toml cannot say of imports, and that they see what they are there for.

`make lint` runs import-linter with those contracts: floors, circles, who knows whom.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {contract["id"]: contract for contract in PYPROJECT["tool"]["importlinter"]["contracts"]}

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


def test_neither_kit_game_nor_tournament_reads_a_clock_a_file_or_a_random_number(
    libraries: dict[str, set[str]],
) -> None:
    for module, names in libraries.items():
        asks = {"threading"} if module == "referee.rulebook.watchdog" else set()  # in which thread it is
        if module.startswith(("referee.rulebook", "referee.games", "referee.tournament")):
            assert not {name.partition(".")[0] for name in names} & NO_IO - asks, module


def test_every_library_that_is_imported_is_a_dependency_and_every_dependency_is_used(
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
    assert used - dependencies == {"pytest"}  # by the plugin alone, which pytest itself imports
    # imported by name and by luma, on a Pi only, and by uvicorn
    assert dependencies - used == {"lgpio", "spidev", "websockets"}


CIRCLES = {
    "cards import the console for its type": {
        "referee/console/console.py": "from referee.console.cards.menu import Menu",
        "referee/console/cards/menu.py": """
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from referee.console.console import Console
            """,
    },
    "a session imports what replays it inside a method": {
        "referee/session/session.py": """
            class Session:
                @classmethod
                def resume(cls):
                    from referee.session.replay import resumed
                    return resumed()
            """,
        "referee/session/replay.py": "from referee.session.session import Session",
    },
    "commands take their paths from the options, and the options their commands from them": {
        "referee/cli/commands.py": "def show(args):\n    from referee.cli.options import journal_path",
        "referee/cli/options.py": "from referee.cli import commands",
    },
    "a package imports another whose module imports it": {
        "hardware/keys/debounce.py": "import hardware.line.wire",
        "hardware/line/wire.py": "from ..keys import debounce",
    },
}
"""Modules of a small tree that import each other, by what they do."""


def lint(tree: Path, files: dict[str, str], *contracts: str) -> str:
    """Return what import-linter says of a small tree by some of our contracts, none of its imports let pass."""
    for name, text in {"referee/__init__.py": "", "hardware/__init__.py": "", **files}.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
        for folder in path.relative_to(tree).parents[:-1]:
            (tree / folder / "__init__.py").touch()
    lines = ["[importlinter]", "root_packages =", "  referee", "  hardware"]
    for name in contracts:
        lines.append(f"[importlinter:contract:{name}]")
        for key, value in CONTRACTS[name].items():
            if isinstance(value, list) and key != "ignore_imports":
                lines += [f"{key} =", *(f"  {each}" for each in value)]
            elif key not in ("id", "ignore_imports"):
                lines.append(f"{key} = {value}")
    (tree / ".importlinter").write_text("\n".join(lines))
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=60, check=False).stdout


def empty(*names: str) -> dict[str, str]:
    """Return packages with nothing in them."""
    return {f"{name.replace('.', '/')}/__init__.py": "" for name in names}


@pytest.mark.parametrize("files", CIRCLES.values(), ids=CIRCLES)
def test_a_circle_is_found_and_one_half_of_it_is_none(tmp_path: Path, files: dict[str, str]) -> None:
    assert "No cycles are allowed in" in lint(tmp_path / "whole", files, "circles")
    (_, (name, text)) = files.items()
    half = dict.fromkeys(files, "") | {name: text}
    assert "1 kept, 0 broken" in lint(tmp_path / "half", half, "circles")


def test_an_import_against_the_grain_is_found(tmp_path: Path) -> None:
    against = {
        "core": {"referee/session/session.py": "import hardware.events"},
        "doctor": {"referee/doctor/hands.py": "from referee import station"},
        "line": {"referee/cli/commands.py": "from referee.console import views"},
        "devices": {"hardware/rhythm.py": "from referee.errors import Refused", "referee/errors.py": ""},
        "console": {"referee/console/console.py": "def f():\n    from hardware.box import Box"},
        "panel": {"referee/web/server.py": "from referee import journal"},
        "games": {"referee/games/ford/book.py": "import referee.games.duel"},
    }
    named = {
        name
        for each in against
        for key in ("source_modules", "forbidden_modules")
        for name in CONTRACTS[each].get(key, ())
    }
    house = empty(*named, "referee.games.duel", "referee.games.ford")
    assert "7 kept, 0 broken" in lint(tmp_path / "without", house, *against)
    output = lint(
        tmp_path / "with", {**house, **{k: v for each in against.values() for k, v in each.items()}}, *against
    )
    assert [name for name in against if f"{CONTRACTS[name]['name']} BROKEN" not in output] == []


def test_the_floors_stand_as_the_architecture_draws_them(tmp_path: Path) -> None:
    against = [
        *(("rulebook", "session"), ("games", "session"), ("session", "games"), ("session", "journal")),
        *(("journal", "console"), ("console", "web"), ("web", "station"), ("station", "cli")),
    ]
    house = empty(*(f"referee.{name}" for name in re.findall(r"\w+", " ".join(CONTRACTS["floors"]["layers"]))))
    assert "1 kept, 0 broken" in lint(tmp_path / "without", house, "floors")
    wrong = {
        f"referee/{low}/{high}.py": f"def f():\n    from referee.{high} import anything" for low, high in against
    }
    output = lint(tmp_path / "with", house | wrong, "floors")
    assert [
        pair for pair in against if "referee.{} is not allowed to import referee.{}".format(*pair) not in output
    ] == []


def test_whoever_adds_a_part_of_the_house_says_where_it_stands(tmp_path: Path) -> None:
    names = re.findall(r"\w+", " ".join(CONTRACTS["floors"]["layers"]))
    output = lint(tmp_path, empty(*(f"referee.{name}" for name in (*names, "attic"))), "floors")
    assert "not listed as layers" in output
    assert "referee.attic" in output
