"""`make figures`: how large the house is, each figure with the most it may be; 1 if one is over it.

Lines are those of Python files, comments and blank ones included. Rooms are `hardware` and the packages and
modules of `referee`; an arrow is an import from one room to another, counted once.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.bench.start import station

ROOT = Path(__file__).parents[2]
PRODUCT = ("referee", "hardware", "firmware")


def files(pattern: str) -> list[Path]:
    """Return the files of the repository that match, as git knows them."""
    listed = subprocess.run(["git", "ls-files", "--", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def lines(paths: Iterable[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in paths)


def room(name: str) -> str:
    """Return the room of a module: "referee.hall", "referee.errors", "hardware"."""
    parts = name.split(".")
    return parts[0] if parts[0] == "hardware" else ".".join(parts[:2])


def house() -> tuple[set[str], set[tuple[str, str]]]:
    """Return the rooms and the arrows."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for top in ("referee", "hardware")
        for path in files(f"{top}/*.py")
    }
    rooms = {room(name) for name in modules if "." in name and not name.endswith("__main__")}
    arrows = set()
    for name, path in modules.items():
        for node in ast.walk(ast.parse(path.read_bytes())):
            targets = []
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                targets = [f"{node.module}.{alias.name}" for alias in node.names]
            arrows |= {(room(name), room(each)) for each in targets}
    return rooms, {(one, other) for one, other in arrows if {one, other} <= rooms and one != other}


def figures() -> dict[str, tuple[int, int]]:
    """Return each figure and the most it may be."""
    documents = [path for path in files("*.md") if path.parent in (ROOT, ROOT / "docs")]
    rooms, arrows = house()
    product = lines(path for top in PRODUCT for path in files(f"{top}/*.py"))
    events = lines([*files("referee/hall/*.py"), *files("referee/tournament/*.py")])
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    own = station(panel=True, idle=0.0)["own_modules"]
    return {
        "lines of Python in referee, hardware, firmware": (product, 50_000),
        "of these in hall and tournament": (events, 8_000),
        "lines of Python in tests": (lines(files("tests/*.py")), 56_000),
        "lines of kept texts": (lines(files("tests/*/kept/*")), 4_000),
        "rooms": (len(rooms), 19),
        "arrows between them": (len(arrows), 70),
        "documents": (len(documents), 16),
        "words in them": (sum(len(path.read_text(encoding="utf-8").split()) for path in documents), 34_000),
        "packages in requirements.lock": (sum("==" in line and line[0].isalpha() for line in locked if line), 18),
        "modules of its own that a station with its panel loads": (own, 170),
    }


def main() -> int:
    """Print them, and lines of each room."""
    over = False
    for name, (value, most) in figures().items():
        over |= value > most
        print(f"{name:56}{value:8,}  at most {most:7,}{'  over' * (value > most)}")
    print()
    rooms = sorted({path.parts[len(ROOT.parts) + 1].removesuffix(".py") for path in files("referee/*.py")})
    sizes = {name: lines([*files(f"referee/{name}/*.py"), *files(f"referee/{name}.py")]) for name in rooms}
    sizes |= {top: lines(files(f"{top}/*.py")) for top in ("hardware", "firmware", "tests")}
    for name, size in sorted(sizes.items(), key=lambda each: -each[1]):
        print(f"{name:56}{size:8,}")
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
