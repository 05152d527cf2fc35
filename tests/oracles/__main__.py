"""An oracle beside its rulebook for longer: `python -m tests.oracles war 200000 --seed 5`; 1 if they part."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from tests.oracles.side_by_side import compared

FOLDERS = {"battle": "battle_of_the_ring", "wizards": "middle_earth_the_wizards"}
FOLDERS |= {"riddle": "riddle_of_the_ring", "war": "war_of_the_ring"}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracles", description=__doc__)
    parser.add_argument("oracle", choices=FOLDERS)
    parser.add_argument("answers", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    table = import_module(f"tests.oracles.{FOLDERS[options.oracle]}.table")
    report = compared(table.Table, options.answers, options.seed)
    print(*report.divergences, sep="\n", end="\n" if report.divergences else "")
    print(f"{report.answers} answers in {report.games} games, {report.refused} refused as they must be")
    missing = table.never_met(report) if options.oracle == "war" else []
    for each in missing:
        print(f"never met: {' '.join(each)}")
    return bool(report.divergences or missing)


if __name__ == "__main__":
    sys.exit(main())
