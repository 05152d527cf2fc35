"""How a battle will come out if both keep to a plan: exact chances, from the functions that rule.

A plan says which losses a side takes and when it leaves. With both plans given, what is left after a round depends
on the hits alone, so a battle is a walk over pairs of Armies. Each pair is solved once: its chances are whole
numbers over a common denominator, and fractions are only made at the end. A round without hits leads back to the
same pair; its weight is left out of the denominator, which is what repeating it until something happens comes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from referee.games.war_of_the_ring.casualties import ends
from referee.games.war_of_the_ring.dice import roll_hits, round_hits
from referee.games.war_of_the_ring.rolls import combat_aim, reroll_aim
from referee.games.war_of_the_ring.state import WarGame
from referee.games.war_of_the_ring.tables import MOST_DICE, SIDES, base_number
from referee.rulebook import Chance, Odds, distribution

RESULTS = (
    "defender-eliminated",
    "attacker-eliminated",
    "attacker-ceased",
    "defender-retreated",
    "both-eliminated",
)
"""How a battle can end, in the order of the numbers below."""

Units = tuple[int, int]
"""Regulars and Elites."""

Pair = tuple[Units, Units]
"""What is left of attacker and defender."""

Hits = Mapping[int, Fraction]


class Plan(NamedTuple):
    """What a side means to do.

    ``keep``   which losses it takes: those that keep most ``units`` (Elites are reduced first), or most ``elites``
    ``leave``  it ceases or retreats after a round that left it so many units or fewer; 0: never
    """

    keep: str = "units"
    leave: int = 0


class Terms(NamedTuple):
    """What stays the same from the second round on: numbers to hit, Leadership, plans.

    ``pays``: an assault in which each further round costs the attacker an Elite (A-WR2).
    """

    numbers: tuple[int, int]
    leadership: tuple[int, int]
    plans: tuple[Plan, Plan]
    pays: bool = False


class Value(NamedTuple):
    """Chances of the results but the last, as numerators over one denominator; the last has what is left of it."""

    parts: tuple[int, ...]
    whole: int


def certain(result: str) -> Value:
    """Return the value of a battle that has ended."""
    return Value(tuple(int(result == each) for each in RESULTS[:-1]), 1)


CERTAIN = {result: certain(result) for result in RESULTS}


@lru_cache(maxsize=4096)
def left(units: Units, hits: int, keep: str) -> Units:
    """Return what a side keeps of its Army after so many hits, by its plan (every Elite can be replaced)."""
    if not hits:
        return units
    found = ends(*units, hits)
    regulars, elites = found[0] if keep == "units" else found[-1]
    return regulars, elites


@lru_cache(maxsize=4096)
def weights(dice: int, leadership: int, number: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return (hits, weight) of one side's dice in a round, and what the weights add up to."""
    hits = round_hits(dice, leadership, (number, 0), (number, 0))
    whole = lcm(*(chance.denominator for chance in hits.values()))
    return tuple((n, int(chance * whole)) for n, chance in hits.items()), whole


