"""`python -m tests.bench.pairing [--players 200] [--rounds 8] [--seed 1]`: how long the rounds of a tournament take.

Each round of single-sided Swiss is drawn, reviewed and played by chance. Printed as JSON: processor time of each
draw in seconds, as a ratio to arithmetic of the same moment too (`tests.bench.yardstick`), and how many rematches,
second byes and uneven sides there were, and how many of them avoidable. It fails where a draw took more than
`LONGEST`, or a rematch could have been avoided.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from typing import Any, Final

from referee.tournament.acts import RoundPaired
from referee.tournament.pairing import draw_round, review
from referee.tournament.results import Game, Result
from referee.tournament.settings import Settings
from tests.bench.spread import limit, missed
from tests.bench.yardstick import Yardstick
from tests.tournament.desk import Desk

LONGEST: Final = 2.0
"""S, for 200 players."""


def measure(players: int, rounds: int, seed: int) -> dict[str, Any]:
    """Return the figures of one tournament."""
    rng = random.Random(seed)
    desk = Desk(Settings(sides=("Free Peoples", "Shadow")), players, sides="assigned", rounds=rounds)
    seconds, ratios, blemishes, rematches = [], [], Counter[str](), 0
    with Yardstick() as yardstick:
        for number in range(1, rounds + 1):
            yardstick.take(5)
            start = time.process_time()
            pairings = draw_round(desk.event, number)
            seconds.append(time.process_time() - start)
            ratios.append(seconds[-1] * 1000 / min(yardstick.sums[-5:]))
            desk.do(RoundPaired, pairings=pairings, seed=number)
            desk.start()
            for each in review(desk.event, number):
                blemishes[each.kind] += 1
                blemishes["avoidable"] += each.avoidable
                rematches += each.avoidable and each.kind == "rematch"
            for pairing in desk.last.pairings:
                if not pairing.bye:
                    desk.result(pairing.table, Result(games=(Game(rng.choice((0, *pairing.players * 3))),)))
            desk.wins()
    return {
        "players": players,
        "draw_s": [round(each, 2) for each in seconds],
        "slowest_s": limit(max(seconds), most=LONGEST),
        "slowest_to_arithmetic": round(max(ratios)),
        "blemishes": blemishes,
        "avoidable_rematches": limit(rematches, most=0),
    }


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    figures = measure(options.players, options.rounds, options.seed)
    print(json.dumps(figures, indent=1))
    return int(bool(missed(figures)))


if __name__ == "__main__":
    sys.exit(main())
