"""Where players of an elimination stand: the later they are out, the better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.tournament.bracket import THIRD, bracket, mulligan_next
from referee.tournament.event import Event, Round, Stage


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
