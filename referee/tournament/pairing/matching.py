"""The cheapest way to pair everything up, exactly: Edmonds' matching (networkx), on neighbours where there are many.

A cost is a list of whole numbers, the most important first; pairings are compared by the sum of the first, then of
the second, and so on. So that is what a table of rules means: no sum of lesser faults outweighs a greater one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import networkx as nx

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
