"""What is mutated and what tests it: this project by default, a small one in the tests of the tool itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Project:
    """``packages``: their files by name. ``left_out``: folders with tests that reach them only in other processes."""

    root: Path = ROOT
    packages: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("session", ("referee/session",)),
        ("journal", ("referee/journal",)),
        ("console", ("referee/console",)),
        ("hardware", ("hardware",)),
        ("rulebook", ("referee/rulebook",)),
        ("games", ("referee/games",)),
    )
    recorded: tuple[str, ...] = ("hardware", "referee")
    """Folders of the sources; outside the packages, too, a line may use what a package defines."""
    left_out: tuple[str, ...] = ("docs", "e2e", "firmware", "house", "kernel", "mutation", "pi")
    marks: str = "not long and not timed"
    grace: float = 10.0
    """Seconds that a fault may take beside what its tests may take."""

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The lines of every source, by its path from the root."""
        files = {str(path.relative_to(self.root)): path for path in self.sources()}
        return {name: path.read_text(encoding="utf-8").splitlines() for name, path in files.items()}

    def files(self, *packages: str) -> Iterator[Path]:
        """Yield the sources of some packages, of all without a name."""
        for name, paths in self.packages:
            if not packages or name in packages:
                for path in paths:
                    yield from sorted((self.root / path).rglob("*.py"))

    def sources(self) -> Iterator[Path]:
        """Yield every source."""
        for folder in self.recorded:
            yield from sorted((self.root / folder).rglob("*.py"))

    def test_files(self) -> Iterator[Path]:
        """Yield the files with tests that run in one process."""
        for path in sorted((self.root / "tests").rglob("test_*.py")):
            if path.relative_to(self.root / "tests").parts[0] not in self.left_out:
                yield path
