"""The standings: players in the order of the tie-breakers, or of how far they came; and why one is before another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from referee.tournament.bracket import THIRD, bracket
from referee.tournament.event import Event, Round, Stage, not_now
from referee.tournament.scoring import histories
from referee.tournament.standings.tiebreakers import (
    FLOOR,
    TIEBREAKERS,
    Compute,
    Scores,
    Value,
    adjusted,
    all_met,
    beaten,
    opponents_points,
    share,
)


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


Name: TypeAlias = Callable[[int], str]
"""What a player is called; names are not in the event."""


def why(event: Event, stage: Stage, one: int, other: int, name: Name = "Player {}".format) -> tuple[str, ...]:
    """Return sentences that say why one of two players stands before the other in a stage.

    First where they stand, then each criterion in order up to the one that decides, then its sums. Raises NotNow for
    a player who is not listed there.
    """
    rows = {row.player: row.place for row in standings(event, stage)}
    for player in (one, other):
        if player not in rows:
            raise not_now(f"player {player} is not in the standings of this part")
    if rows[other] < rows[one]:
        one, other = other, one
    if not rows[one]:
        return ("Nobody has a place before the first result.",)
    if rows[one] == rows[other]:
        where = f"{name(one)} and {name(other)} share the {ordinal(rows[one])} place: nothing tells them apart."
    else:
        where = f"{name(one)} is {ordinal(rows[one])}, {name(other)} is {ordinal(rows[other])}."
    return (where, *_criteria(_Words(order_of(event, stage), name), one, other))


def ordinal(place: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th ..."""
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.3f})"


@dataclass(frozen=True, slots=True)
class _Words:
    order: Order
    name: Name

    def value(self, criterion: str, player: int, value: Value) -> str:
        """Return the value of a tie-breaker: "12", "2 by Ring", "out in the final"."""
        if criterion == "kind of win":
            kinds = zip(value, self.order.scores.settings.wins, strict=True)
            return ", ".join(f"{count} by {kind}" for count, kind in kinds)
        if criterion in ("lot", "seed"):
            return f"{criterion} {-value[0]}"
        return self.order.far[player].words if criterion == "how far" else _number(value[0])

    def sums(self, criterion: str, player: int, tied: Sequence[int]) -> str:
        """Return what a value is made of, "" where it speaks for itself."""
        name, scores = self.name(player), self.order.scores
        if criterion in ("match points", "game points"):
            return f"{name}: {self._rounds(player, by_games=criterion == 'game points')}."
        if criterion == "strength of schedule":
            return f"{name} met {self._shares(player)}."
        if criterion in ("buchholz", "median buchholz"):
            return f"The opponents of {name} have {self._opponents(player, median=criterion == 'median buchholz')}."
        if criterion == "sonneborn-berger":
            parts = [
                f"{self.name(other)} {'half of ' if part < 1 else ''}{_number(adjusted(scores, other))}"
                for other, part in beaten(scores, player)
            ]
            return f"{name} beat or drew with {', '.join(parts) or 'nobody'}."
        if criterion == "head to head":
            parts = [
                f"{score.outcome} {score.points} against {self.name(other)}"
                for score in scores.histories[player].scores
                for other in score.opponents
                if other in tied
            ]
            return f"{name}: {', '.join(parts)}."
        return f"The lots were drawn with seed {scores.stage.seed}." if criterion == "lot" else ""

    def _rounds(self, player: int, *, by_games: bool) -> str:
        """Return each round: "round 1 win 3, round 2 loss 0"."""
        history = self.order.scores.histories[player]
        parts = [
            f"round {round_} {score.outcome} {score.game_points if by_games else score.points}"
            for round_, score in history.rounds
        ]
        if history.penalty and not by_games:
            parts.append(f"less {history.penalty} by penalty")
        return ", ".join(parts)

    def _shares(self, player: int) -> str:
        parts = []
        for other in self.order.scores.histories[player].opponents:
            history = self.order.scores.histories[other]
            most = sum(score.most for score in history.scores)
            floor = ", counted as 1/3" if share(history) == FLOOR and 3 * history.earned != most else ""
            parts.append(f"{self.name(other)} ({history.earned} of {most}{floor})")
        return ", ".join(parts) or "nobody"

    def _opponents(self, player: int, *, median: bool) -> str:
        """Return each opponent's points: "Bo 6, Cem 4 (3, and draws after leaving)"."""
        scores, parts = self.order.scores, []
        history = scores.histories[player]
        for score in history.scores:
            for other in score.opponents:
                earned, counted = scores.histories[other].earned, adjusted(scores, other)
                left = "" if counted == earned else f" ({earned}, and draws after leaving)"
                parts.append(f"{self.name(other)} {_number(counted)}{left}")
            if not score.opponents:
                parts.append(f"{history.earned} of their own for a round without one")
        points = sorted(opponents_points(scores, player))
        out = f"; left out are {_number(points[-1])} and {_number(points[0])}" if median and len(points) > 1 else ""
        return f"{', '.join(parts) or 'nothing'}{out}"


def _criteria(words: _Words, one: int, other: int) -> Iterator[str]:
    """Yield what each criterion says of two, up to the one that tells them apart, and its sums."""
    order, tied = words.order, list(words.order.players)
    for criterion, compute in order.criteria:
        values = {player: compute(order.scores, player, tied) for player in tied}
        both = words.value(criterion, one, values[one])
        if values[one] != values[other]:
            less = words.value(criterion, other, values[other])
            yield f"Decided by {criterion}: {words.name(one)} {both}, {words.name(other)} {less}."
            yield from filter(None, dict.fromkeys(words.sums(criterion, player, tied) for player in (one, other)))
            return
        if criterion == "head to head" and not all_met(order.scores, tied):
            yield "Head to head does not count: not all who are tied have met."
        else:
            yield f"{criterion.capitalize()}: both {both}."
        tied = [player for player in tied if values[player] == values[one]]
