"""What an organiser should see before a round is published: what is not as it should be, and what could be better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

from referee.errors import NotNow
from referee.tournament.event import Event, Pairing, Seats
from referee.tournament.pairing.draw import draw_round
from referee.tournament.pairing.entrants import entrants

BlemishKind: TypeAlias = Literal["rematch", "same sides", "second bye", "sides", "friendly fire"]


@dataclass(frozen=True, slots=True)
class Blemish:
    """Something at a table that is not as it should be.

    ``kind``       rematch: they have met; same sides: and on these sides; second bye; sides: somebody's sides differ
                   by more than one; friendly fire: members of one club
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
            if first.club == second.club != 0:
                yield "friendly fire", each.table, pair
