"""Tie-breakers: how each is computed, exactly. Of each the higher value is better.

A value is a list of fractions, so that kinds of win compare as numbers do. Each is computed from the scores, for a
player, and those who are still tied with this one (and this one), at whom only the head to head looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from referee.tournament.event import Stage, lot
from referee.tournament.scoring import History
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
    part = {"win": Fraction(1), "draw": Fraction(1, 2), "intentional draw": Fraction(1, 2)}
    history = scores.histories[player].scores
    return [(other, part[each.outcome]) for each in history if each.outcome in part for other in each.opponents]


def all_met(scores: Scores, tied: Sequence[int]) -> bool:
    """Return whether each of these players has met each other."""
    return all({*tied} <= {one, *scores.histories[one].opponents} for one in tied)


def _head_to_head(scores: Scores, player: int, tied: Sequence[int]) -> Value:
    """Return the points from matches among those who are tied, if each of them has met each other (FIDE C.07)."""
    among = [each for each in scores.histories[player].scores if {*tied} & {*each.opponents}]
    return (Fraction(sum(each.points for each in among) if all_met(scores, tied) else 0),)


def _kind_of_win(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return how many games were won by the best kind of win, then by the second ..."""
    kinds = [kind for each in scores.histories[player].scores for kind in each.kinds]
    return tuple(Fraction(kinds.count(kind)) for kind in scores.settings.wins)


def _drawn_lot(scores: Scores, player: int) -> int:
    """Return the place that the lot gives, -1 the first; the stage's seed stands in the record."""
    order = sorted(scores.stage.players, key=lambda number: (lot(scores.stage.seed, number), number))
    return -1 - order.index(player)


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
    "lot": _one(_drawn_lot),
}
