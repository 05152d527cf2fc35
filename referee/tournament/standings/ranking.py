"""The standings: players in the order of the tie-breakers, or of how far they came in an elimination."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby

from referee.tournament.bracket import THIRD, bracket
from referee.tournament.event import Event, Round, Stage
from referee.tournament.scoring import histories
from referee.tournament.standings.tiebreakers import TIEBREAKERS, Compute, Scores, Value


@dataclass(frozen=True, slots=True)
class Fate:
    """How far somebody came.

    ``left``  how many matches they had still to win where they stopped, or have to win; 0 for the champion
    ``out``   whether they are out
    ``name``  the match: final, semifinal, losers' round 2; "third" for who won the third place; "" for the champion
    """

    left: int
    out: bool
    name: str = ""

    @property
    def words(self) -> str:
        """What is said of it: "champion", "out in the semifinal", "in the final"."""
        if not self.left:
            return "champion"
        if self.name == "third":
            return "third"
        return f"{'out ' if self.out else ''}in the {self.name}"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings.

    ``place``   equal ones are shared; 0 before the first result, when nobody has a place
    ``values``  each tie-breaker's, in their order
    """

    place: int
    player: int
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Order:
    """What the standings of a stage are ordered by.

    ``players``   who is listed: nobody who was disqualified
    ``criteria``  name and computation of each, the most important first
    ``far``       how far each has come, in an elimination
    """

    scores: Scores
    players: tuple[int, ...]
    criteria: tuple[tuple[str, Compute], ...]
    far: Mapping[int, Fate] = field(default_factory=dict)


def fates(event: Event, stage: Stage) -> dict[int, Fate]:
    """Return how far each player of an elimination has come: the later they are out, the better."""
    far: dict[int, Fate] = {}
    matches = bracket(event, stage)
    for match in matches:
        for player in filter(None, match.players):
            out = match.winner is not None and match.winner != player
            third = match.name == THIRD and match.winner == player
            far[player] = Fate(match.left, out, "third" if third else match.name)
    champion = matches[-1].winner
    return far | ({champion: Fate(0, out=False)} if champion else {})


def order_of(event: Event, stage: Stage) -> Order:
    """Return what a stage is ordered by: an elimination by how far somebody came, all others by the tie-breakers."""
    scores = Scores(event.settings, stage, histories(event, stage))
    players = tuple(number for number in stage.players if event.players[number].state != "disqualified")
    if "elimination" not in stage.format:
        return Order(scores, players, tuple((name, TIEBREAKERS[name]) for name in event.settings.tiebreakers))
    far = fates(event, stage)

    def how_far(_scores: Scores, player: int, _tied: Sequence[int]) -> Value:
        return Fraction(-far[player].left), Fraction(not far[player].out)

    def seed(_scores: Scores, player: int, _tied: Sequence[int]) -> Value:
        return (Fraction(-1 - stage.players.index(player)),)

    return Order(scores, players, (("how far", how_far), ("seed", seed)), far)


def standings(event: Event, stage: Stage) -> tuple[Row, ...]:
    """Return the standings of a stage as they are now, best first."""
    order, placed = order_of(event, stage), has_result(event, stage)
    values: dict[int, dict[str, Value]] = {player: {} for player in order.players}
    rows: list[Row] = []
    for group in _sorted(order, order.players, 0, values):
        place = len(rows) + 1 if placed else 0
        rows += [Row(place, player, values[player]) for player in sorted(group)]
    return tuple(rows)


def has_result(event: Event, stage: Stage) -> bool:
    """Return whether a match of the stage has a result."""
    return any(pairing.result for each in event.rounds_of(stage) for pairing in each.pairings)


def _sorted(
    order: Order, tied: Sequence[int], first: int, values: dict[int, dict[str, Value]]
) -> Iterator[Sequence[int]]:
    """Yield groups of players whom no criterion from ``first`` on tells apart, best first; note what was computed."""
    if first == len(order.criteria):
        yield tied
        return
    name, compute = order.criteria[first]
    for player in tied:
        values[player][name] = compute(order.scores, player, tied)
    by_value = sorted(tied, key=lambda player: values[player][name], reverse=True)
    for _, group in groupby(by_value, key=lambda player: values[player][name]):
        yield from _sorted(order, list(group), first + 1, values)


def cut_to(event: Event, size: int) -> tuple[int, ...]:
    """Return so many of the stage for an act `CutMade`: the best who are still in the event."""
    here = event.playing(event.stage)
    return tuple(row.player for row in standings(event, event.stage) if row.player in here)[:size]


def final_standings(event: Event) -> tuple[Row, ...]:
    """Return the standings of the whole event: who came into a later stage stands before all who did not.

    A stage counts from its first result on; before that its players stand as in the stage before it.
    """
    rows: list[Row] = []
    for stage in sorted(event.stages, key=lambda each: (has_result(event, each), each.number), reverse=True):
        listed, base = {row.player for row in rows}, len(rows)
        rest = [row for row in standings(event, stage) if row.player not in listed]
        better = [sum(other.place < row.place for other in rest) for row in rest]
        rows += [replace(row, place=base + 1 + n if row.place else 0) for row, n in zip(rest, better, strict=True)]
    return tuple(rows)


def apart(event: Event, round_: Round) -> dict[int, str]:
    """Return what those of the stage do who are not paired in its last round: a bye of the bracket, waits, out, left.

    Nothing of a round that another one of the stage has followed.
    """
    stage = event.stages[round_.stage - 1]
    rounds = event.rounds_of(stage, begun=False)
    if round_.number != rounds[-1].number:
        return {}
    far = fates(event, stage) if "elimination" in stage.format else {}
    return {
        number: _apart(event, number, far.get(number), rounds) for number in stage.players if not round_.of(number)
    }


def _apart(event: Event, number: int, fate: Fate | None, rounds: Sequence[Round]) -> str:
    if fate is not None and (not fate.left or fate.name == "third"):
        return fate.words
    if event.players[number].state != "here":
        return "has left"
    if fate is None:
        return "not paired"
    played = any(each.of(number) for each in rounds)
    return "out" if fate.out else "waits for an opponent" if played else "bye"
