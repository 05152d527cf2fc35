"""What the hall wishes of each box, from the acts alone: where it stands, what was decided, how the clock stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from referee.errors import Malformed, NotNow, Refused
from referee.hall.ledger.ledger import State
from referee.hall.orders import orders
from referee.hall.round_clock import SETS
from referee.hall.seatings import published, sides_of
from referee.hall.uplink.messages import Order as OldOrder
from referee.numbers import WHOLE
from referee.tournament import Event, Pairing, Result, Round, ends_at
from referee.tournament.acts import Act, CallOpened, ResultChallenged, ResultEntered
from referee.tournament.plain import from_json
from referee.tournament.results import check_result
from referee.tournament.settings import GAMES
from referee.tournament.words import in_words
from referee.wish import LETTERS, NOWHERE, PLAYERS, Order, Player, Seating, Time, Wish

Name = Callable[[int], str]
"""Returns how a player is called, by number."""


class Ends(NamedTuple):
    """When the clock of a table ends.

    ``at``  ms since 1970 UTC; ``paused``: since when it stands still, 0: it runs
    """

    number: int
    round: int
    at: int
    paused: int
    then: str

    def time(self, now: int) -> Time:
        """Return how it stands now."""
        return Time(self.number, self.round, self.at - (self.paused or now), not self.paused, self.then)


class Asked(NamedTuple):
    """A wish without what only the moment of the answer knows."""

    wish: Wish = NOWHERE
    ends: Ends | None = None


def wishes(state: State, name: Name) -> Mapping[str, Asked]:
    """Return what is wished of each box that stands somewhere."""
    event = state.event
    round_ = published(event)
    said = orders(event, [act for _, act in state.acts], {})
    last = max((revision for revision, act in state.acts if isinstance(act, SETS)), default=0)
    asked = {}
    for table, box in event.boxes.items():
        wish = Wish(_seating(event, round_, table, name), tuple(_order(state, each) for each in said.get(box, ())))
        asked[box] = Asked(wish, _ends(event, round_, table, last))
    return asked


def _order(state: State, order: OldOrder) -> Order:
    """Return an order with the revision of its act, where it has the place among the acts."""
    return Order(state.acts[order.number - 1][0], order.what, order.ms, order.by, order.text)


def _seating(event: Event, round_: Round | None, table: int, name: Name) -> Seating:
    clock = event.settings.clock
    pairing = _at(round_, table)
    if round_ is None or pairing is None:
        return Seating(round_.number if round_ is not None else 0, table, clock=clock)
    stage = event.stages[round_.stage - 1]
    sides = sides_of(event, pairing, assigned=stage.sides == "assigned")
    return Seating(
        round_.number,
        table,
        tuple(
            Player(each, name(each)[:LETTERS], sides.get(each, "")[:LETTERS]) for each in pairing.players[:PLAYERS]
        ),
        GAMES[stage.match],
        tuple(each[:LETTERS] for each in event.settings.wins[:PLAYERS]),
        event.settings.points.split,
        "elimination" not in stage.format,
        event.settings.call_stops,
        clock,
    )


def _at(round_: Round | None, table: int) -> Pairing | None:
    return None if round_ is None else next((each for each in round_.pairings if each.table == table != 0), None)


def _ends(event: Event, round_: Round | None, table: int, number: int) -> Ends | None:
    if round_ is None or round_.state != "started" or _at(round_, table) is None:
        return None
    ends = ends_at(event, round_.number, table)
    return Ends(number, round_.number, ends, round_.paused, event.settings.at_time) if ends else None


def said(state: State, box: str, note: str, now: int, body: Mapping[str, object]) -> tuple[Act, ...]:
    """Return the acts by which the event takes what a table says. ``note``: id of what it says. Raises Refused.

    ``body``: ``kind`` and the members of `POST /api/acts`. ``now``: ms since 1970 UTC.
    """
    event = state.event
    table = next((table for table, each in event.boxes.items() if each == box), 0)
    if not table:
        raise NotNow("nowhere", "This box stands at no table. Tell the desk")
    who = f"table {table}"
    if body.get("kind") == "call":
        return (CallOpened(who=who, at=now, note=note, table=table),)
    round_, pairing = _meant(event, table, body)
    if body.get("kind") == "challenge":
        why = "challenged at the table"
        return (ResultChallenged(who=who, at=now, note=note, why=why, round=round_.number, table=table),)
    if body.get("kind") != "slip":
        raise Malformed("kind: expected call, slip or challenge")
    result = from_json(Result, body.get("result"), "result")
    if pairing.result is None:
        return (
            ResultEntered(who=who, at=now, note=note, round=round_.number, table=table, result=result, by="seats"),
        )
    if pairing.result == result:
        return ()
    check_result(result, pairing.players, event.stages[round_.stage - 1].match, event.settings)
    why = f"the slip of the table says: {in_words(result, pairing, lambda player: f'player {player}')}"
    return (ResultChallenged(who=who, at=now, note=note, why=why, round=round_.number, table=table),)


def _meant(event: Event, table: int, body: Mapping[str, object]) -> tuple[Round, Pairing]:
    """Return round and pairing that a table speaks of. Raises Refused unless they are those that are played there."""
    number, round_ = body.get("round"), published(event)
    if type(number) is not int or not 0 < number < WHOLE:
        raise Malformed("round: expected its number")
    if round_ is None or number != round_.number:
        raise Refused("other-round", f"Round {number} is not played now. If it counts, the desk enters it")
    if round_.state == "published":
        raise NotNow("not-started", f"Round {number} has not started. Send it again then")
    pairing = _at(round_, table)
    if pairing is None or body.get("players") != list(pairing.players):
        raise Refused("other-players", f"Others play at table {table}. If it counts, the desk enters it")
    return round_, pairing
