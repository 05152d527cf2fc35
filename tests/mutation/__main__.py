"""`make mutants`: how many small faults put into the code the tests notice.

    make mutants ARGS="--mutants 200 --seed 7 --only session"

Drawn by seed, as many from each package as from any other. A fault is tried with the tests that reach its line, those
of the folder that mirrors its own first, the quickest before the others; they may take `BUDGET` seconds of the
processor. Prints the survivors with their changes and the score by package; ends with 1 below `--at-least`.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import PurePosixPath

import hypothesis

from tests.mutation.operators import Mutant, Source
from tests.mutation.project import Project
from tests.mutation.reach import Reach, record
from tests.mutation.trial import KILLED, SLOW, SURVIVED, Trial, run

BUDGET = 12.0
"""Seconds of the processor that the tests of one fault may take together where there is none."""
PATIENCE = 5
"""How many times that long a fault may make them take."""


def draw(project: Project, count: int, seed: int, packages: Sequence[str]) -> list[Mutant]:
    """Return faults from these packages, the same number from each that has enough."""
    chance = random.Random(seed)
    queues = {name: _shuffled(project, name, chance) for name in packages}
    drawn: list[Mutant] = []
    while queues and len(drawn) < count:
        for name in [*queues]:
            mutant = next(queues[name], None)
            if mutant is None:
                del queues[name]
            elif len(drawn) < count:
                drawn.append(mutant)
    return sorted(drawn, key=lambda mutant: (mutant.file, mutant.number))


def _shuffled(project: Project, package: str, chance: random.Random) -> Iterator[Mutant]:
    sources = [Source(project.root, str(path.relative_to(project.root))) for path in project.files(package)]
    places = [(source, number) for source in sources for number in range(len(source.sites))]
    chance.shuffle(places)
    return (mutant for source, number in places if (mutant := source.mutant(number, package)))


def tests_of(mutant: Mutant, project: Project, reach: Reach) -> list[str]:
    """Return the tests that reach a fault, in the order in which they are to be tried, within the budget.

    A fault that takes effect at the import is reached by those that reach a line with the name that it defines.
    """
    reaching: set[str] = set()
    for line in mutant.lines:
        reaching |= reach.lines.get((mutant.file, line), set())
    if not mutant.function:
        word = re.compile(rf"\b{re.escape(mutant.name)}\b") if mutant.name else None
        using = {
            (file, line)
            for file, lines in project.texts.items()
            for line, text in enumerate(lines, 1)
            if word and word.search(text)
        }
        for place in using:
            reaching |= reach.lines.get(place, set())
        for file in {mutant.file, *(file for file, _ in using)} if not reaching else ():
            reaching |= reach.files.get(file, set())
    return [*_within(BUDGET, _ordered(reaching, mutant, reach), reach)]


def _ordered(tests: set[str], mutant: Mutant, reach: Reach) -> list[str]:
    """Return the nearest tests, the quickest first; then the others, so that each of their files has its turn."""
    folder = PurePosixPath(mutant.file).parent
    parts = folder.parts[1:] if folder.parts[:1] == ("referee",) else folder.parts
    near = "/".join(("tests", *parts, ""))
    order = sorted(tests, key=lambda test: (reach.seconds[test], test))
    files: dict[str, list[str]] = {}
    for test in order:
        if not test.startswith(near):
            files.setdefault(test.partition("::")[0], []).append(test)
    rows = zip_longest(*files.values())
    return [*(test for test in order if test.startswith(near)), *(test for row in rows for test in row if test)]


def _within(seconds: float, tests: list[str], reach: Reach) -> Iterator[str]:
    """Yield those that the seconds are enough for; one that takes too long has none behind it left out."""
    for test in tests:
        if reach.seconds[test] <= seconds:
            seconds -= reach.seconds[test]
            yield test


class Report:
    """How the trials ended, by package. A survivor is printed at once, so that a run broken off tells it too."""

    def __init__(self) -> None:
        self.ends: dict[str, Counter[str]] = {}

    def add(self, mutant: Mutant, end: str, tests: int) -> None:
        self.ends.setdefault(mutant.package, Counter())[end] += 1
        if end == SURVIVED:
            print(f"{mutant}  survived {tests} tests" if tests else f"{mutant}  is reached by no test")
            print(mutant.diff, end="\n\n", flush=True)

    def lines(self) -> Iterator[str]:
        """Yield the table."""
        yield f"{'package':<12}{'faults':>8}{KILLED:>10}{SLOW:>11}{SURVIVED:>10}{'score':>8}"
        for package, ends in [*self.ends.items(), ("all", self._all())]:
            columns = f"{ends.total():>8}{ends[KILLED]:>10}{ends[SLOW]:>11}{ends[SURVIVED]:>10}"
            yield f"{package:<12}{columns}{_score(ends):>7.1f}%"

    @property
    def score(self) -> float:
        """The share of the faults that were noticed, in per cent."""
        return _score(self._all())

    def _all(self) -> Counter[str]:
        return sum(self.ends.values(), Counter[str]())


def _score(ends: Counter[str]) -> float:
    return 100 * (1 - ends[SURVIVED] / ends.total()) if ends else 100.0


def measure(project: Project, count: int, seed: int, packages: Sequence[str], workers: int) -> Report:
    """Draw faults, try them, and return how they ended."""
    reach = record(project, workers)
    report = Report()
    trials: list[Trial] = []
    for mutant in draw(project, count, seed, packages):
        tests = tests_of(mutant, project, reach)
        if tests:
            seconds = sum(reach.seconds[test] for test in tests)
            trials.append(Trial(mutant, tuple(tests), project.grace + PATIENCE * seconds))
        else:
            report.add(mutant, SURVIVED, 0)

    def count_end(trial: Trial, end: str) -> None:
        report.add(trial.mutant, end, len(trial.tests))
        done = sum(ends.total() for ends in report.ends.values())
        print(f"\r{done} of {count}, {report.score:.1f} %", end="", file=sys.stderr)

    # The same examples each time, and no search for the smallest that fails.
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("mutation", derandomize=True, database=None, deadline=None, phases=phases)
    hypothesis.settings.load_profile("mutation")
    run(project.root, trials, workers, count_end)
    return report


def main(arguments: Sequence[str], project: Project) -> int:
    parser = argparse.ArgumentParser(
        prog="make mutants", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = [name for name, _ in project.packages]
    parser.add_argument("--mutants", type=int, default=1500, help="how many faults (default 1500)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument(
        "--only", default=",".join(names), help=f"packages, with commas between them: {', '.join(names)}"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--at-least", type=float, default=85, help="per cent that must be noticed (default 85)")
    options = parser.parse_args(arguments)
    packages = options.only.split(",")
    if unknown := set(packages) - set(names):
        parser.error(f"no package {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    begun = time.monotonic()
    report = measure(project, options.mutants, options.seed, packages, options.workers)
    print(file=sys.stderr)
    print(*report.lines(), sep="\n")
    print(f"seed {options.seed}, {time.monotonic() - begun:.0f} s")
    return 0 if report.score >= options.at_least else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Project()))
