"""The draft of the next round: who meets, at which table; and what is not as it should be in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

from referee.errors import NotNow
from referee.tournament.bracket import ready
from referee.tournament.event import Event, Pairing, Seats, Stage, lot, not_now
from referee.tournament.pairing.pods import pods
from referee.tournament.pairing.swiss import Entrant, drawn, entrants, seated, swiss_pairs
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
    """Return the pairings of the next round of the stage, for an act `RoundPaired` with the same seed.

    A draft that is there already is left out of account. Raises NotNow if nobody is left to pair, or if a bracket
    waits for results.
    """
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
