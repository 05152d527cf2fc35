"""Swiss rounds: like plays like, nobody meets twice, and each plays each side equally often.

The rules of a round, the most important first; a pairing is better if it breaks the first rule less, then the second:

1. Nobody meets an opponent again, and nobody has a second bye (FIDE C.04.1).
2. Where sides are assigned, a player's sides differ by one at most (single-sided Swiss: Netrunner's Cobra). Two who
   do meet again exchange sides.
3. Opponents have equal points, or nearly: the squares of the gaps are added. A bye goes to the lowest.
4. Sides are as even as they can be.
5. Opponents are neighbours by points and lot; so a field of many equals is paired several times faster, too.

Equals are ranked by lot. Every round comes out: no rule forbids a pairing, it only costs. The cheapest is found
exactly (Edmonds' matching, networkx).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from referee.tournament.event import Event, Pairing, Round, Stage, lot
from referee.tournament.scoring import histories
from referee.tournament.settings import Sides


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who is to be paired.

    ``points``   what pairing compares: match points, or game points where the standings begin with them
    ``met``      opponents so far, in order, and whether this player sat first (played the first side)
    ``balance``  how often he played the first side less how often the second, where sides are assigned
    ``byes``     rounds without an opponent, or won because nobody came (FIDE C.04.1: neither gets a bye again)
    """

    number: int
    seed: int
    points: int = 0
    met: tuple[tuple[int, bool], ...] = ()
    balance: int = 0
    byes: int = 0

    def meetings(self, other: int) -> list[bool]:
        """Return for each meeting with another player whether this one sat first."""
        return [first for opponent, first in self.met if opponent == other]


def entrants(event: Event, stage: Stage) -> list[Entrant]:
    """Return who of a stage is still in the event, as they are after its rounds; a draft does not count.

    Rounds that are still played count as far as results are in; whoever meets in them has met.
    """
    before = drawn(event, stage)
    table = histories(event, stage)
    by_games = event.settings.tiebreakers[0] == "game points"
    sided = stage.sides == "assigned" and stage.match == "one game"
    result = []
    for number in event.playing(stage):
        own = [pairing for each in before if (pairing := each.of(number))]
        played = [(pairing, met) for pairing in own if (met := _met(pairing, number))]
        history = table[number]
        result.append(
            Entrant(
                number,
                stage.players.index(number),
                history.game_points if by_games else history.points,
                tuple((other, pairing.players[0] == number) for pairing, met in played for other in met),
                sum(1 if pairing.players[0] == number else -1 for pairing, _ in played) if sided else 0,
                sum(pairing.bye or _met(pairing, number) == [] for pairing in own),
            )
        )
    return result


def drawn(event: Event, stage: Stage) -> list[Round]:
    """Return the rounds of a stage that are no drafts."""
    return [each for each in event.rounds_of(stage, begun=False) if each.state != "draft"]


def _met(pairing: Pairing, number: int) -> list[int] | None:
    """Return whom somebody of a table has met there: all who came; None where they did not come themselves."""
    absent = pairing.result.absent if pairing.result else ()
    return None if number in absent else [other for other in pairing.players if other not in (number, *absent)]


def ranked(players: Sequence[Entrant], seed: int) -> list[Entrant]:
    """Return entrants best first; equal points in the order of their lots."""
    return sorted(players, key=lambda each: (-each.points, lot(seed, each.number), each.number))


Cost: TypeAlias = tuple[int, ...]
CostOf: TypeAlias = Callable[[int, int], Cost]  # the cost of pairing two places, the lower first

NEAR = 32  # how far apart two places are paired, where there are many; everybody may have the bye, the last place


def pair_up(count: int, cost: CostOf, serious: int, near: int = NEAR) -> list[tuple[int, int]]:
    """Return pairs of 0 to ``count`` - 1, which is even, with the least cost; each pair and all in order.

    Places farther apart than ``near`` are tried only where the first ``serious`` costs are not 0 without them.
    """
    while True:
        tried = ((i, j) for i in range(count) for j in range(i + 1, count) if j - i <= near or j == count - 1)
        edges = {edge: cost(*edge) for edge in tried}
        pairs = _cheapest(count, edges)
        if near >= count or not any(total([edges[each] for each in pairs])[:serious]):
            return pairs
        near *= 2


def total(costs: Sequence[Cost]) -> Cost:
    """Return the sum of costs, place by place."""
    return tuple(map(sum, zip(*costs, strict=True)))


def _cheapest(count: int, edges: dict[tuple[int, int], Cost]) -> list[tuple[int, int]]:
    import networkx as nx  # noqa: PLC0415 - a tenth of the hall's memory, until a round is drawn

    class Plain(nx.Graph):  # type: ignore[type-arg]
        """Its neighbours are read without a view in between, which takes half of the time of a matching."""

        def __getitem__(self, n: int) -> Any:
            return self._adj[n]  # type: ignore[attr-defined]

    graph = Plain()
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


SERIOUS = 2  # for so many of the rules above everybody is tried with everybody, however many players there are

Pair = tuple[Entrant, ...]  # two entrants by seat, or one who has a bye


def swiss_pairs(players: Sequence[Entrant], seed: int, sides: Sides) -> list[Pair]:
    """Return the pairs of a round, by seat, the best players' first and a bye last."""
    order = ranked(players, seed)
    places = by_sides(order, sides)
    count = len(places) + len(places) % 2  # the place after the last is the bye
    found = pair_up(count, swiss_cost(places, sides), SERIOUS)
    pairs = [tuple(places[i : i + 1] + places[j : j + 1]) for i, j in found]
    rank = {each.number: at for at, each in enumerate(order)}
    pairs.sort(key=lambda pair: (len(pair) == 1, min(rank[each.number] for each in pair)))
    return [seated(pair, seed, sides) for pair in pairs]


def by_sides(order: Sequence[Entrant], sides: Sides) -> list[Entrant]:
    """Return entrants with those who are owed opposite sides side by side: the best of each, the second best ...

    In the order of ranks many in a row can be owed the same side, and nobody near is owed the other. Who would move
    far, where few are owed a side, stays.
    """
    keys = {each.number: 2 * rank for rank, each in enumerate(order)}
    if sides == "assigned":
        ahead, behind = ([each.number for each in order if each.balance * sign > 0] for sign in (1, -1))
        for one, other in zip(ahead, behind, strict=False):
            if abs(keys[one] - keys[other]) < 2 * max(48, len(order) // 8):
                keys[one] = keys[other] = (keys[one] + keys[other]) // 2
    return sorted(order, key=lambda each: keys[each.number])


def swiss_cost(order: Sequence[Entrant], sides: Sides) -> CostOf:
    """Return the cost of each two of these places, and of the bye, the place after the last."""
    lowest = min(each.points for each in order)

    def cost(i: int, j: int) -> Cost:
        if j == len(order):
            return order[i].byes ** 2, 0, (order[i].points - lowest) ** 2, 0, j - i
        return *pair_cost(seated((order[i], order[j]), 0, sides), sides), j - i

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
