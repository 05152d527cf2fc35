"""A box for the games; and after their tests, how many rules and vectors of each chapter they covered, as a table."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import games
from referee.station.virtual.bench import Bench

VECTORS = {
    "battle-of-the-ring": ("BR", {"T": 43}),
    "riddle-of-the-ring": ("RR", {"T": 36}),
    "war-of-the-ring": ("WR", {"S": 4, "T": 47}),
    "middle-earth-the-wizards": ("ME", {"S": 9, "T": 36}),
}
"""The test vectors of the specification: prefix of the chapter, and how many there are of each series."""

NAMED = re.compile(r"(BR|RR|WR|ME)[-_]((?:_?(?:to_)?[ST]\d+)+)")
STEP = re.compile(r"(to_)?([ST])(\d+)")
_passed: defaultdict[str, set[str]] = defaultdict(set)
_failed: set[str] = set()


def named(test: str) -> list[str]:
    """Return the vectors a test's name claims.

    >>> named("test_ME_S1_to_S3_and_more"), named("test_RR_T05_T06_twins")
    (['ME-S01', 'ME-S02', 'ME-S03'], ['RR-T05', 'RR-T06'])
    """
    ids: list[str] = []
    for chapter, steps in NAMED.findall(test):
        before = 0
        for upto, series, digits in STEP.findall(steps):
            number = int(digits)
            ids += [f"{chapter}-{series}{n:02}" for n in range(before + 1 if upto else number, number + 1)]
            before = number
    return ids


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A simulated box with the shelf on its glass."""
    with Bench(tmp_path / "journal.db") as bench:
        yield bench


def pressed(bench: Bench, *keys: str) -> int:
    """Press these keys as a player does; return how many presses that were."""
    before = bench.presses
    bench.key(*keys)
    return bench.presses - before


def cited(book_id: str) -> tuple[int, int]:
    """Return how many rule ids of a game its code cites outside the list of its rules, and how many there are."""
    folder = Path(games.__file__).parent / games.SHELF[book_id].partition(":")[0].rpartition(".")[2]
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    rules = [rule for rule in games.load(book_id).rules if not rule.startswith("A-")]
    return sum(bool(re.search(f'"{rule}"(?!:)', text)) for rule in rules), len(rules)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when != "call" and not report.failed:
        return
    for vector in named(report.nodeid):
        (_passed[vector] if report.passed else _failed).add(report.nodeid if report.passed else vector)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _passed and not _failed:
        return
    terminalreporter.section("rules and vectors of the games")
    for book_id, (chapter, series) in VECTORS.items():
        wanted = [f"{chapter}-{s}{n:02}" for s, most in series.items() for n in range(1, most + 1)]
        good = [v for v in wanted if v in _passed and v not in _failed]
        done, rules = cited(book_id)
        missing = ", ".join(v for v in wanted if v not in good)
        line = f"{book_id:26} rules cited {done:3} of {rules:3}   vectors passed {len(good):2} of {len(wanted):2}"
        terminalreporter.write_line(line + (f"   not passed in this run: {missing}" if missing else ""))
