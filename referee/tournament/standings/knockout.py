"""Where players of an elimination stand: the later they are out, the better."""

from __future__ import annotations

from dataclasses import dataclass

from referee.tournament.bracket import THIRD, bracket, mulligan_next
from referee.tournament.event import Event, Stage


@dataclass(frozen=True, slots=True)
class Fate:
    """How far somebody came.

    ``left``  how many matches he had still to win where he stopped, or has to win; 0 for the champion
    ``out``   whether he is out
    ``name``  the match: final, semifinal, losers' round 2; "third" for who won the third place; "" for the champion
              and before the first
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
        return f"{'out ' if self.out else ''}in the {self.name or 'mulligan round'}"


def fates(event: Event, stage: Stage) -> dict[int, Fate]:
    """Return how far each player of an elimination has come; nobody anywhere before a mulligan round is over."""
    far = dict.fromkeys(stage.players, Fate(len(stage.players), out=False))
    rounds = event.rounds_of(stage, begun=False)
    if mulligan_next(event, stage) or (stage.mulligan and any(pairing.open for pairing in rounds[0].pairings)):
        return far
    matches = bracket(event, stage)
    for match in matches:
        for player in match.players:
            if player:
                out = match.winner is not None and match.winner != player
                third = match.name == THIRD and match.winner == player
                far[player] = Fate(match.left, out, "third" if third else match.name)
    champion = matches[-1].winner
    if champion:
        far[champion] = Fate(0, out=False)
    return far
