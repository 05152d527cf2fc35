"""Imports run one way through the house; read off the syntax tree, so that no import can hide in a function."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MAY: dict[str, set[str]] = {
    "referee": set(),
    "referee.errors": set(),
    "referee.files": {"referee.errors"},
    "referee.config": {"referee.errors", "referee.files"},
    "referee.rulebook": {"referee.errors"},
    "referee.games": {"referee.rulebook", "referee.errors"},
    "referee.session": {"referee.rulebook", "referee.errors"},
    "referee.journal": {"referee.session", "referee.rulebook", "referee.files", "referee.errors"},
    "referee.drive": {"referee.session", "referee.rulebook", "referee.files", "referee.errors"},
    "referee.console": {
        "referee.session", "referee.rulebook", "referee.config", "referee.errors", "hardware.events",
    },
    "referee.web": {"referee.files", "referee.errors"},
    "referee.station": {
        "referee.console", "referee.games", "referee.rulebook", "referee.session", "referee.journal", "referee.web",
        "referee.config", "referee.files", "referee.errors", "hardware",
    },
    "referee.doctor": {
        "referee.console", "referee.games", "referee.journal", "referee.config", "referee.errors", "hardware",
    },
    "referee.testing": {
        "referee.station", "referee.console", "referee.journal", "referee.session", "referee.config", "hardware",
    },
    "referee.cli": {
        "referee", "referee.games", "referee.rulebook", "referee.session", "referee.journal", "referee.drive",
        "referee.station", "referee.doctor", "referee.config", "referee.files", "referee.errors",
    },
    "referee.__main__": {"referee.cli"},
    "hardware": set(),
}  # fmt: skip
"""Each part of the house and what it may import besides itself. Whoever adds a part writes it down here."""

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
"""What neither the kit nor a game may touch: a game is a function of its answers."""

UNIMPORTED = {"websockets": "uvicorn speaks WebSocket with it"}
"""Dependencies that no line of ours imports, and why they are there."""


def sources() -> Iterator[tuple[str, Path]]:
    """Yield every module of the packages with its file."""
    for package in OWN:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(module: str, text: str, *, package: bool = False) -> Iterator[str]:
    """Yield the full name of everything a module imports, wherever in it the import stands."""
    here = module if package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = here.split(".")[: len(here.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            # ``from referee import games`` imports referee.games, not the whole package.
            yield from (f"{base}.{alias.name}" for alias in node.names)


def part_of(name: str) -> str | None:
    """Return the part of the house a module or imported name belongs to, None for a library."""
    return max((part for part in MAY if name == part or name.startswith(f"{part}.")), key=len, default=None)


def breaches(module: str, text: str, *, package: bool = False) -> list[str]:
    """Return the imports of a module that run the wrong way."""
    mine = part_of(module)
    assert mine is not None, f"{module} belongs to no part of the house"
    wrong = []
    for name in imported(module, text, package=package):
        theirs = part_of(name)
        if theirs is None or theirs == mine:
            continue
        single = [may for may in MAY[mine] if may not in MAY]  # a module of a part, not all of it
        if theirs not in MAY[mine] and not any(name == may or name.startswith(f"{may}.") for may in single):
            wrong.append(f"{module} imports {name}")
    return wrong


def test_imports_run_one_way() -> None:
    found = [
        wrong
        for module, path in sources()
        for wrong in breaches(module, path.read_text(encoding="utf-8"), package=path.name == "__init__.py")
    ]
    assert found == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("referee.rulebook.play", "from referee.session import Session"),
        ("referee.games.duel.book", "def f():\n    import referee.console"),
        ("referee.games.duel.book", "from hardware.events import Press"),
        ("referee.session.run", "from referee.games import load"),
        ("referee.console.cards.asks", "from hardware.box import Box"),
        ("referee.console.console", "from referee import games"),
        ("referee.console.console", "from referee.journal import Journal"),
        ("referee.session.session", "import referee.journal"),
        ("referee.journal.file", "from referee.config import Config"),
        ("referee.web.server", "from referee.console.console import Console"),
        ("referee.cli.commands", "import hardware.box"),
        ("referee.cli.commands", "from referee.console import views"),
        ("hardware.glass.oled", "from referee.errors import RefereeError"),
        ("referee.rulebook.play", "from ..session import session"),
    ],
)
def test_an_import_against_the_grain_is_found(module: str, line: str) -> None:
    assert breaches(module, line)


def test_no_two_parts_import_each_other() -> None:
    settled: list[str] = []
    while rest := [part for part in MAY if part not in settled]:
        ready = [p for p in rest if all(a in settled or part_of(a) in {*settled, p} for a in MAY[p] - {p})]
        assert ready, f"a ring among {rest}"
        settled += ready


def libraries(module: str, path: Path) -> set[str]:
    """Return the top names a module imports from outside the house."""
    names = imported(module, path.read_text(encoding="utf-8"), package=path.name == "__init__.py")
    return {name.partition(".")[0] for name in names} - {*OWN, "__future__"}


def test_rulebooks_and_sessions_need_nothing_but_python() -> None:
    for module, path in sources():
        if module.startswith(STANDARD_ONLY):
            assert libraries(module, path) <= sys.stdlib_module_names, module


def test_neither_the_kit_nor_a_game_reads_a_clock_a_file_or_a_random_number() -> None:
    for module, path in sources():
        if module.startswith(("referee.rulebook", "referee.games")):
            assert not libraries(module, path) & NO_IO, module


def test_a_game_imports_only_itself_and_the_kit() -> None:
    for module, path in sources():
        if not module.startswith("referee.games."):
            continue
        folder = ".".join(module.split(".")[:3])
        for name in imported(module, path.read_text(encoding="utf-8"), package=path.name == "__init__.py"):
            if name.startswith("referee."):
                assert name.startswith((folder, "referee.rulebook", "referee.errors")), f"{module} imports {name}"


def test_every_library_that_is_imported_is_a_dependency_and_every_dependency_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["pi"]]
    named = {line.split(">")[0].split("<")[0].split("=")[0].strip().lower() for line in asked}
    owners = packages_distributions()
    used: set[str] = set()
    for module, path in sources():
        for name in imported(module, path.read_text(encoding="utf-8")):
            top = name.partition(".")[0]
            if top in OWN or top in sys.stdlib_module_names:
                continue
            if top == "luma":  # one namespace, two distributions
                used.add(".".join(name.split(".")[:2]))
            else:
                used |= {each.lower() for each in owners[top]}
    assert used - named == set()
    assert named - used == {*UNIMPORTED, "lgpio", "spidev"}  # imported by name and by luma, on a Raspberry Pi only
