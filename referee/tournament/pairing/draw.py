"""The draft of the next round, whatever the format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.errors import NotNow
from referee.tournament.bracket import mulligan_next, ready
from referee.tournament.event import Event, Seats, Stage
from referee.tournament.lots import lot
from referee.tournament.pairing.entrants import Entrant, drawn, entrants
from referee.tournament.pairing.pods import pods
from referee.tournament.pairing.schedule import round_robin
from referee.tournament.pairing.swiss import seated, swiss_pairs
from referee.tournament.pairing.tables import at_tables
from referee.tournament.results import SMALLEST_POD


def seeding(event: Event, seed: int) -> tuple[int, ...]:
    """Return who would be in a stage that is opened now, in the order of their seeds.

    After a cut, those of the cut as they are; else everybody who is here: the higher rating first, equal ratings by
    lot (War of the Ring world tournament 2023).
    """
    players = event.players
    return event.cut or tuple(sorted(event.here(), key=lambda number: (-players[number].rating, lot(seed, number))))


def draw_round(event: Event, seed: int) -> tuple[Seats, ...]:
    """Return the pairings of the next round of the stage, for an act `RoundPaired` with the same seed.

    A draft that is there already is left out of account. Raises NotNow if nobody is left to pair, or if a bracket
    waits for results.
    """
    stage = event.stage
    if event.rounds and event.rounds[-1].state == "draft":
        event = replace(event, rounds=event.rounds[:-1])
    players = entrants(event, stage)
    if not players:
        raise NotNow("nobody-left", "expected somebody to pair; everybody has left")
    return at_tables(_groups(event, stage, players, seed))


def _groups(event: Event, stage: Stage, players: list[Entrant], seed: int) -> Sequence[Sequence[Entrant]]:
    """Return who plays together, the best first; of a round robin, pairs of who has left may be empty."""
    if stage.format == "swiss" or mulligan_next(event, stage):
        return swiss_pairs(players, seed, stage.sides)
    if stage.format == "pods":
        if len(players) < SMALLEST_POD:
            raise NotNow(
                "no-pod", f"expected {SMALLEST_POD} players for a pod; {len(players)} are left: end the stage"
            )
        return pods(players, seed, stage.pod, byes=stage.byes)
    by_number = {each.number: each for each in players}
    if stage.format == "round robin":
        return [
            [by_number[number] for number in pair if number in by_number]
            for pair in round_robin(stage.players, len(drawn(event, stage)))
        ]
    pairs = ready(event, stage)
    if not pairs:
        raise NotNow("bracket-waits", "expected a match that can be paired: results are missing, or it is played out")
    return [seated((by_number[first], by_number[second]), seed, stage.sides) for first, second in pairs]
