"""Where each box stands in the round that is published, as it is told over the uplink."""

from __future__ import annotations

from collections.abc import Mapping

from referee.hall.names import Names
from referee.hall.uplink.messages import MOST_LETTERS, MOST_PLAYERS, Seating
from referee.tournament import Event, Pairing, Round
from referee.tournament.settings import GAMES


def published(event: Event) -> Round | None:
    """Return the last round that is published; a draft is nobody's business."""
    return next((each for each in reversed(event.rounds) if each.state != "draft"), None)


def seatings(event: Event, names: Names) -> dict[str, Seating]:
    """Return where each box stands, by its key. A box keeps its table from round to round."""
    round_ = published(event)
    return {box: _seating(event, round_, table, names) for table, box in event.boxes.items()}


def _seating(event: Event, round_: Round | None, table: int, names: Names) -> Seating:
    pairing = next((each for each in round_.pairings if each.table == table), None) if round_ is not None else None
    if round_ is None or pairing is None:
        return Seating(round_.number if round_ is not None else 0, table, clock=event.settings.clock)
    stage = event.stages[round_.stage - 1]
    sides = sides_of(event, pairing, assigned=stage.sides == "assigned")
    players = tuple(
        (number, names.player(number)[:MOST_LETTERS], sides.get(number, "")[:MOST_LETTERS])
        for number in pairing.players[:MOST_PLAYERS]
    )
    return Seating(
        round_.number,
        table,
        players,
        GAMES[stage.match],
        tuple(each[:MOST_LETTERS] for each in event.settings.wins[:MOST_PLAYERS]),
        event.settings.points.split,
        "elimination" not in stage.format,
        event.settings.call_stops,
        event.settings.clock,
    )


def sides_of(event: Event, pairing: Pairing, *, assigned: bool) -> Mapping[int, str]:
    """Return what each player plays in the first game, by number; nothing where that is not known."""
    sides = event.settings.sides
    if len(pairing.players) != 2 or not sides:
        return {}
    if assigned:
        return dict(zip(pairing.players, sides, strict=True))
    first = next((bid for bid in pairing.bids if bid.game == 1), None)
    if first is None:
        return {}
    other = sides[1 - sides.index(first.side)]
    return {player: first.side if player == first.player else other for player in pairing.players}
