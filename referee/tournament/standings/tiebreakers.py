"""Tie-breakers: how each is computed, exactly. Of each the higher value is better.

A value is a list of fractions, so that kinds of win compare as numbers do. Each function takes the scores, a player,
and those who are still tied with him (and he), which only the head to head looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from referee.tournament.event import Stage, lot
from referee.tournament.scoring import History
from referee.tournament.settings import Settings, TieBreaker

Value: TypeAlias = tuple[Fraction, ...]

FLOOR = Fraction(1, 3)
"""No opponent counts for less (Magic tournament rules, appendix C): who meets a beginner is not punished for it."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What tie-breakers are computed from."""

    settings: Settings
    stage: Stage
    histories: Mapping[int, History]


def match_points(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return the points of the matches, less those taken by penalties."""
    return (Fraction(scores.histories[player].points),)


def game_points(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return the points of the single games: of a best of three, 2-0 is better than 2-1."""
    return (Fraction(scores.histories[player].game_points),)


def strength_of_schedule(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return the average of what share of its possible points each opponent has won.

    A share is `FLOOR` at least; an opponent's byes are points it won; rounds without an opponent are left out (Magic
    tournament rules, appendix C; Netrunner's Cobra). 0 for who has met nobody.
    """
    shares = [share(scores.histories[other]) for other in scores.histories[player].opponents]
    return (sum(shares, Fraction(0)) / max(1, len(shares)),)


def share(history: History) -> Fraction:
    """Return the match points of somebody by what was possible in the rounds he was paired in, `FLOOR` at least."""
    most = sum(each.most for each in history.scores)
    return max(FLOOR, Fraction(history.earned, most)) if most else FLOOR


def buchholz(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return the sum of the opponents' points (FIDE C.07)."""
    return (sum(opponents_points(scores, player), Fraction(0)),)


def median_buchholz(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return the sum of the opponents' points without the highest and the lowest (FIDE C.07)."""
    return (sum(sorted(opponents_points(scores, player))[1:-1], Fraction(0)),)


def sonneborn_berger(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return the points of the opponents who were beaten, and half of those of a draw (FIDE C.07)."""
    parts = beaten(scores, player)
    return (sum((share * adjusted(scores, other) for other, share in parts), Fraction(0)),)


def beaten(scores: Scores, player: int) -> list[tuple[int, Fraction]]:
    """Return each opponent of a match that was won or drawn, and what part of his points counts: all or a half."""
    part = {"win": Fraction(1), "draw": Fraction(1, 2), "intentional draw": Fraction(1, 2)}
    history = scores.histories[player].scores
    return [(other, part[each.outcome]) for each in history if each.outcome in part for other in each.opponents]


def opponents_points(scores: Scores, player: int) -> list[Fraction]:
    """Return the points of the opponent of each round, as they count for Buchholz (FIDE C.07, from 2023).

    A round without an opponent counts as one against somebody with the player's own points. Of an opponent who left,
    the rounds after his last count as draws.
    """
    history, points = scores.histories[player], []
    for each in history.scores:
        points += [adjusted(scores, other) for other in each.opponents] or [Fraction(history.earned)]
    return points


def adjusted(scores: Scores, player: int) -> Fraction:
    """Return the points with which a player counts for the Buchholz of others."""
    points, history = scores.settings.points, scores.histories[player]
    draw = Fraction(points.split, 2) if points.split else Fraction(points.draw)
    return history.earned + draw * history.missed_last


def head_to_head(scores: Scores, player: int, tied: Sequence[int]) -> Value:
    """Return the points from matches among those who are tied, if each of them has met each other (FIDE C.07)."""
    return (Fraction(scores.histories[player].against(tied) if all_met(scores, tied) else 0),)


def all_met(scores: Scores, tied: Sequence[int]) -> bool:
    """Return whether each of these players has met each other."""
    return all({*tied} <= {one, *scores.histories[one].opponents} for one in tied)


def kind_of_win(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return how many games were won by the best kind of win, then by the second ..."""
    kinds = [kind for each in scores.histories[player].scores for kind in each.kinds]
    return tuple(Fraction(kinds.count(kind)) for kind in scores.settings.wins)


def drawn_lot(scores: Scores, player: int, _tied: Sequence[int]) -> Value:
    """Return the place that the lot gives, -1 the first; the stage's seed stands in the record."""
    order = sorted(scores.stage.players, key=lambda number: (lot(scores.stage.seed, number), number))
    return (Fraction(-1 - order.index(player)),)


Compute: TypeAlias = Callable[[Scores, int, Sequence[int]], Value]

TIEBREAKERS: dict[TieBreaker, Compute] = {
    "match points": match_points,
    "game points": game_points,
    "strength of schedule": strength_of_schedule,
    "buchholz": buchholz,
    "median buchholz": median_buchholz,
    "sonneborn-berger": sonneborn_berger,
    "head to head": head_to_head,
    "kind of win": kind_of_win,
    "lot": drawn_lot,
}
