"""The standings: players in the order of the tie-breakers, or of how far they came.

Tie-breakers are computed exactly, from the scores. Of each the higher value is better; a value is a list of
fractions, so that kinds of win compare as numbers do. Each is computed for a player, and those who are still tied
with this one (and this one), at whom only the head to head looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from referee.tournament.bracket import THIRD, bracket
from referee.tournament.event import Event, Round, Stage, lot
from referee.tournament.scoring import History, histories
from referee.tournament.settings import Settings, TieBreaker

Value: TypeAlias = tuple[Fraction, ...]

FLOOR: Final = Fraction(1, 3)
"""No opponent counts for less (Magic tournament rules, appendix C): who meets a beginner is not punished for it."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What tie-breakers are computed from."""

    settings: Settings
    stage: Stage
    histories: Mapping[int, History]


Compute: TypeAlias = Callable[[Scores, int, Sequence[int]], Value]


def share(history: History) -> Fraction:
    """Return the match points of somebody by what was possible in the rounds of their pairings, `FLOOR` at least."""
    most = sum(each.most for each in history.scores)
    return max(FLOOR, Fraction(history.earned, most)) if most else FLOOR


def _strength_of_schedule(scores: Scores, player: int) -> Fraction:
    """Return the average of what share of its possible points each opponent has won.

    An opponent's byes are points it won; rounds without an opponent are left out (Magic tournament rules, appendix C;
    Netrunner's Cobra). 0 for who has met nobody.
    """
    shares = [share(scores.histories[other]) for other in scores.histories[player].opponents]
    return sum(shares, Fraction(0)) / max(1, len(shares))


def adjusted(scores: Scores, player: int) -> Fraction:
    """Return the points with which a player counts for the Buchholz of others.

    Of a player who left, the rounds after the last one count as draws (FIDE C.07, from 2023).
    """
    points, history = scores.settings.points, scores.histories[player]
    return history.earned + Fraction(points.split or 2 * points.draw, 2) * history.missed_last


def opponents_points(scores: Scores, player: int) -> list[Fraction]:
    """Return the points of the opponent of each round, as they count for Buchholz (FIDE C.07, from 2023).

    A round without an opponent counts as one against somebody with the player's own points.
    """
    history, points = scores.histories[player], []
    for each in history.scores:
        points += [adjusted(scores, other) for other in each.opponents] or [Fraction(history.earned)]
    return points


def beaten(scores: Scores, player: int) -> list[tuple[int, Fraction]]:
    """Return each opponent of a match that was won or drawn, and what part of their points counts: all or a half."""
    part = {"win": Fraction(1), "draw": Fraction(1, 2)}
    history = scores.histories[player].scores
    return [(other, part[each.outcome]) for each in history if each.outcome in part for other in each.opponents]


def _head_to_head(scores: Scores, player: int, tied: Sequence[int]) -> Value:
    """Return the points from matches among those who are tied, if each of them has met each other (FIDE C.07)."""
    met = all({*tied} <= {one, *scores.histories[one].opponents} for one in tied)
    among = [each for each in scores.histories[player].scores if {*tied} & {*each.opponents}]
    return (Fraction(sum(each.points for each in among) if met else 0),)


