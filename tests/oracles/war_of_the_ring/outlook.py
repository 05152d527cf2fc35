"""The stated chances of how a battle will come out, against battles played to the end by the oracle."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from random import Random

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.state import Battle, Question
from tests.oracles.war_of_the_ring.table import Table

PROPOSED = {
    "casualty.replacement": "yes",
    "siege.replacement": "yes",
    "round.cease": "on",
    "round.retreat": "stand",
    "round.stronghold": "fight",
    "cards.attacker": "none",
    "cards.defender": "none",
}
"""What an outlook takes for granted: nobody ceases or retreats, Elites can be replaced, no further cards."""
SIGMAS = 4.0


@dataclass(frozen=True)
class Point:
    """One outlook: the largest distance in standard deviations, and where it is."""

    seed: int
    sigmas: float
    text: str


def play_out(battle: Battle, chance: Random) -> str:
    """Play a battle to its end as an outlook takes it, and return the result."""
    battle = battle.copy()
    battle.marking = False
    while not battle.result:
        question = battle.question
        assert question is not None
        if question.kind == "roll":
            battle.answer([chance.randint(1, 6) for _ in range(question.high)])
        elif question.key == "casualty":
            battle.answer(loss(battle, question))
        else:
            battle.answer(PROPOSED[question.key])
    return battle.result


def loss(battle: Battle, question: Question) -> str:
    """Elites are reduced first; but where each pays for a further round of an assault, Regulars go first."""
    pays = rules.assault_pays(battle.ground, battle.assault_pays) and question.seat == battle.seat(rules.ATTACKER)
    first, then = ("regular", "reduce") if pays else ("reduce", "regular")
    return first if first in question.open else then


def measured(table: Table, samples: int) -> Point | None:
    """Play the battle that stands to its end so many times; None where no outlook is stated, or a card asks."""
    stated = table.session.outlook()
    cards_open = table.oracle.effects or any(army.card == "picked" for army in table.oracle.armies.values())
    if stated is None or cards_open:
        return None
    ends = Counter(play_out(table.oracle, table.chance) for _ in range(samples))
    chances = {each.id: float(each.chance) for each in stated}
    worst, text = 0.0, ""
    for result in chances.keys() | ends.keys():
        share = chances.get(result, 0.0)
        sigma = sqrt(share * (1 - share) / samples) or 1 / samples / SIGMAS / 2
        away = abs(ends[result] / samples - share) / sigma
        # Where less than one end is expected, the normal curve does not hold; one end proves nothing there. Nor does
        # one other end where nearly all are expected.
        seen = ends[result] + share * samples
        if away > worst and 3 < seen < 2 * samples - 3:
            worst, text = away, f"{result}: stated {share:.5f}, played {ends[result]} of {samples}"
    return Point(table.seed, worst, f"{text}; answers {' '.join(table.answers)}")


def points(count: int, seed: int, samples: int) -> list[Point]:
    """Return so many outlooks, each at a random question of a random battle."""
    outlooks: list[Point] = []
    number = 0
    while len(outlooks) < count:
        table = Table(seed * 1_000_003 + number)
        number += 1
        for _ in range(table.chance.randint(9, 40)):
            if table.oracle.question is not None:
                table.step(table.oracle.question)
        point = measured(table, samples) if table.oracle.question is not None else None
        if point is not None:
            outlooks.append(point)
    return outlooks
