"""The draft of the next round: who meets, at which table; and what is not as it should be in it.

The rules of a round of pods, three players and more at a table, the most important first: nobody meets an opponent
again, and nobody has a second bye; players of a pod have nearly equal points (the squares of the gaps are added), and
a bye goes to the lowest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

from referee.errors import NotNow
from referee.tournament.bracket import ready
from referee.tournament.event import Event, Pairing, Seats, Stage, lot, not_now
from referee.tournament.pairing.swiss import Cost, Entrant, drawn, entrants, ranked, seated, swiss_pairs, total
from referee.tournament.results import SMALLEST_POD

BlemishKind: TypeAlias = Literal["rematch", "same sides", "second bye", "sides"]


def seeding(event: Event, seed: int) -> tuple[int, ...]:
    """Return who would be in a stage that is opened now, in the order of their seeds.

    After a cut, those of the cut as they are; else everybody who is here: the higher rating first, equal ratings by
    lot (War of the Ring world tournament 2023).
    """
    players = event.players
    return event.cut or tuple(sorted(event.here(), key=lambda number: (-players[number].rating, lot(seed, number))))


def draw_round(event: Event, seed: int) -> tuple[Seats, ...]:
    """Return the pairings of the next round, in place of a draft, for an act with the same seed. Raises NotNow."""
    stage = event.stage
    if event.rounds and event.rounds[-1].state == "draft":
        event = replace(event, rounds=event.rounds[:-1])
    players = entrants(event, stage)
    if not players:
        raise not_now("nobody is left to pair")
    return _at_tables(_groups(event, stage, players, seed))


def _groups(event: Event, stage: Stage, players: list[Entrant], seed: int) -> Sequence[Sequence[Entrant]]:
    """Return who plays together, the best first; of a round robin, pairs of who has left may be empty."""
    if stage.format == "swiss":
        return swiss_pairs(players, seed, stage.sides)
    if stage.format == "pods":
        if len(players) < SMALLEST_POD:
            few = f"a pod needs {SMALLEST_POD} players; {len(players)} are left: end the stage"
            raise not_now(few)
        return pods(players, seed, stage.pod, byes=stage.byes)
    by_number = {each.number: each for each in players}
    if stage.format == "round robin":
        return [
            [by_number[number] for number in pair if number in by_number]
            for pair in round_robin(stage.players, len(drawn(event, stage)))
        ]
    pairs = ready(event, stage)
    if not pairs:
        raise not_now("no match can be paired: results are missing, or everything is played")
    return [seated((by_number[first], by_number[second]), seed, stage.sides) for first, second in pairs]


def round_robin(players: Sequence[int], round_: int) -> list[tuple[int, ...]]:
    """Return who meets in a round of a round robin, 0 the first, by seat; one has a bye if they are odd.

    The circle method with the seats of Berger's tables (FIDE C.05, annex 1): one stays, the others turn; in a cycle
    everybody meets everybody once, and nobody sits first more than once oftener than second. The next cycle has the
    seats exchanged.
    """
    circle: list[int] = [*players, *([0] if len(players) % 2 else [])]
    turns = len(circle) - 1
    cycle, turn = divmod(round_, turns)
    pairs = []
    for i in range(turns):
        j = (turn - i) % turns
        if i < j:
            pairs.append((i, j) if (i + j) % 2 else (j, i))
    stays = turn * (turns + 1) // 2 % turns
    pairs.append((stays, turns) if stays < (turns + 1) // 2 else (turns, stays))
    seats = [pair[::-1] if cycle % 2 else pair for pair in pairs]
    return [tuple(circle[i] for i in pair if circle[i]) for pair in seats]


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
    pairs = combinations(group, 2)
    return total([(len(a.meetings(b.number)) ** 2, (a.points - b.points) ** 2) for a, b in pairs])


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


def _at_tables(groups: Sequence[Sequence[Entrant]]) -> tuple[Seats, ...]:
    playing = [group for group in groups if len(group) > 1]
    seats = [Seats(table, tuple(each.number for each in group)) for table, group in enumerate(playing, 1)]
    return (*seats, *(Seats(0, (group[0].number,)) for group in groups if len(group) == 1))


@dataclass(frozen=True, slots=True)
class Blemish:
    """Something at a table that is not as it should be.

    ``kind``       rematch: they have met; same sides: and on these sides; second bye; sides: somebody's sides differ
                   by more than one
    ``avoidable``  whether the round as it would be drawn with its seed does without it, and has fewer of its kind
    """

    kind: BlemishKind
    table: int
    players: tuple[int, ...]
    avoidable: bool


def review(event: Event, number: int) -> tuple[Blemish, ...]:
    """Return the blemishes of a round, table by table. Raises NotNow for a round that there is not."""
    round_ = event.round(number)
    before = replace(event, rounds=event.rounds[: number - 1], stages=event.stages[: round_.stage])
    found = list(_blemishes(before, round_.pairings))
    try:
        drawn = list(_blemishes(before, draw_round(before, round_.seed))) if found else []
    except NotNow:  # since some have left, there is nothing to draw
        drawn = found
    more = Counter(kind for kind, *_ in found) - Counter(kind for kind, *_ in drawn)
    best = {(kind, frozenset(players)) for kind, _, players in drawn}
    return tuple(
        Blemish(kind, table, players, more[kind] > 0 and (kind, frozenset(players)) not in best)
        for kind, table, players in found
    )


def _blemishes(
    before: Event, pairings: Iterable[Pairing | Seats]
) -> Iterator[tuple[BlemishKind, int, tuple[int, ...]]]:
    """Yield what is wrong, where and for whom: of a pod, each two of it. Who has left is nowhere."""
    stage = before.stage
    known = {each.number: each for each in entrants(before, stage)}
    sided = stage.sides == "assigned" and stage.match == "one game"
    for each in pairings:
        group = [known[player] for player in each.players if player in known]
        if len(group) == 1 and group[0].byes:
            yield "second bye", each.table, (group[0].number,)
        for first, second in combinations(group, 2):
            pair, met = (first.number, second.number), first.meetings(second.number)
            if met:
                yield "rematch", each.table, pair
            if met and sided and met[-1]:
                yield "same sides", each.table, pair
            if sided and (first.balance > 0 or second.balance < 0):
                yield "sides", each.table, pair
