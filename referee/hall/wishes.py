"""What the hall wishes of each box, from the acts alone: where it stands, what was decided, how the clock stands.

And the other way round, what a table says, as acts: a call for a judge, the slip of its match, a challenge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from referee.errors import WHOLE, Malformed, NotNow, Refused
from referee.hall.ledger import State
from referee.session.wish import LETTERS, NOWHERE, PLAYERS, TEXT, Order, Player, Seating, Time, Wish
from referee.tournament import Event, Pairing, Result, Round, ends_at
from referee.tournament.acts import Act, rounds
from referee.tournament.acts.base import from_json
from referee.tournament.acts.matches import ChallengeRejected, ResultChallenged, ResultEntered, ResultTakenBack
from referee.tournament.acts.people import BoxPlaced, CallClaimed, CallOpened, CallResolved, PenaltyGiven
from referee.tournament.acts.rounds import ExtensionGiven, RoundPublished
from referee.tournament.results import check_result
from referee.tournament.settings import GAMES
from referee.tournament.words import in_words, listed

Name = Callable[[int], str]  # returns how a player is called, by number
EVERY: Final = 0  # where an extension is for all tables
MOST: Final = 32  # orders of one table that are told; the newest
_ABOUT: Final = (ExtensionGiven, ResultTakenBack, ResultEntered, ResultChallenged, ChallengeRejected)
_SETS: Final = (
    *(BoxPlaced, ExtensionGiven, RoundPublished, rounds.PairingChanged),
    *(rounds.RoundPaused, rounds.RoundResumed, rounds.RoundStarted),
)
"""Acts after which a clock may stand otherwise than time alone would have it."""


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


class Replacement(NamedTuple):
    """A spare stands where another box stood. ``number``: revision of the act; ``old``: the box before it."""

    number: int
    table: int
    old: str


class Asked(NamedTuple):
    """A wish without what only the moment of the answer knows. ``spare``: whom this box replaced."""

    wish: Wish = NOWHERE
    ends: Ends | None = None
    spare: Replacement | None = None


def published(event: Event) -> Round | None:
    """Return the last round that is published; a draft is nobody's business."""
    return next((each for each in reversed(event.rounds) if each.state != "draft"), None)


def at_table(event: Event, table: int) -> Pairing | None:
    """Return who plays at a table in the published round, None: nobody."""
    round_ = published(event)
    return None if round_ is None else next((each for each in round_.pairings if each.table == table != 0), None)


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


def wishes(state: State, name: Name) -> Mapping[str, Asked]:
    """Return what is wished of each box that stands somewhere, or stood where a spare stands now."""
    event = state.event
    last = max((revision for revision, act in state.acts if isinstance(act, _SETS)), default=0)
    spares = replaced(state.acts)
    told = _orders(state, spares)
    asked = {}
    for table, box in event.boxes.items():
        wish = Wish(_seating(event, table, name), told.get(box, ()))
        asked[box] = Asked(wish, _ends(event, table, last), spares.get(box))
    for each in spares.values():
        if each.old in event.spent:
            asked[each.old] = Asked(NOWHERE._replace(replaced=each.table))
    return asked


def replaced(acts: Iterable[tuple[int, Act]]) -> dict[str, Replacement]:
    """Return whom each box that stands somewhere as a spare now has replaced; ``acts``: with their revisions."""
    boxes: dict[int, str] = {}
    before: dict[str, Replacement] = {}
    for revision, act in acts:
        if isinstance(act, BoxPlaced) and boxes.get(act.table) != act.box:
            old = boxes.get(act.table, "")
            boxes = {table: box for table, box in boxes.items() if table != act.table and box != act.box}
            before = {box: before[box] for box in boxes.values() if box in before}
            if act.box:
                boxes[act.table] = act.box
                if old:
                    before[act.box] = Replacement(revision, act.table, old)
    return before


def _seating(event: Event, table: int, name: Name) -> Seating:
    """Return who plays at a table; nobody yet where the sides are still to be bid for."""
    round_, pairing = published(event), at_table(event, table)
    if round_ is None or pairing is None:
        return Seating(round_.number if round_ is not None else 0, table)
    stage = event.stages[round_.stage - 1]
    if stage.sides == "bid" and pairing.open and not any(bid.game == 1 for bid in pairing.bids):
        return Seating(round_.number, table)
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
    )


def _ends(event: Event, table: int, number: int) -> Ends | None:
    round_ = published(event)
    if round_ is None or round_.state != "started" or at_table(event, table) is None:
        return None
    ends = ends_at(event, round_.number, table)
    return Ends(number, round_.number, ends, round_.paused, event.settings.at_time) if ends else None


def _orders(state: State, spares: Mapping[str, Replacement]) -> dict[str, tuple[Order, ...]]:
    """Return what was decided in the published round, by box; a spare is told what comes after it."""
    event, acts = state.event, state.acts
    since = next((at for at in range(len(acts) - 1, -1, -1) if isinstance(acts[at][1], RoundPublished)), len(acts))
    told: dict[str, list[Order]] = {}
    for revision, act in acts[since:]:
        table = _table(event, act)
        order = _order(event, revision, act) if table >= EVERY else None
        for box in event.boxes.values() if table == EVERY else filter(None, [event.boxes.get(table)]):
            spare = spares.get(box)
            if order is not None and (spare is None or revision > spare.number):
                told.setdefault(box, []).append(order)
    return {box: tuple(each[-MOST:]) for box, each in told.items()}


def _table(event: Event, act: Act) -> int:
    """Return the table that an act is about, `EVERY` for all of them, -1 for none."""
    if isinstance(act, (CallClaimed, CallResolved)):
        return event.calls[act.call - 1].table
    if isinstance(act, PenaltyGiven):
        round_ = published(event)
        pairing = round_.of(act.player) if round_ is not None else None
        return pairing.table if pairing is not None and pairing.table else -1
    return int(getattr(act, "table", -1)) if isinstance(act, _ABOUT) else -1


def _order(event: Event, number: int, act: Act) -> Order | None:
    def order(what: str, text: str, ms: int = 0) -> Order:
        return Order(number, what, ms, act.who[:LETTERS], text[:TEXT])

    if isinstance(act, CallClaimed):
        return order("coming", "A judge comes")
    if isinstance(act, CallResolved):
        return order("ruling", act.why)
    if isinstance(act, PenaltyGiven):
        points = f", {act.points} points" if act.points else ""
        return order("penalty", f"Player {act.player}: {act.penalty}{points}. {act.why}")
    if isinstance(act, ExtensionGiven):
        return order("extension", act.why or "for all", act.ms)
    if isinstance(act, ResultTakenBack):
        return order("result", f"Taken back: {act.why}")
    if isinstance(act, ResultEntered):
        pairing = at_table(event, act.table)
        words = in_words(act.result, pairing, lambda player: f"player {player}") if pairing is not None else ""
        return order(
            "result", f"The desk has it: {words}" if act.by == "seats" else f"{act.by.capitalize()}: {words}"
        )
    if isinstance(act, ResultChallenged):
        return order("challenge", act.why)
    return order("challenge", f"Rejected: {act.why}") if isinstance(act, ChallengeRejected) else None


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
    number, players, round_ = body.get("round"), body.get("players"), published(event)
    if type(number) is not int or not 0 < number < WHOLE:
        raise Malformed("round: expected its number")
    numbers = isinstance(players, list) and all(type(each) is int and 0 < each < WHOLE for each in players)
    if not isinstance(players, list) or not numbers or not 0 < len(players) <= PLAYERS:
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
