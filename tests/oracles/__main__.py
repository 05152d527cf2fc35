"""Battles with Combat cards beside the oracle: `python -m tests.oracles --battles 20000 --seed 1`; 1 if any part."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.oracles.side_by_side import Report
from tests.oracles.war_of_the_ring.table import Table, never_met

MOST_ANSWERS = 10**9
MOST_DIVERGENCES = 10


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracles", description=__doc__)
    parser.add_argument("--battles", type=int, default=20_000, help="in which both play a card")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    report, cards = Report(), 0
    while cards < options.battles and len(report.divergences) < MOST_DIVERGENCES:
        table = Table(options.seed * 1_000_003 + report.games)
        table.play(report, MOST_ANSWERS)
        cards += bool(table.met)
    missing = never_met(report)
    for line in (*report.divergences, *(f"never met: {' '.join(each)}" for each in missing)):
        print(line)
    met, least = len(report.met), min(report.met.values(), default=0)
    print(f"{cards} of {report.games} battles with cards of both, {report.answers} answers, {report.refused} refused")
    print(f"{met} of {met + len(missing)} meetings, each in {least} battles at least")
    print(f"{len(report.divergences)} divergences")
    return bool(report.divergences or missing)


if __name__ == "__main__":
    sys.exit(main())
