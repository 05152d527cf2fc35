"""The cheapest way to pair everything up, exactly: Edmonds' matching (networkx), on neighbours where there are many.

A cost is a list of whole numbers, the most important first; pairings are compared by the sum of the first, then of
the second, and so on. So that is what a table of rules means: no sum of lesser faults outweighs a greater one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import networkx as nx

Cost: TypeAlias = tuple[int, ...]
CostOf: TypeAlias = Callable[[int, int], Cost | None]
"""The cost of pairing two places in the order of ranks, the lower first; None where they cannot be paired."""

Near: TypeAlias = Callable[[int], Iterable[tuple[int, int]]]
"""The pairs of places, the lower first, that are worth trying at a width: about so many for each place."""

WIDTH = 96
"""How many neighbours a place has at first: among more, not all pairs are tried."""

WIDEST = 4 * WIDTH


def pair_up(count: int, cost: CostOf, serious: int = 1, near: Near | None = None) -> list[tuple[int, int]] | None:
    """Return pairs of 0 to ``count`` - 1 with the least cost, each pair and all in order; None if not all can be.

    Among more than `WIDTH` neighbours the least is sought among those that are ``near``, by default those of the next
    ranks. The width grows until everything is paired and the first ``serious`` costs are as low as any pairing has
    them, or to `WIDEST`.
    """
    near = near or (lambda width: _window(count, width))
    width = WIDTH
    known: dict[tuple[int, int], Cost | None] = {}

    def cost_of(i: int, j: int) -> Cost | None:
        if (i, j) not in known:
            known[i, j] = cost(i, j)
        return known[i, j]

    while True:
        everything = width >= count - 1
        tried = combinations(range(count), 2) if everything else near(width)
        edges = {edge: each for edge in tried if (each := cost_of(*edge)) is not None}
        pairs = _cheapest(count, edges)
        if everything:
            return pairs
        if pairs and (width >= WIDEST or _least(count, cost_of, total([edges[each] for each in pairs])[:serious])):
            return pairs
        width *= 2


def _window(count: int, width: int) -> Iterable[tuple[int, int]]:
    return ((i, j) for i in range(count) for j in range(i + 1, min(count, i + width + 1)))


def total(costs: Sequence[Cost]) -> Cost:
    """Return the sum of costs, place by place."""
    return tuple(map(sum, zip(*costs, strict=True)))


class _Plain(nx.Graph):  # type: ignore[type-arg]
    """A graph whose neighbours are read without a view in between, which takes half of the time of a matching."""

    def __getitem__(self, n: int) -> Any:
        return self._adj[n]  # type: ignore[attr-defined]


def _cheapest(count: int, edges: dict[tuple[int, int], Cost]) -> list[tuple[int, int]] | None:
    """Return the matching of all with the least cost, None if these edges do not reach everybody."""
    graph = _Plain()
    graph.add_nodes_from(range(count))
    for (i, j), weight in zip(edges, _weights(list(edges.values()), count // 2), strict=True):
        graph.add_edge(i, j, weight=-weight)
    pairs = sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))
    return pairs if 2 * len(pairs) == count else None


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
            each = cost_of(i, j)
            if each is not None and not any(each[k] for k in clean):
                graph.add_edge(i, j)
        if count // 2 - len(nx.max_weight_matching(graph, maxcardinality=True)) != faults:
            return False
    return True
