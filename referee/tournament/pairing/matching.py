"""The cheapest way to pair everything up, exactly: Edmonds' matching (networkx), on neighbours where there are many.

A cost is a list of whole numbers, the most important first; pairings are compared by the sum of the first, then of
the second, and so on. So that is what a table of rules means: no sum of lesser faults outweighs a greater one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, TypeAlias

import networkx as nx

Cost: TypeAlias = tuple[int, ...]
CostOf: TypeAlias = Callable[[int, int], Cost]
"""The cost of pairing two places in the order of ranks, the lower first."""

Near: TypeAlias = Callable[[int], Iterable[tuple[int, int]]]
"""The pairs of places, the lower first, that are worth trying at a width: about so many for each place."""

WIDTH = 96
"""How many neighbours a place has at first: among more, not all pairs are tried."""

WIDEST = 4 * WIDTH


def pair_up(count: int, cost: CostOf, serious: int, near: Near) -> list[tuple[int, int]]:
    """Return pairs of 0 to ``count`` - 1, which is even, with the least cost; each pair and all in order.

    Among more than `WIDTH` neighbours the least is sought among those that are ``near``. The width grows until
    everything is paired and the first ``serious`` costs are as low as any pairing has them, or to `WIDEST`.
    """
    width, cost_of = WIDTH, cache(cost)
    while True:
        everything = width >= count - 1
        edges = {edge: cost_of(*edge) for edge in (combinations(range(count), 2) if everything else near(width))}
        pairs = _cheapest(count, edges)
        if everything:
            return pairs
        if 2 * len(pairs) == count:
            sums = total([edges[each] for each in pairs])
            if width >= WIDEST or _least(count, cost_of, sums[:serious]):
                return pairs
        width *= 2


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


def _least(count: int, cost_of: CostOf, sums: Sequence[int]) -> bool:
    """Return whether no pairing of all has lower sums than these; False where that is not certain.

    As many pairs have a fault as cannot be matched without it, so the largest matching of faultless pairs bounds it.
    """
    for place, faults in enumerate(sums):
        if not faults:
            continue
        clean = [earlier for earlier in range(place) if not sums[earlier]] + [place]
        graph = _Plain()
        for i, j in combinations(range(count), 2):
            if not any(cost_of(i, j)[k] for k in clean):
                graph.add_edge(i, j)
        if count // 2 - len(nx.max_weight_matching(graph, maxcardinality=True)) != faults:
            return False
    return True
