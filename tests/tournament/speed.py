"""`python -m tests.tournament.speed [--rounds 9] [--seed 1]`: processor time of the slowest Swiss round, in seconds.

Fields of 400 and 1,000 players, with sides and without, are drawn, reviewed and played by chance. Printed as
JSON. It fails where a round took longer than `LONGEST`, or has a rematch that could have been avoided.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from typing import Any, Final

from referee.tournament import draw_round, review
from referee.tournament.results import Game, Result
from referee.tournament.settings import Settings
from tests.bench.spread import limit, missed
from tests.tournament.desk import Desk

LONGEST: Final = {400: 2.0, 1000: 10.0}  # S, by players


def measure(players: int, sides: str, rounds: int, seed: int) -> dict[str, Any]:
    """Return the figures of one tournament."""
    rng = random.Random(seed)
    desk = Desk(Settings(sides=("Free Peoples", "Shadow")), players, sides=sides, rounds=rounds)
    seconds, rematches = [], 0
    for number in range(1, rounds + 1):
        start = time.process_time()
        pairings = draw_round(desk.event, number)
        seconds.append(round(time.process_time() - start, 2))
        desk.do("round paired", pairings=pairings, seed=number)
        desk.start()
        rematches += sum(each.avoidable and each.kind == "rematch" for each in review(desk.event, number))
        for pairing in desk.last.pairings:
            if not pairing.bye:
                desk.result(pairing.table, Result(games=(Game(rng.choice((0, *pairing.players * 3))),)))
        desk.wins()
    return {
        "players": players,
        "sides": sides,
        "draw_s": seconds,
        "slowest_s": limit(max(seconds), most=LONGEST[players]),
        "avoidable_rematches": limit(rematches, most=0),
    }


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fields = [(players, sides) for players in LONGEST for sides in ("assigned", "none")]
    figures = [measure(*field, options.rounds, options.seed) for field in fields]
    print(json.dumps(figures))
    return int(any(missed(each) for each in figures))


if __name__ == "__main__":
    sys.exit(main())