def _kind_of_win(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return how many games were won by the best kind of win, then by the second ..."""
    kinds = [kind for each in scores.histories[player].scores for kind in each.kinds]
    return tuple(Fraction(kinds.count(kind)) for kind in scores.settings.wins)


@lru_cache(maxsize=8)
def _drawn(seed: int, players: tuple[int, ...]) -> Mapping[int, int]:
    """Return the place that the lot gives, 0 the first; the stage's seed stands in the record."""
    order = sorted(players, key=lambda number: (lot(seed, number), number))
    return {player: at for at, player in enumerate(order)}


def _one(number: Callable[[Scores, int], int | Fraction]) -> Compute:
    """Return a tie-breaker that is one number, and looks at nobody else."""
    return lambda scores, player, _tied: (Fraction(number(scores, player)),)


TIEBREAKERS: Final[Mapping[TieBreaker, Compute]] = {
    "match points": _one(lambda scores, player: scores.histories[player].points),
    # Of the single games: in a best of three, 2-0 is better than 2-1.
    "game points": _one(lambda scores, player: scores.histories[player].game_points),
    "strength of schedule": _one(_strength_of_schedule),
    "buchholz": _one(lambda scores, player: sum(opponents_points(scores, player))),
    # Without the highest and the lowest (FIDE C.07).
    "median buchholz": _one(lambda scores, player: sum(sorted(opponents_points(scores, player))[1:-1])),
    # The points of those who were beaten, and half of those of a draw (FIDE C.07).
    "sonneborn-berger": _one(
        lambda scores, player: sum(adjusted(scores, n) * part for n, part in beaten(scores, player))
    ),
    "head to head": _head_to_head,
    "kind of win": _kind_of_win,
    "lot": _one(lambda scores, player: -1 - _drawn(scores.stage.seed, scores.stage.players)[player]),
}


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


def _criteria(event: Event, stage: Stage) -> list[tuple[str, Compute]]:
    """Return what a stage is ordered by: an elimination by how far somebody came, all others by the tie-breakers."""
    if "elimination" not in stage.format:
        return [(name, TIEBREAKERS[name]) for name in event.settings.tiebreakers]
    far = fates(event, stage)

    def how_far(_scores: Scores, player: int, _tied: Sequence[int]) -> Value:
        return Fraction(-far[player].left), Fraction(not far[player].out)

    def seed(_scores: Scores, player: int, _tied: Sequence[int]) -> Value:
        return (Fraction(-1 - stage.players.index(player)),)

    return [("how far", how_far), ("seed", seed)]


def standings(event: Event, stage: Stage) -> tuple[Row, ...]:
    """Return the standings of a stage as they are now, best first; nobody who was disqualified is listed."""
    scores, placed = Scores(event.settings, stage, histories(event, stage)), has_result(event, stage)
    players = [number for number in stage.players if event.players[number].state != "disqualified"]
    values: dict[int, dict[str, Value]] = {player: {} for player in players}
    rows: list[Row] = []
    for group in _sorted(scores, _criteria(event, stage), players, values):
        place = len(rows) + 1 if placed else 0
        rows += [Row(place, player, values[player]) for player in sorted(group)]
    return tuple(rows)


def has_result(event: Event, stage: Stage) -> bool:
    """Return whether a match of the stage has a result."""
    return any(pairing.result for each in event.rounds_of(stage) for pairing in each.pairings)


def _sorted(
    scores: Scores, criteria: Sequence[tuple[str, Compute]], tied: Sequence[int], values: dict[int, dict[str, Value]]
) -> Iterator[Sequence[int]]:
    """Yield groups of players whom no criterion tells apart, best first; note what was computed."""
    if not criteria:
        yield tied
        return
    (name, compute), *rest = criteria
    for player in tied:
        values[player][name] = compute(scores, player, tied)
    by_value = sorted(tied, key=lambda player: values[player][name], reverse=True)
    for _, group in groupby(by_value, key=lambda player: values[player][name]):
        yield from _sorted(scores, rest, list(group), values)


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


LEFT: Final = "has left"  # what is said of who dropped, or was disqualified


def apart(event: Event, round_: Round) -> dict[int, str]:
    """Return what those of the stage do who are not paired in its last round: a bye of the bracket, waits, out, left.

    Nothing of a round that another one of the stage has followed.
    """
    stage = event.stages[round_.stage - 1]
    rounds = event.rounds_of(stage, begun=False)
    if round_.number != rounds[-1].number:
        return {}
    far = fates(event, stage) if "elimination" in stage.format else {}

    def words(number: int) -> str:
        fate = far.get(number)
        if fate is not None and (not fate.left or fate.name == "third"):
            return fate.words
        if event.players[number].state != "here":
            return LEFT
        if fate is None:
            return "not paired"
        return "out" if fate.out else "waits for an opponent" if any(each.of(number) for each in rounds) else "bye"

    return {number: words(number) for number in stage.players if not round_.of(number)}
