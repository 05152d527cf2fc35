"""`python -m tests.bench.pairing [--players 200] [--rounds 8] [--seed 1]`: how long the rounds of a tournament take.

Each round of single-sided Swiss is drawn, reviewed and played by chance. Printed as JSON: processor time of each
draw in seconds, as a ratio to arithmetic of the same moment too (`tests.bench.yardstick`), and how many rematches,
second byes and uneven sides there were, and how many of them avoidable.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from typing import Any

from referee.tournament.acts import RoundPaired
from referee.tournament.pairing import draw_round, review
from referee.tournament.results import Game, Result
from referee.tournament.settings import Settings
from tests.bench.yardstick import Yardstick
from tests.tournament.desk import Desk


def measure(players: int, rounds: int, seed: int) -> dict[str, Any]:
    """Return the figures of one tournament."""
    rng = random.Random(seed)
    desk = Desk(Settings(sides=("Free Peoples", "Shadow")), players, sides="assigned", rounds=rounds)
    seconds, ratios, blemishes = [], [], Counter[str]()
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
            for pairing in desk.last.pairings:
                if not pairing.bye:
                    desk.result(pairing.table, Result(games=(Game(rng.choice((0, *pairing.players * 3))),)))
            desk.wins()
    return {
        "players": players,
        "draw_s": [round(each, 2) for each in seconds],
        "slowest_s": round(max(seconds), 2),
        "slowest_to_arithmetic": round(max(ratios)),
        "blemishes": blemishes,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps(measure(options.players, options.rounds, options.seed), indent=1))
