"""How many fair dice are accused where somebody looks after every throw, and how many unfair ones are noticed.

``python -m tests.report.fair_dice --dice 10000 --throws 1000 --seed 1`` prints both.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from referee.report.fairness import ERROR, LOADED, Evidence

FAIR = (1 / 6,) * 6


def accused(dice: int, throws: int, seed: int, chances: Sequence[float] = FAIR) -> int:
    """Return how many of so many dice are accused within so many throws."""
    faces = random.Random(seed)
    count = 0
    for _ in range(dice):
        evidence = Evidence()
        for face in faces.choices(range(1, 7), chances, k=throws):
            evidence.add(face)
            if evidence.value >= ERROR:
                count += 1
                break
    return count


def main() -> int:
    """Print the figures; return 1 if too many fair dice are accused."""
    parser = argparse.ArgumentParser(prog="python -m tests.report.fair_dice", description=__doc__)
    parser.add_argument("--dice", type=int, default=10_000)
    parser.add_argument("--throws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fair = accused(options.dice, options.throws, options.seed)
    some = max(1, options.dice // 20)
    loaded = accused(some, options.throws, options.seed, LOADED)
    print(f"{options.throws} throws, looked at after each: {fair} of {options.dice} fair dice accused")
    print(f"{loaded} of {some} dice that show a six one time in four noticed")
    return int(fair * ERROR > options.dice)


if __name__ == "__main__":
    sys.exit(main())
