"""What pairing must know of each player: points, whom he met on which side, byes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.tournament.event import Event, Pairing, Round, Stage, lot
from referee.tournament.scoring import histories


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who is to be paired.

    ``points``   what pairing compares: match points, or game points where the standings begin with them
    ``met``      opponents so far, in order, and whether this player sat first (played the first side)
    ``balance``  how often he played the first side less how often the second, where sides are assigned
    ``byes``     rounds without an opponent, or won because nobody came (FIDE C.04.1: neither gets a bye again)
    """

    number: int
    seed: int
    points: int = 0
    met: tuple[tuple[int, bool], ...] = ()
    balance: int = 0
    byes: int = 0

    def meetings(self, other: int) -> list[bool]:
        """Return for each meeting with another player whether this one sat first."""
        return [first for opponent, first in self.met if opponent == other]


def entrants(event: Event, stage: Stage) -> list[Entrant]:
    """Return who of a stage is still in the event, as they are after its rounds; a draft does not count.

    Rounds that are still played count as far as results are in; whoever meets in them has met.
    """
    before = drawn(event, stage)
    table = histories(event, stage)
    by_games = event.settings.tiebreakers[0] == "game points"
    sided = stage.sides == "assigned" and stage.match == "one game"
    result = []
    for number in event.playing(stage):
        own = [pairing for each in before if (pairing := each.of(number))]
        played = [(pairing, met) for pairing in own if (met := _met(pairing, number))]
        history = table[number]
        result.append(
            Entrant(
                number,
                stage.players.index(number),
                history.game_points if by_games else history.points,
                tuple((other, pairing.players[0] == number) for pairing, met in played for other in met),
                sum(1 if pairing.players[0] == number else -1 for pairing, _ in played) if sided else 0,
                sum(pairing.bye or _nobody_came(pairing, number) for pairing in own),
            )
        )
    return result


def drawn(event: Event, stage: Stage) -> list[Round]:
    """Return the rounds of a stage that are no drafts."""
    return [each for each in event.rounds_of(stage, begun=False) if each.state != "draft"]


def _met(pairing: Pairing, number: int) -> list[int]:
    """Return whom somebody of a table has met there: all who came, if they came too."""
    absent = pairing.result.absent if pairing.result else ()
    return [other for other in pairing.players if other not in (number, *absent)] if number not in absent else []


def _nobody_came(pairing: Pairing, number: int) -> bool:
    return pairing.result is not None and number not in pairing.result.absent and not _met(pairing, number)


def ranked(players: Sequence[Entrant], seed: int) -> list[Entrant]:
    """Return entrants best first; equal points in the order of their lots."""
    return sorted(players, key=lambda each: (-each.points, lot(seed, each.number), each.number))
