"""What an organiser should see before a round is published: what is not as it should be, and what could be better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias

from referee.tournament.event import Event, Round, Stage
from referee.tournament.pairing.entrants import entrants, ranked
from referee.tournament.pairing.matching import Cost, CostOf, pair_up, total
from referee.tournament.pairing.pods import pods, pods_cost
from referee.tournament.pairing.swiss import Pair, best_pairs, pairing_cost, swiss_cost
from referee.tournament.pairing.tables import repeats, table_cost

BlemishKind: TypeAlias = Literal["rematch", "same sides", "second bye", "sides", "friendly fire", "repeat table"]

RULE: dict[BlemishKind, int] = {"rematch": 0, "second bye": 0, "sides": 1, "friendly fire": 4}
"""Which place of the cost of a Swiss pairing a blemish is counted in."""

POD_RULE: dict[BlemishKind, int] = {"rematch": 0, "second bye": 0, "friendly fire": 2}
"""The same of pods."""


@dataclass(frozen=True, slots=True)
class Blemish:
    """Something at a table that is not as it should be.

    ``kind``       rematch: they have met; same sides: and on these sides; second bye; sides: somebody's sides differ
                   by more than one; friendly fire: members of one club; repeat table: somebody sat there before
    ``avoidable``  whether this round, with the players and results it was drawn from, can be paired without it and
                   be better by the rules up to the one it breaks; in a bracket only tables can be chosen
    """

    kind: BlemishKind
    table: int
    players: tuple[int, ...]
    avoidable: bool


def review(event: Event, number: int) -> tuple[Blemish, ...]:
    """Return the blemishes of a round, table by table. Raises NotNow for a round that there is not."""
    round_ = event.round(number)
    checked = _Checked(replace(event, rounds=event.rounds[: number - 1]), event.stages[round_.stage - 1], round_)
    return tuple(
        Blemish(kind, table, tuple(each.number for each in whom), checked.avoidable(kind, table, whom))
        for table, group in checked.groups
        for kind, whom in _blemishes(checked.stage, table, group)
    )


def _blemishes(stage: Stage, table: int, group: Pair) -> Iterator[tuple[BlemishKind, Pair]]:
    """Yield what is wrong at a table, and for whom: of a pod, each two of it."""
    if len(group) == 1 and group[0].byes:
        yield "second bye", group
    for first, second in combinations(group, 2):
        pair = (first, second)
        met = first.meetings(second.number)
        sided = stage.sides == "assigned" and stage.match == "one game"
        if met:
            yield "rematch", pair
        if met and sided and met[-1]:
            yield "same sides", pair
        if sided and (first.balance > 0 or second.balance < 0):
            yield "sides", pair
        if first.club == second.club != 0:
            yield "friendly fire", pair
    if repeats(group, table):
        yield "repeat table", group


class _Checked:
    """A round, and the best that could be made of the same players.

    ``groups``  table and entrants of each pairing, as they were before the round; who has left since is not there
    """

    def __init__(self, before: Event, stage: Stage, round_: Round) -> None:
        known = {each.number: each for each in entrants(before, stage)}
        self.stage = stage
        self.groups = [
            (pairing.table, tuple(known[player] for player in pairing.players if player in known))
            for pairing in round_.pairings
        ]
        self._pairs = [group for _, group in self.groups if group]
        self._seed = round_.seed
        self._order = ranked([each for pair in self._pairs for each in pair], round_.seed)
        self._cost = swiss_cost(self._order, stage.sides)

    def avoidable(self, kind: BlemishKind, table: int, group: Pair) -> bool:
        """Return whether the round can do without it, and be better by the rules up to the one it breaks."""
        if kind == "repeat table":
            return self._other_table(table, group)
        if self.stage.format == "pods":
            return self._better_pods[: POD_RULE[kind] + 1] < pods_cost(self._pairs)[: POD_RULE[kind] + 1]
        if self.stage.format != "swiss":
            return False
        if kind == "same sides":
            return True  # by exchanging seats
        rule = RULE[kind] + 1
        if self._best[:rule] >= self._drawn[:rule]:
            return False
        i, j = sorted([*(self._order.index(each) for each in group), *[len(self._order)] * (len(group) == 1)])
        cost = self._cost(i, j)
        if cost is not None and not cost[rule - 1]:
            return True  # by exchanging seats, or by what is better elsewhere
        best = self._without(i, j)
        return best is not None and best[:rule] < self._drawn[:rule]

    @cached_property
    def _better_pods(self) -> Cost:
        return pods_cost(pods(self._order, self._seed, self.stage.pod, byes=self.stage.byes))

    @cached_property
    def _drawn(self) -> Cost:
        return pairing_cost(self._pairs, self.stage.sides)

    @cached_property
    def _best(self) -> Cost:
        best = self._without(-1, -1)
        assert best is not None, "any two can be paired"
        return best

    def _without(self, *pair: int) -> Cost | None:
        """Return the cost of the best round without a pair of ranks, None if there is none."""
        cost = _but(self._cost, pair)
        pairs = best_pairs(self._order, cost, self.stage.sides)
        return None if pairs is None else _sum(cost, pairs)

    def _other_table(self, table: int, group: Pair) -> bool:
        """Return whether fewer would sit where they sat before if this group sat elsewhere."""
        free = [(where, each) for where, each in self.groups if where and not any(one.table for one in each)]
        if (table, group) not in free:
            return False  # the opponent has a fixed table
        tables, groups = [where for where, _ in free], [each for _, each in free]
        i = 2 * groups.index(group)
        cost = _but(table_cost(groups, tables), tuple(sorted((i, 2 * tables.index(table) + 1))))
        pairs = pair_up(2 * len(groups), cost, 1)
        now = sum(repeats(each, where) ** 2 for where, each in free)
        return pairs is not None and _sum(cost, pairs)[0] < now


def _sum(cost: CostOf, pairs: Sequence[tuple[int, int]]) -> Cost:
    return total([each for i, j in pairs if (each := cost(i, j)) is not None])


def _but(cost: CostOf, pair: tuple[int, ...]) -> CostOf:
    """Return a cost that rules one pair out."""
    return lambda i, j: None if (i, j) == pair else cost(i, j)
