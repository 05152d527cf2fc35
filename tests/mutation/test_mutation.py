"""`make mutants` tells which faults of a small project its tests notice; what nobody could notice it leaves alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mutation.operators import Source
from tests.mutation.project import ROOT

CODE = '''
"""A small module."""

from functools import cache

LIMIT = 3


def clamp(value: int) -> int:
    """Return it, but no more than the limit."""
    if value > LIMIT:
        return LIMIT
    return value


def steps(most: int) -> list[int]:
    done: list[int] = []
    while len(done) < most:
        done.append(len(done))
    return done


class Base:
    def name(self) -> str:
        return "base"


class Derived(Base):
    def name(self) -> str:
        return super().name()


@cache
def doubled(value: int) -> int:
    return 2 * value


def forgotten(value: int) -> int:
    return value + 1
'''

TESTS = """
    from small.calc import Derived, clamp, doubled, steps


    def test_before():
        doubled(2)


    def test_doubled():
        assert doubled(2) == 4


    def test_clamp(tmp_path):
        assert clamp(5) == 3
        assert clamp(2) == 2
        (tmp_path / "note").touch()


    def test_steps():
        assert steps(3) == [0, 1, 2]


    def test_name():
        assert Derived().name() == "base"
"""

RUN = """
    import sys
    from pathlib import Path
    from tests.mutation.__main__ import main
    from tests.mutation.project import Project
    project = Project(Path.cwd(), (("small", ("small",)),), recorded=("small",), left_out=(), marks="", grace=2.0)
    sys.exit(main(sys.argv[1:], project))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "small/calc.py": CODE,
        "small/__init__.py": "",
        "tests/test_calc.py": TESTS,
        "pytest.ini": "[pytest]\npythonpath = .\naddopts = --import-mode=importlib\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text))
    return tmp_path


def mutants(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", dedent(RUN), *arguments],
        cwd=project,
        env={n: v for n, v in os.environ.items() if not n.startswith(("PYTEST_", "COV"))} | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


@pytest.mark.long
def test_what_the_tests_notice_is_killed_and_the_rest_is_listed_with_its_change(project: Path) -> None:
    done = mutants(project, "--mutants", "1000", "--workers", "1")
    survivors = re.findall(r"^small/calc\.py:(\d+)  (.*)\n-(.*)\n\+(.*)$", done.stdout, re.MULTILINE)
    forgotten = ("return None", "return value + 0", "return value + 2", "return value - 1")
    assert sorted((int(line), words, new.strip()) for line, words, _, new in survivors) == [
        (11, "survived 1 tests", "if value >= LIMIT:"),  # the same program, in other words
        *((39, "is reached by no test", new) for new in forgotten),
    ], done.stdout + done.stderr
    (row,) = re.findall(r"^small +(\d+) +(\d+) +(\d+) +(\d+) +([\d.]+)%$", done.stdout, re.MULTILINE)
    faults, killed, slow, survived = map(int, row[:4])
    assert (slow, survived) == (1, 5), "an endless loop is ended"
    assert faults == killed + slow + survived == 21
    assert float(row[4]) < 85
    assert done.returncode == 1
    again = mutants(project, "--mutants", "3", "--at-least", "0")
    assert again.returncode == 0
    assert re.search(r"^all +3 ", again.stdout, re.MULTILINE)
    assert "recording" not in again.stderr, "nothing has changed since"


def test_a_fault_is_shown_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "text.py").write_text("def f(a, b):\n    return a < 2 and (b if a else -1)\n")
    source = Source(tmp_path, "text.py")
    faults = [source.mutant(number, "") for number in range(len(source.sites))]
    shown = [fault.diff.splitlines()[-1].strip("+ ") for fault in faults if fault]
    assert "return a < 2 and (b if a else -2)" in shown
    assert "return a <= 2 and (b if a else -1)" in shown
    assert "return a < 2 and (b if a else 1)" in shown


def test_what_nobody_could_notice_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "quiet.py").write_text(
        dedent('''
        """Words."""
        from __future__ import annotations
        from dataclasses import dataclass
        from typing import TYPE_CHECKING, Literal
        if TYPE_CHECKING:
            from small import calc
        Kind = Literal["a", "b"]
        Number = int | None
        __all__ = ["Kind"]
        @dataclass(frozen=True)
        class Thing:
            """More words."""
            name: str
            def read(self, text: str = "Two words") -> str:
                assert len(text) > 1, "never"
                print("Words for people.")
                return text
        ''')
    )
    source = Source(tmp_path, "quiet.py")
    faults = [source.mutant(number, "") for number in range(len(source.sites))]
    assert [fault.diff.splitlines()[-1].strip("+ ") for fault in faults if fault] == ["pass", "return None"]


@pytest.mark.long
def test_a_recording_that_breaks_off_is_told_and_none_at_all_is_not_taken_for_tests_that_reach_nothing(
    project: Path,
) -> None:
    with (project / "tests/test_calc.py").open("a") as tests:
        tests.write("\nimport functools\n\nCACHED_CLASS = functools.lru_cache(dict)\n")  # as libraries have them
    assert mutants(project, "--mutants", "3", "--at-least", "0").returncode == 0
    (project / "tests/conftest.py").write_text("def pytest_runtest_protocol():\n    raise RuntimeError\n")
    (project / "tests/test_calc.py").write_text(dedent(TESTS))
    broken = mutants(project, "--mutants", "3")
    assert (broken.returncode, "no test was recorded" in broken.stderr) == (1, True), broken.stdout + broken.stderr
