"""Swiss rounds: like plays like, nobody meets twice, and each plays each side equally often.

The rules of a round, the most important first; a pairing is better if it breaks the first rule less, then the second:

1. Nobody meets an opponent again, and nobody has a second bye (FIDE C.04.1).
2. Where sides are assigned, a player's sides differ by one at most (single-sided Swiss: Netrunner's Cobra). Two who
   do meet again exchange sides.
3. Opponents have equal points, or nearly: the squares of the gaps are added. A bye goes to the lowest.
4. Sides are as even as they can be.

Equals are ranked by lot. Every round comes out: no rule forbids a pairing, it only costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import networkx as nx

from referee.tournament.event import lot
from referee.tournament.pairing.entrants import Entrant, ranked
from referee.tournament.settings import Sides

Cost: TypeAlias = tuple[int, ...]
CostOf: TypeAlias = Callable[[int, int], Cost]
"""The cost of pairing two places in the order of ranks, the lower first."""

WIDTH = 64
"""How far apart two places are paired at most, where there are many; everybody may have the bye, the last place."""


def pair_up(count: int, cost: CostOf, serious: int, width: int = WIDTH) -> list[tuple[int, int]]:
    """Return pairs of 0 to ``count`` - 1, which is even, with the least cost; each pair and all in order.

    Places farther apart than ``width`` are tried only where the first ``serious`` costs are not 0 without them.
    """
    while True:
        near = ((i, j) for i in range(count) for j in range(i + 1, count) if j - i <= width or j == count - 1)
        edges = {edge: cost(*edge) for edge in near}
        pairs = _cheapest(count, edges)
        if width >= count or not any(total([edges[each] for each in pairs])[:serious]):
            return pairs
        width *= 4


def total(costs: Sequence[Cost]) -> Cost:
    """Return the sum of costs, place by place."""
    return tuple(map(sum, zip(*costs, strict=True)))


class _Plain(nx.Graph):  # type: ignore[type-arg]
    """A graph whose neighbours are read without a view in between, which takes half of the time of a matching."""

    def __getitem__(self, n: int) -> Any:
        return self._adj[n]  # type: ignore[attr-defined]


def _cheapest(count: int, edges: dict[tuple[int, int], Cost]) -> list[tuple[int, int]]:
    """Return the matching of as many as can be with the least cost."""
    graph = _Plain()
    graph.add_nodes_from(range(count))
    for (i, j), weight in zip(edges, _weights(list(edges.values()), count // 2), strict=True):
        graph.add_edge(i, j, weight=-weight)
    return sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))


def _weights(costs: Sequence[Cost], pairs: int) -> list[int]:
    """Return each cost as one number, such that the sum of so many compares as the sums of their places do."""
    weights = [0] * len(costs)
    for column in zip(*costs, strict=True):
        base = 1 + pairs * max(column)
        weights = [weight * base + each for weight, each in zip(weights, column, strict=True)]
    return weights


SERIOUS = 2
"""For so many of the rules above everybody is tried with everybody, however many players there are."""

Pair = tuple[Entrant, ...]
"""Two entrants by seat, or one who has a bye."""


def swiss_pairs(players: Sequence[Entrant], seed: int, sides: Sides) -> list[Pair]:
    """Return the pairs of a round, by seat, the best players' first and a bye last."""
    order = ranked(players, seed)
    count = len(order) + len(order) % 2  # the rank after the last is the bye
    pairs = pair_up(count, swiss_cost(order, sides), SERIOUS)
    return [seated(tuple(order[i : i + 1] + order[j : j + 1]), seed, sides) for i, j in pairs]


def swiss_cost(order: Sequence[Entrant], sides: Sides) -> CostOf:
    """Return the cost of each two ranks."""

    def cost(i: int, j: int) -> Cost:
        if j == len(order):
            return bye_cost(order[i], order[-1])
        return pair_cost(seated((order[i], order[j]), 0, sides), sides)

    return cost


def pair_cost(pair: Pair, sides: Sides) -> Cost:
    """Return what it costs to pair two with these seats, by the rules above."""
    first, second = pair
    after = (first.balance + 1, second.balance - 1) if sides == "assigned" else (0, 0)
    return (
        len(first.meetings(second.number)) ** 2,
        sum(max(0, abs(each) - 1) ** 2 for each in after),
        (first.points - second.points) ** 2,
        sum(each**2 for each in after),
    )


def bye_cost(player: Entrant, lowest: Entrant) -> Cost:
    """Return what it costs to give somebody the bye."""
    return (player.byes**2, 0, (player.points - lowest.points) ** 2, 0)


def seated(pair: Pair, seed: int, sides: Sides) -> Pair:
    """Return two by seat: the first plays the first side, or bids first.

    Assigned: two who met exchange their seats; else who has played the first side less often sits there, or the lot
    decides. Bids and games without sides: the higher seed sits first (World Series of Board Gaming).
    """
    if len(pair) < 2:
        return pair
    one, other = sorted(pair, key=lambda each: each.seed)
    if sides != "assigned":
        return one, other
    met = one.meetings(other.number)
    if met:
        swap = met[-1]
    elif one.balance != other.balance:
        swap = one.balance > other.balance
    else:
        swap = lot(seed, other.number, one.number) % 2 == 1
    return (other, one) if swap else (one, other)
