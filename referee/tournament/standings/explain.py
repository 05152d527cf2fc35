"""Why am I third? Where two players stand, in plain sentences, with the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from referee.tournament.event import Event, Stage, not_now
from referee.tournament.standings.ranking import Order, order_of, standings
from referee.tournament.standings.tiebreakers import FLOOR, Value, adjusted, all_met, beaten, opponents_points, share

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
