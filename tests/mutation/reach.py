"""Which tests reach which line, and what each costs; recorded once for a state of the tree."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from coverage import CoverageData

from tests.mutation.project import ROOT, Project


@dataclass
class Reach:
    """``seconds`` of the processor that a test takes; tests by the ``lines`` and by the ``files`` they reach."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    files: dict[str, set[str]] = field(default_factory=dict)

    def add(self, folder: Path, root: Path) -> None:
        """Take in what the recorder wrote."""
        for path in folder.glob("times-*.json"):
            self.seconds |= json.loads(path.read_text(encoding="utf-8"))
        for path in folder.glob("lines-*"):
            data = CoverageData(str(path))
            data.read()
            for file in data.measured_files():
                name = str(Path(file).relative_to(root))
                for line, tests in data.contexts_by_lineno(file).items():
                    reaching = {sys.intern(test) for test in tests if test in self.seconds}
                    self.lines.setdefault((name, line), set()).update(reaching)
                    self.files.setdefault(name, set()).update(reaching)

    def forget(self, tests: set[str]) -> None:
        """Drop some tests."""
        for test in tests:
            self.seconds.pop(test, None)
        for reaching in (*self.lines.values(), *self.files.values()):
            reaching.difference_update(tests)


def record(project: Project, workers: int) -> Reach:
    """Return the map of this state of the tree; only tests that have changed are run again for it."""
    store = project.root / ".cache" / "mutation.pickle"
    sources = _digest(project.root, [*project.sources()])
    tests = {str(p.relative_to(project.root)): _digest(project.root, [p]) for p in project.test_files()}
    reach, known = Reach(), dict[str, str]()
    if store.exists():
        before, known_before, reach_before = pickle.loads(store.read_bytes())  # written below
        if before == sources:
            reach, known = reach_before, known_before
    changed = [name for name, digest in tests.items() if known.get(name) != digest]
    outdated = {*changed, *(known.keys() - tests.keys())}
    reach.forget({test for test in reach.seconds if test.partition("::")[0] in outdated})
    if changed:
        print(f"recording which tests of {len(changed)} files reach which lines", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            _run(project, changed, Path(folder), workers)
            reach.add(Path(folder), project.root)
        store.parent.mkdir(exist_ok=True)
        store.write_bytes(pickle.dumps((sources, tests, reach)))
    return reach


def _run(project: Project, tests: list[str], folder: Path, workers: int) -> None:
    folders = ":".join(str(project.root / each) for each in project.recorded)
    env = os.environ | {"MUTATION_RECORD": str(folder), "MUTATION_SOURCES": folders, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutation.recorder", "-p", "no:cacheprovider"]
    command += ["-m", project.marks, "-n", str(workers), *tests]
    done = subprocess.run(command, cwd=project.root, env=env, capture_output=True, text=True, check=False)
    passed = [each for each in folder.glob("times-*.json") if json.loads(each.read_text(encoding="utf-8"))]
    if done.returncode > 1 or not passed:  # 1: some tests failed
        raise RuntimeError(f"no test was recorded:\n{done.stdout}{done.stderr}")
    print(done.stdout.splitlines()[-1], file=sys.stderr)


def _digest(root: Path, files: list[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()