class Solver:
    """The chances from every pair of Armies on given terms; each pair is worked out once."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._before: dict[Pair, Value] = {}
        self._struck: dict[tuple[Pair, int], Value] = {}

    def after_round(self, pair: Pair) -> Value:
        """Return the chances once the losses of a round have been taken."""
        attacker, defender = pair
        mine, theirs = sum(attacker), sum(defender)
        plans = self.terms.plans
        if not mine or not theirs:
            return CERTAIN[
                "both-eliminated" if mine == theirs else f"{'defender' if mine else 'attacker'}-eliminated"
            ]
        if mine <= plans[0].leave or (self.terms.pays and not attacker[1]):
            return CERTAIN["attacker-ceased"]
        if self.terms.pays:
            attacker = attacker[0] + 1, attacker[1] - 1
        elif theirs <= plans[1].leave:
            return CERTAIN["defender-retreated"]
        return self.before_round((attacker, defender))

    def before_round(self, pair: Pair) -> Value:
        """Return the chances when another round is about to be fought."""
        value = self._before.get(pair)
        if value is None:
            value = self._before[pair] = self._solve(pair)
        return value

    def _solve(self, pair: Pair) -> Value:
        attacker, defender = pair
        dice = min(MOST_DICE, sum(attacker))
        scored, mine = weights(dice, self.terms.leadership[0], self.terms.numbers[0])
        taken, theirs = weights(min(MOST_DICE, sum(defender)), self.terms.leadership[1], self.terms.numbers[1])
        keep = self.terms.plans[0].keep
        values: list[tuple[Value, int]] = []
        repeats = 0
        for hits, weight in taken:
            if hits:
                values.append((self._defender_struck((left(attacker, hits, keep), defender), dice), weight))
                continue
            for other, more in scored:
                if other or self.terms.pays:
                    there = attacker, left(defender, other, self.terms.plans[1].keep)
                    values.append((self.after_round(there), weight * more))
                else:
                    repeats = weight * more
        return mixed(values, mine * theirs - repeats)

    def _defender_struck(self, pair: Pair, dice: int) -> Value:
        """Return the chances once the attacker's losses are known, but not the hits of his dice.

        They are left undivided: the numerators add up to the weight of those dice times the denominator.
        """
        known = pair, dice
        value = self._struck.get(known)
        if value is None:
            attacker, defender = pair
            keep = self.terms.plans[1].keep
            scored, _ = weights(dice, self.terms.leadership[0], self.terms.numbers[0])
            value = mixed([(self.after_round((attacker, left(defender, h, keep))), w) for h, w in scored], 1)
            self._struck[known] = value
        return value


def mixed(values: list[tuple[Value, int]], divisor: int) -> Value:
    """Return the weighted sum of some values, divided by ``divisor``."""
    common = 1
    for (_, whole), _ in values:
        if common % whole:
            common = whole if whole % common == 0 else lcm(common, whole)
    parts = [0] * (len(RESULTS) - 1)
    for (some, whole), weight in values:
        scale = weight if whole == common else common // whole * weight
        for at, part in enumerate(some):
            if part:
                parts[at] += part * scale
    return Value(tuple(parts), common * divisor)


@lru_cache(maxsize=16)
def solver(terms: Terms) -> Solver:
    """Return the solver of these terms, with all that it has worked out."""
    return Solver(terms)


def battle_odds(
    attacker: Units,
    defender: Units,
    leadership: tuple[int, int] = (0, 0),
    ground: str = "field",
    plans: tuple[Plan, Plan] = (Plan(), Plan()),
    *,
    siege_pub: bool = True,
) -> dict[str, Fraction]:
    """Return the chance of each result of a battle from its first round to its end, no cards played.

    ``leadership`` and ``plans``: attacker's, defender's. Results that cannot happen are left out.
    """
    numbers = base_number(ground, "attacker", 2), base_number(ground, "defender", 2)
    terms = Terms(numbers, leadership, plans, ground == "siege" and siege_pub)
    first = [
        round_hits(min(MOST_DICE, sum(units)), leaders, (number, 0), (number, 0))
        for units, leaders, number in zip(
            (attacker, defender), leadership, (base_number(ground, side, 1) for side in SIDES), strict=True
        )
    ]
    return from_here(solver(terms), (attacker, defender), first[0], first[1])


def from_here(solved: Solver, pair: Pair, scored: Hits, taken: Hits) -> dict[str, Fraction]:
    """Return the chances from within a round, given how the hits of both sides are distributed in it."""
    ending = distribution_of_ends(pair, scored, taken, solved.terms.plans)
    return shares((solved.after_round(there), weight) for there, weight in ending.items())


def shares(values: Iterable[tuple[Value, Fraction]]) -> dict[str, Fraction]:
    """Return the chance of each result from weighted values; results that cannot happen are left out."""
    total = dict.fromkeys(RESULTS, Fraction(0))
    for value, weight in values:
        for result, part in zip(RESULTS, (*value.parts, value.whole - sum(value.parts)), strict=True):
            if part:
                total[result] += weight * Fraction(part, value.whole)
    return {result: chance for result, chance in total.items() if chance}


def distribution_of_ends(pair: Pair, scored: Hits, taken: Hits, plans: tuple[Plan, Plan]) -> dict[Pair, Fraction]:
    """Return how likely each pair of Armies is after the losses of one round."""
    found: dict[Pair, Fraction] = {}
    for i, first in scored.items():
        for j, second in taken.items():
            there = left(pair[0], j, plans[0].keep), left(pair[1], i, plans[1].keep)
            found[there] = found.get(there, Fraction(0)) + first * second
    return found


NAMES = {"free-peoples": "FP", "shadow": "Shad."}
"""Short enough to stand beside a bar."""

NONE: Hits = {0: Fraction(1)}


def outlook(game: WarGame) -> Odds | None:
    """Return how the battle will come out if both fight to the end, keep most units, and play no further card.

    It starts from what has been rolled, declared and lost so far in this round.
    """
    if game.stage == "setup" or game.result or not all(army.units for army in game.armies.values()):
        return None
    attacker, defender = game.armies["attacker"], game.armies["defender"]
    later = tuple(game.by_hand[side] or base_number(game.ground, side, game.round + 1) for side in SIDES)
    terms = Terms(
        (later[0], later[1]),
        (attacker.leadership, defender.leadership),
        (Plan(), Plan()),
        game.ground == "siege" and game.siege_pub,
    )
    pair = (
        left((attacker.regulars, attacker.elites), attacker.due, "units"),
        left((defender.regulars, defender.elites), defender.due, "units"),
    )
    solved = solver(terms)
    if game.step == "on":
        chances = shares([(solved.before_round(pair), Fraction(1))])
    else:
        scored, taken = (coming_hits(game, side, sum(units)) for side, units in zip(SIDES, pair, strict=True))
        chances = from_here(solved, pair, scored, taken)
    mine, theirs = (NAMES[game.seat_of(side)] for side in SIDES)
    names = {
        "defender-eliminated": f"{theirs} out",
        "attacker-eliminated": f"{mine} out",
        "both-eliminated": "Both out",
        "attacker-ceased": f"{mine} stops",
    }
    return tuple(Chance(result, names[result], chance) for result, chance in chances.items())


def coming_hits(game: WarGame, side: str, units: int) -> Hits:
    """Return how the hits a side still has to inflict in this round are distributed."""
    army = game.armies[side]
    if game.step == "losses":
        return NONE
    if army.rolled == "":
        hits = round_hits(min(MOST_DICE, units), army.uncancelled, combat_aim(game, side), reroll_aim(game, side))
    elif army.rolled == "once":
        again = max(0, min(army.uncancelled, army.dice - army.first_hits, MOST_DICE))
        hits = distribution(
            (army.first_hits + more, weight) for more, weight in roll_hits(again, *reroll_aim(game, side)).items()
        )
    else:
        hits = {army.first_hits + army.more_hits: Fraction(1)}
    return {count + army.extra_hits: weight for count, weight in hits.items()} if army.extra_hits else hits
