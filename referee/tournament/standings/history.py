"""What each player of a stage has played, round by round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.tournament.event import Event, Stage
from referee.tournament.scoring import Score, score

MISSED = Score("missed", 0, 0, 0)
"""A round for which a player was not paired: he came late, or had left."""


@dataclass(frozen=True, slots=True)
class History:
    """The rounds of one player that have begun, without what is still played.

    ``rounds``   number of the round and what it brought, in order
    ``penalty``  match points taken off by penalties
    """

    player: int
    rounds: tuple[tuple[int, Score], ...]
    penalty: int = 0

    @property
    def scores(self) -> tuple[Score, ...]:
        """What each round brought."""
        return tuple(score for _, score in self.rounds)

    @property
    def earned(self) -> int:
        """Match points before penalties: what the player's opponents are judged by."""
        return sum(each.points for each in self.scores)

    @property
    def points(self) -> int:
        """Match points."""
        return self.earned - self.penalty

    @property
    def game_points(self) -> int:
        """Points of the single games."""
        return sum(each.game_points for each in self.scores)

    @property
    def opponents(self) -> tuple[int, ...]:
        """Everybody played against, as often as that was; no byes, and nobody who did not come."""
        return tuple(other for each in self.scores for other in each.opponents)

    @property
    def missed_last(self) -> int:
        """How many rounds were missed at the end, after the last one played."""
        scores = list(self.scores)
        while scores and scores[-1] == MISSED:
            scores.pop()
        return len(self.scores) - len(scores)

    def against(self, others: Iterable[int]) -> int:
        """Return the match points from matches against any of these players."""
        others = set(others)
        return sum(each.points for each in self.scores if others & set(each.opponents))


def histories(event: Event, stage: Stage) -> dict[int, History]:
    """Return the history of each player of a stage."""
    rounds: dict[int, list[tuple[int, Score]]] = {number: [] for number in stage.players}
    for each in event.rounds_of(stage):
        scores = dict.fromkeys(stage.players, MISSED)
        for pairing in each.pairings:
            brought = score(pairing, stage, event.settings.points)
            for player in pairing.players:
                del scores[player]
            scores |= brought
        for player, one in scores.items():
            rounds[player].append((each.number, one))
    penalties = dict.fromkeys(stage.players, 0)
    for penalty in event.penalties:
        if penalty.stage == stage.number and penalty.player in penalties:
            penalties[penalty.player] += penalty.points
    return {number: History(number, tuple(rounds[number]), penalties[number]) for number in stage.players}
