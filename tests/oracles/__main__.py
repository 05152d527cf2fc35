"""`python -m tests.oracles GAME`: plays a rulebook and its oracle side by side with random answers.

Ends with 1 where the two part, where a broken rule goes unnoticed (`--sharpness`) more often than one in twenty, or
where an outlook lies more than four standard deviations from what was played (`--outlook`).
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

ORACLES = {
    "riddle-of-the-ring": "tests.oracles.riddle_of_the_ring",
    "battle-of-the-ring": "tests.oracles.battle_of_the_ring",
    "middle-earth-the-wizards": "tests.oracles.middle_earth_the_wizards",
    "war-of-the-ring": "tests.oracles.war_of_the_ring",
}
"""Game -> package with `table.compared`, `sharpness.BROKEN` and `sharpness.unnoticed`."""
OUTLOOKS = ("war-of-the-ring",)
"""Games whose package has `outlook.points` and `outlook.SIGMAS` as well."""


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles", description=__doc__)
    parser.add_argument("game", choices=list(ORACLES))
    parser.add_argument("--answers", type=int, default=10_000, help="answers to compare")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--outlook", type=int, default=0, metavar="POINTS", help="outlooks to play out instead")
    parser.add_argument("--samples", type=int, default=1000, help="battles played from each of these points")
    parser.add_argument(
        "--sharpness", action="store_true", help="break rules of the oracle one after another instead"
    )
    options = parser.parse_args()
    package = ORACLES[options.game]
    if options.outlook and options.game not in OUTLOOKS:
        parser.error(f"--outlook: {options.game} has no outlook; expected one of: {', '.join(OUTLOOKS)}")
    if options.outlook:
        return outlook(package, options.outlook, options.seed, options.samples)
    return (sharpness if options.sharpness else compare)(package, options.answers, options.seed)


def compare(package: str, answers: int, seed: int) -> int:
    report = import_module(f"{package}.table").compared(answers, seed)
    print(f"{report.answers} answers compared in {report.games} games, {report.refused} of them to be refused")
    for key, count in sorted(report.questions.items()):
        print(f"  {count:8} {key}")
    for divergence in report.divergences:
        print(divergence)
    print(f"{len(report.questions)} questions reached, {len(report.divergences)} divergences")
    return 1 if report.divergences else 0


def outlook(package: str, count: int, seed: int, samples: int) -> int:
    played = import_module(f"{package}.outlook")
    beyond = [point for point in played.points(count, seed, samples) if point.sigmas > played.SIGMAS]
    for point in beyond:
        print(f"seed {point.seed}: {point.sigmas:.1f} sigma, {point.text}")
    print(f"{count} outlooks, {samples} battles each: {len(beyond)} beyond {played.SIGMAS:g} sigma")
    return 1 if beyond else 0


def sharpness(package: str, answers: int, seed: int) -> int:
    rules = import_module(f"{package}.sharpness")
    missed = rules.unnoticed(answers, seed)
    for name in missed:
        print(f"unnoticed: {name}")
    broken = len(rules.BROKEN)
    print(f"{broken - len(missed)} of {broken} broken rules noticed within {answers} answers each")
    return 1 if len(missed) > broken // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
