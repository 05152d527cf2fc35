"""Tie-breakers in words: a value, and the sums it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from referee.tournament.event import Event, Stage
from referee.tournament.standings.knockout import fates
from referee.tournament.standings.tiebreakers import FLOOR, Scores, Value, adjusted, beaten, opponents_points, share

Name: TypeAlias = Callable[[int], str]
"""What a player is called; names are not in the event."""


def number(value: Fraction) -> str:
    """Return a number as people read it: 7, or 5/9 (0.556)."""
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.3f})"


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of the tie-breakers of a stage."""

    event: Event
    stage: Stage
    scores: Scores
    name: Name

    def value(self, criterion: str, player: int, value: Value) -> str:
        """Return the value of a tie-breaker: "12", "2 by Ring", "out in the final"."""
        if criterion == "kind of win":
            kinds = zip(value, self.scores.settings.wins, strict=True)
            return ", ".join(f"{count} by {kind}" for count, kind in kinds)
        if criterion in ("lot", "seed"):
            return f"{criterion} {-value[0]}"
        if criterion == "how far":
            return fates(self.event, self.stage)[player].words
        return number(value[0])

    def sums(self, criterion: str, player: int, tied: Sequence[int]) -> str:
        """Return what a value is made of, "" where it speaks for itself."""
        if criterion in ("match points", "game points"):
            return self._rounds(player, by_games=criterion == "game points")
        if criterion == "strength of schedule":
            return f"{self.name(player)} met {self._shares(player)}."
        if criterion in ("buchholz", "median buchholz"):
            return self._opponents(player, median=criterion == "median buchholz")
        if criterion == "sonneborn-berger":
            return self._beaten(player)
        if criterion == "head to head":
            return self._meetings(player, tied)
        return f"The lots were drawn with seed {self.stage.seed}." if criterion == "lot" else ""

    def _rounds(self, player: int, *, by_games: bool) -> str:
        """Return each round: "Anna: round 1 win 3, round 2 loss 0"."""
        history = self.scores.histories[player]
        parts = [
            f"round {round_} {score.outcome} {score.game_points if by_games else score.points}"
            for round_, score in history.rounds
        ]
        if history.penalty and not by_games:
            parts.append(f"less {history.penalty} by penalty")
        return f"{self.name(player)}: {', '.join(parts)}."

    def _shares(self, player: int) -> str:
        parts = []
        for other in self.scores.histories[player].opponents:
            history = self.scores.histories[other]
            most = sum(score.most for score in history.scores)
            floor = ", counted as 1/3" if share(history) == FLOOR and 3 * history.earned != most else ""
            parts.append(f"{self.name(other)} ({history.earned} of {most}{floor})")
        return ", ".join(parts) or "nobody"

    def _opponents(self, player: int, *, median: bool) -> str:
        """Return each opponent's points: "The opponents of Anna have Bo 6, Cem 4 (3, and draws after leaving)"."""
        history, parts = self.scores.histories[player], []
        for score in history.scores:
            for other in score.opponents:
                earned, counted = self.scores.histories[other].earned, adjusted(self.scores, other)
                left = "" if counted == earned else f" ({earned}, and draws after leaving)"
                parts.append(f"{self.name(other)} {number(counted)}{left}")
            if not score.opponents:
                parts.append(f"{history.earned} of their own for a round without one")
        text = f"The opponents of {self.name(player)} have {', '.join(parts) or 'nothing'}"
        points = sorted(opponents_points(self.scores, player))
        if median and len(points) > 1:
            text += f"; left out are {number(points[-1])} and {number(points[0])}"
        return f"{text}."

    def _beaten(self, player: int) -> str:
        """Return whose points count, and how much: "Anna beat or drew with Bo 4, Cem half of 3"."""
        parts = [
            f"{self.name(other)} {'half of ' if share < 1 else ''}{number(adjusted(self.scores, other))}"
            for other, share in beaten(self.scores, player)
        ]
        return f"{self.name(player)} beat or drew with {', '.join(parts) or 'nobody'}."

    def _meetings(self, player: int, tied: Sequence[int]) -> str:
        parts = [
            f"{score.outcome} {score.points} against {self.name(other)}"
            for score in self.scores.histories[player].scores
            for other in score.opponents
            if other in tied
        ]
        return f"{self.name(player)}: {', '.join(parts)}."
