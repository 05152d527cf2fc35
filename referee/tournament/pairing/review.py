"""What an organiser should see before a round is published: what is not as it should be, and what could be better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Final, Literal, TypeAlias

from referee.tournament.event import Event, Stage
from referee.tournament.pairing.entrants import entrants, ranked
from referee.tournament.pairing.matching import Cost, total
from referee.tournament.pairing.pods import pods, pods_cost
from referee.tournament.pairing.swiss import Pair, best_pairs, pairing_cost, swiss_cost

BlemishKind: TypeAlias = Literal["rematch", "same sides", "second bye", "sides", "friendly fire"]

RULES: Final[dict[BlemishKind, int | None]] = {"rematch": 1, "second bye": 1, "sides": 2, "friendly fire": None}
"""How many of the rules of a round stand before what a blemish breaks, with that one; None: all."""


@dataclass(frozen=True, slots=True)
class Blemish:
    """Something at a table that is not as it should be.

    ``kind``       rematch: they have met; same sides: and on these sides; second bye; sides: somebody's sides differ
                   by more than one; friendly fire: members of one club
    ``avoidable``  whether this round, with the players and results it was drawn from, can be paired without it and
                   be better by the rules up to the one it breaks; never in a bracket
    """

    kind: BlemishKind
    table: int
    players: tuple[int, ...]
    avoidable: bool


def review(event: Event, number: int) -> tuple[Blemish, ...]:
    """Return the blemishes of a round, table by table. Raises NotNow for a round that there is not."""
    round_ = event.round(number)
    stage = event.stages[round_.stage - 1]
    known = {each.number: each for each in entrants(replace(event, rounds=event.rounds[: number - 1]), stage)}
    tables = [(each.table, tuple(known[one] for one in each.players if one in known)) for each in round_.pairings]
    best = _Best(stage, [group for _, group in tables if group], round_.seed)
    return tuple(
        Blemish(kind, table, tuple(each.number for each in whom), best.avoids(kind, whom))
        for table, group in tables
        for kind, whom in _blemishes(stage, group)
    )


def _blemishes(stage: Stage, group: Pair) -> Iterator[tuple[BlemishKind, Pair]]:
    """Yield what is wrong at a table, and for whom: of a pod, each two of it."""
    sided = stage.sides == "assigned" and stage.match == "one game"
    if len(group) == 1 and group[0].byes:
        yield "second bye", group
    for first, second in combinations(group, 2):
        met = first.meetings(second.number)
        if met:
            yield "rematch", (first, second)
        if met and sided and met[-1]:
            yield "same sides", (first, second)
        if sided and (first.balance > 0 or second.balance < 0):
            yield "sides", (first, second)
        if first.club == second.club != 0:
            yield "friendly fire", (first, second)


class _Best:
    """The best that can be made of the players of a round, beside what was made of them."""

    def __init__(self, stage: Stage, groups: list[Pair], seed: int) -> None:
        self._stage, self._groups, self._seed = stage, groups, seed
        self._order = ranked([each for group in groups for each in group], seed)
        self._cost = swiss_cost(self._order, stage.sides)

    def avoids(self, kind: BlemishKind, group: Pair) -> bool:
        """Return whether the round can do without a blemish, and be better by the rules up to the one it breaks."""
        if kind == "same sides":
            return self._stage.format == "swiss"  # by exchanging seats
        rules = slice(RULES[kind])
        if self._stage.format not in ("swiss", "pods") or self._best[rules] >= self._drawn[rules]:
            return False
        if self._stage.format == "pods":
            return True
        i, j = sorted([*map(self._order.index, group), *[len(self._order)] * (len(group) == 1)])
        if not (self._cost(i, j) or ())[rules][-1]:
            return True  # by exchanging seats, or by what is better elsewhere
        best = self._without((i, j))
        return best is not None and best[rules] < self._drawn[rules]

    @cached_property
    def _drawn(self) -> Cost:
        swiss = self._stage.format == "swiss"
        return pairing_cost(self._groups, self._stage.sides) if swiss else pods_cost(self._groups)

    @cached_property
    def _best(self) -> Cost:
        if self._stage.format == "pods":
            return pods_cost(pods(self._order, self._seed, self._stage.pod, byes=self._stage.byes))
        return self._without((-1, -1)) or ()

    def _without(self, pair: tuple[int, int]) -> Cost | None:
        """Return the cost of the best round without a pair of ranks, None if there is none."""

        def cost(i: int, j: int) -> Cost | None:
            return None if (i, j) == pair else self._cost(i, j)

        pairs = best_pairs(self._order, cost, self._stage.sides)
        return None if pairs is None else total([self._cost(i, j) or () for i, j in pairs])
