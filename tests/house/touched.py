"""`make check`: the tests that a change since the last commit touches, nearest first, for so many seconds.

A module touches the tests that mirror it (`referee/session/run.py`: `tests/session/test_run.py`), those of the folder
that mirrors its own, and those that import it: directly, through the package that offers it, or through a helper of
theirs. Any other file touches the tests of the folder that mirrors its own, and a document those of the house.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
PACKAGES = ("referee", "hardware")
SECONDS = 10
"""After which no test begins: what lint, types and the test that is running leave of the thirty of `make check`."""
MOST = 40
"""Files of tests that are read, the nearest ones: all of them would take longer to read than to run."""


class Tree:
    """The Python files of a checkout and what each imports. Paths are relative to its root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = {
            str(path.relative_to(root)): path
            for top in (*PACKAGES, "tests")
            for path in sorted((root / top).rglob("*.py"))
            if "node_modules" not in path.parts
        }
        self.tests = [name for name in self.files if PurePosixPath(name).name.startswith("test_")]
        self.imports = {name: set(self._imports(name)) & set(self.files) for name in self.files}

    def _imports(self, name: str) -> Iterator[str]:
        """Yield the files a file imports, with those that may be meant by a name taken from a package."""
        for node in ast.walk(ast.parse(self.files[name].read_bytes())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for each in names:
                path = each.replace(".", "/")
                yield from (f"{path}.py", f"{path}/__init__.py")

    def touched(self, changed: str) -> list[str]:
        """Return the tests that a changed file touches, nearest first."""
        path = PurePosixPath(changed)
        if changed in self.tests:
            return [changed]
        folder = self._mirror(path)
        if path.name == "conftest.py" and path.parts[0] == "tests":
            return self._inside(folder)
        if changed not in self.files:
            return self._inside(folder)
        namesake = f"{folder}/test_{path.stem}.py"
        near = [namesake] if namesake in self.tests else []
        # A folder with many others below it is no mirror of a single module.
        around = [] if path.parts[0] == "tests" else self._inside(folder, deep=False)
        return [*dict.fromkeys((*near, *around, *self._importers(changed)))]

    def _mirror(self, path: PurePosixPath) -> str:
        """Return the folder of the tests nearest to where the mirror of a file would stand."""
        parts = path.parts[1:-1] if path.parts[0] in (*PACKAGES, "tests") else path.parts[:-1]
        if path.parts[0] == "hardware":
            parts = ("hardware", *parts)
        places = ["/".join(("tests", *parts[:n])) for n in range(len(parts), 0, -1)]
        return next((place for place in places if (self.root / place).is_dir()), "tests/house")

    def _inside(self, folder: str, *, deep: bool = True) -> list[str]:
        return [
            t
            for t in self.tests
            if t.startswith(f"{folder}/") and (deep or PurePosixPath(t).parent.as_posix() == folder)
        ]

    def _importers(self, changed: str) -> list[str]:
        """Return the tests that import a file, through its package and through the helpers of tests too."""
        offered = str(PurePosixPath(changed).parent / "__init__.py")
        wanted = {changed, offered} if changed in self.imports.get(offered, ()) else {changed}
        helpers = [n for n in self.files if n.startswith(("tests/", "referee/testing/")) and n not in self.tests]
        while more := [each for each in helpers if each not in wanted and self.imports[each] & wanted]:
            wanted |= set(more)
        return [test for test in self.tests if self.imports[test] & wanted]


def changed(root: Path) -> list[str]:
    """Return the files that differ from the last commit, and the new ones."""
    files: list[str] = []
    for command in (["diff", "--name-only", "--relative", "HEAD"], ["ls-files", "--others", "--exclude-standard"]):
        done = subprocess.run(["git", *command], cwd=root, capture_output=True, text=True, check=True)
        files += done.stdout.splitlines()
    return files


def main(arguments: list[str]) -> int:
    tree, files = Tree(ROOT), changed(ROOT)
    tests = [*dict.fromkeys(test for file in files for test in tree.touched(file))]
    if not tests:
        print("nothing has changed since the last commit that a test looks at")
        return 0
    if len(tests) > MOST:
        print(f"the {MOST} nearest of {len(tests)} files of tests that this change touches; make test runs all")
    options = ["-q", "-n", "auto", "--dist", "load", "-m", "not long and not timed", f"--seconds={SECONDS}"]
    code = subprocess.call([sys.executable, "-m", "pytest", *options, *arguments, *tests[:MOST]], cwd=ROOT)
    return 0 if code == 5 else code  # 5: only long or timed ones


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
