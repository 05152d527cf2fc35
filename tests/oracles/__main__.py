"""`python -m tests.oracles war-of-the-ring`: plays a rulebook and its oracle side by side with random answers.

Ends with 1 where the two part, where a broken rule goes unnoticed (`--sharpness`) more often than one in twenty, or
where an outlook lies more than four standard deviations from what was played (`--outlook`).
"""

from __future__ import annotations

import argparse
import sys

from tests.oracles.war_of_the_ring import GAME
from tests.oracles.war_of_the_ring.outlook import SIGMAS, points
from tests.oracles.war_of_the_ring.sharpness import BROKEN, unnoticed
from tests.oracles.war_of_the_ring.table import compared


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles", description=__doc__)
    parser.add_argument("game", choices=[GAME])
    parser.add_argument("--answers", type=int, default=10_000, help="answers to compare")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--outlook", type=int, default=0, metavar="POINTS", help="outlooks to play out instead")
    parser.add_argument("--samples", type=int, default=1000, help="battles played from each of these points")
    parser.add_argument(
        "--sharpness", action="store_true", help="break rules of the oracle one after another instead"
    )
    options = parser.parse_args()
    if options.outlook:
        return outlook(options.outlook, options.seed, options.samples)
    return sharpness(options.answers, options.seed) if options.sharpness else compare(options.answers, options.seed)


def compare(answers: int, seed: int) -> int:
    report = compared(answers, seed)
    print(f"{report.answers} answers compared in {report.battles} battles, {report.refused} of them to be refused")
    for key, count in sorted(report.questions.items()):
        print(f"  {count:8} {key}")
    for divergence in report.divergences:
        print(divergence)
    print(f"{len(report.divergences)} divergences")
    return 1 if report.divergences else 0


def outlook(count: int, seed: int, samples: int) -> int:
    beyond = [point for point in points(count, seed, samples) if point.sigmas > SIGMAS]
    for point in beyond:
        print(f"seed {point.seed}: {point.sigmas:.1f} sigma, {point.text}")
    print(f"{count} outlooks, {samples} battles each: {len(beyond)} beyond {SIGMAS:g} sigma")
    return 1 if beyond else 0


def sharpness(answers: int, seed: int) -> int:
    missed = unnoticed(answers, seed)
    for name in missed:
        print(f"unnoticed: {name}")
    print(f"{len(BROKEN) - len(missed)} of {len(BROKEN)} broken rules noticed within {answers} answers each")
    return 1 if len(missed) > len(BROKEN) // 20 else 0


sys.exit(main())
