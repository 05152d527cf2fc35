"""What a table says to the desk, as acts: a call for a judge, the slip of its match, a challenge of its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.errors import WHOLE, Malformed, NotNow, Refused
from referee.hall.wishes import at_table, published
from referee.tournament import Event, Pairing, Result, Round
from referee.tournament.acts import Act
from referee.tournament.acts.matches import ResultChallenged, ResultEntered
from referee.tournament.acts.people import CallOpened
from referee.tournament.plain import from_json
from referee.tournament.results import check_result
from referee.tournament.words import in_words, listed

_NUMBERED = "player {}".format


class Early(Refused):
    """The desk has not come to what a table says; the table says it again once something has changed."""


def said(event: Event, box: str, note: str, now: int, body: Mapping[str, object]) -> tuple[Act, ...]:
    """Return the acts by which the event takes what a table says. ``note``: id of what it says.

    ``body``: ``kind`` and the members of `POST /api/acts`. ``now``: ms since 1970 UTC. Raises Early where it may be
    taken later, Refused where it never will.
    """
    table, kind = table_of(event, box), body.get("kind")
    mark: dict[str, Any] = {"who": f"table {table}", "at": now, "note": note, "table": table}
    if kind == "call":
        if not table:
            raise NotNow("nowhere", "This box stands at no table. Tell the desk")
        return (CallOpened(**mark),)
    round_, pairing = _meant(event, table, body)
    mark["round"] = round_.number
    if kind == "challenge":
        return (ResultChallenged(**mark, why="challenged at the table"),)
    if kind != "slip":
        raise Malformed("kind: expected call, slip or challenge")
    result = from_json(Result, body.get("result"), "result")
    if pairing.result is None:
        return (ResultEntered(**mark, result=result, by="seats"),)
    if pairing.result == result:
        return ()
    check_result(result, pairing.players, event.stages[round_.stage - 1].match, event.settings)
    why = f"the slip of the table says: {in_words(result, pairing, _NUMBERED)}"
    return (ResultChallenged(**mark, why=why),)


def table_of(event: Event, box: str) -> int:
    """Return the table at which a box stands, 0: none."""
    return next((table for table, each in event.boxes.items() if each == box), 0)


def _meant(event: Event, table: int, body: Mapping[str, object]) -> tuple[Round, Pairing]:
    """Return round and pairing that a table speaks of. Raises Early, Refused."""
    number, players, round_ = body.get("round"), body.get("players"), published(event)
    if type(number) is not int or not 0 < number < WHOLE:
        raise Malformed("round: expected its number")
    if not isinstance(players, list) or not players or not all(type(each) is int for each in players):
        raise Malformed("players: expected their numbers, by seat")
    if round_ is not None and number < round_.number:
        raise Refused("too-late", _late(event, number, players, body, round_.number))
    if round_ is None or number > round_.number:
        raise Early("early", f"It waits until round {number} is published")
    if not table:
        raise Early("early", "It waits until this box is placed at a table")
    if round_.state == "published" and event.settings.minutes:
        raise Early("early", f"It waits until round {number} is started")
    pairing = at_table(event, table)
    if pairing is not None and players == list(pairing.players):
        return round_, pairing
    meet = [each for each in round_.pairings if set(players) == set(each.players)]
    if not meet:
        who = listed(map(_NUMBERED, players))
        raise Refused("other-players", f"It is of {who}, who do not meet in round {number}")
    if players not in [list(each.players) for each in meet]:
        raise Refused("other-players", f"The sides of {listed(map(_NUMBERED, players))} were exchanged")
    raise Early("early", f"It waits: others sit at table {table}. Place the box at table {meet[0].table}")


def _late(event: Event, number: int, players: list[int], body: Mapping[str, object], last: int) -> str:
    """Return what is said of a slip whose round is over: the organiser, who may key it in, must know what it says."""
    round_ = event.round(number)
    pairing = next((each for each in round_.pairings if players == list(each.players)), None)
    slip = ""
    if pairing is not None and "result" in body:
        result = from_json(Result, body["result"], "result")
        check_result(result, pairing.players, event.stages[round_.stage - 1].match, event.settings)
        if pairing.result == result:
            return f"It came after round {last} was published; it says what the desk has"
        slip = f", table {pairing.table}: {in_words(result, pairing, _NUMBERED)}"
    return f"It came after round {last} was published. If it counts, enter it on Rounds, {number}{slip}"
