"""Pods: three players and more at a table, best near best, and as few as possible who have met.

The rules of a round, the most important first:

1. Nobody meets an opponent again, and nobody has a second bye.
2. Players of a pod have nearly equal points: the squares of the gaps are added. A bye goes to the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from referee.tournament.event import lot
from referee.tournament.pairing.swiss import Cost, Entrant, ranked, total
from referee.tournament.results import SMALLEST_POD

WORK = 4000
"""How many exchanges are looked at in all the beginnings, about; one beginning at least is carried to its end."""


def pod_sizes(players: int, most: int, *, byes: bool) -> list[int]:
    """Return the sizes of pods, the largest first, and a 1 for each bye at the end.

    All have three to ``most`` players and differ by one at most. Where that cannot be, as with 5 players and pods of
    4, the pods are larger; or with ``byes`` as few as it takes do not play. Nobody plays where fewer than three are.
    """
    for out in range(players + 1):
        count = -(-(players - out) // most)
        if count * SMALLEST_POD <= players - out or not byes:
            break
    sitting = players - out
    count = min(count, sitting // SMALLEST_POD)
    if not count:
        return [1] * players
    small, larger = divmod(sitting, count)
    return [small + (i < larger) for i in range(count)] + [1] * out


def pods(players: Sequence[Entrant], seed: int, most: int, *, byes: bool) -> list[list[Entrant]]:
    """Return the pods of a round, the best first, byes last; best of many beginnings by lot, by the rules above.

    From each beginning players are exchanged between two pods as long as that is better.
    """
    order = ranked(players, seed)
    sizes = pod_sizes(len(order), most, byes=byes)
    tries = max(1, WORK // max(1, len(order) ** 2 // 2))
    lots = [sorted(order, key=lambda each: lot(seed, attempt, each.number)) for attempt in range(tries)]
    drawn = [_improved(_dealt(start, sizes), order[-1].points) for start in (order, *lots)]
    return [sorted(pod, key=order.index) for pod in min(drawn, key=pods_cost)]


def pods_cost(groups: Sequence[Sequence[Entrant]]) -> Cost:
    """Return what a round of pods costs, rule by rule."""
    lowest = min(each.points for group in groups for each in group)
    return total([_cost(group, lowest) for group in groups])


def _cost(group: Sequence[Entrant], lowest: int) -> Cost:
    if len(group) == 1:
        return group[0].byes ** 2, (group[0].points - lowest) ** 2
    return total([_pair_cost(one, other) for one, other in combinations(group, 2)])


def _pair_cost(one: Entrant, other: Entrant) -> Cost:
    return len(one.meetings(other.number)) ** 2, (one.points - other.points) ** 2


def _dealt(order: Sequence[Entrant], sizes: Sequence[int]) -> list[list[Entrant]]:
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return [list(order[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _improved(groups: list[list[Entrant]], lowest: int) -> list[list[Entrant]]:
    better = True
    while better:
        better = False
        for one, other in combinations(groups, 2):
            before = total([_cost(one, lowest), _cost(other, lowest)])
            if not any(before):
                continue
            for i in range(len(one)):
                for j in range(len(other)):
                    one[i], other[j] = other[j], one[i]
                    after = total([_cost(one, lowest), _cost(other, lowest)])
                    if after < before:
                        before, better = after, True
                    else:
                        one[i], other[j] = other[j], one[i]
    return groups
