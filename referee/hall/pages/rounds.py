"""A round, from its draft to its last result."""

from __future__ import annotations

import re
from typing import Any, Final

from referee.errors import Malformed, NotNow, Refused
from referee.hall.desk import Desk
from referee.hall.pages.forms import MOST_TABLE, Asked, Does, Form, Forms, Sender, act, tables_of, whole
from referee.hall.pages.overview import cut_doubts, due_step, results_since
from referee.hall.pages.players import filed
from referee.hall.pages.render import Look
from referee.hall.pages.tables import missing, missing_of, read_slip, round_ends, round_title, slips_of, unsold_games
from referee.hall.staff import ALL, JUDGES, ORGANISERS, SCOREKEEPER
from referee.tournament import Blemish, Event, Pairing, Result, Round, Seats, draw_round, review
from referee.tournament.acts import matches, rounds
from referee.tournament.event import MINUTE
from referee.tournament.words import listed, named_tables

MOST_MINUTES: Final = 120  # minutes that are given, or taken back, at once
DRAFTED: Final = "this draft was made, which is paired without it. Draw again to count it"
AMISS: Final = {
    "rematch": "{} have met before",
    "same sides": "{} have met on the same sides",
    "second bye": "{} has a bye again",
    "sides": "{}: one side too often for one of them",
}
"""What is not as it should be at a table, with its players."""


def remark(blemish: Blemish) -> str:
    """Return what is not as it should be at a table; players by number."""
    players = listed(f"player {number}" for number in blemish.players)
    where = f"Table {blemish.table}: " if blemish.table else ""
    return f"{where}{AMISS[blemish.kind].format(players)}{' – could be avoided' if blemish.avoidable else ''}"


def view(look: Look) -> dict[str, Any]:
    """One round: the last one, or that of the query."""
    desk, event = look.desk, look.desk.event
    shown = [each for each in event.rounds if look.drafts or each.state != "draft"]
    wanted = whole(look.fields.get("round", "")) or len(shown)
    round_ = shown[wanted - 1] if 1 <= wanted <= len(shown) else None
    values: dict[str, Any] = {"round": round_, "rounds": shown, "due": due_step(desk), "now": desk.now()}
    if round_ is None:
        return values
    slips = slips_of(event, round_, desk.names)
    unsold = [slip.pairing.table for slip in slips if 1 in slip.unsold]
    by_name = sorted(
        (player for each in round_.pairings for player in each.players),
        key=lambda player: filed(desk.names.player(player)),
    )
    return values | {
        "title": round_title(event, round_),
        "slips": slips,
        "unsold": named_tables(unsold) if unsold else "",
        "stage": event.stages[round_.stage - 1],
        "ends": round_ends(event, round_),
        "missing": missing(round_),
        "tables": "\n".join(f"{each.table} {' '.join(map(str, each.players))}" for each in round_.pairings),
        "seated": by_name,
        "late": _late(event, round_),
        "last": round_.number == len(event.rounds),
        **(_before_publishing(desk, round_) if round_.state == "draft" else {}),
    }


def _before_publishing(desk: Desk, draft: Round) -> dict[str, Any]:
    """Return what is to be seen of a draft: what could be better, and what cannot."""
    event, stage = desk.event, desk.event.stages[draft.stage - 1]
    amiss = desk.once("review", lambda: review(event, draft.number))
    refused = []
    try:
        rounds.RoundPublished(who="desk", at=0, round=draft.number).on(event)
    except Refused as fault:
        refused = [f"It cannot be published: {fault.text}"]
    return {
        "refused": bool(refused),
        "amiss": [
            *refused,
            *cut_doubts(desk),
            *results_since(desk, rounds.RoundPaired, range(1, draft.number), DRAFTED),
            *missing_of(stage, event.rounds_of(stage)),
            *(remark(each) for each in amiss if each.avoidable),
        ],
        "unavoidable": [remark(each) for each in amiss if not each.avoidable],
    }


def _late(event: Event, round_: Round) -> list[tuple[int, int, str]]:
    """Return who is here and not paired, who has a bye to play with them, and the table as written by hand."""
    byes = [each.players[0] for each in round_.pairings if each.bye]
    free = max((each.table for each in round_.pairings), default=0) + 1
    if round_.state not in ("published", "started") or event.stages[round_.stage - 1].format != "swiss":
        return []
    waiting = [player for player in event.here() if round_.of(player) is None]
    pairs = zip(waiting, byes, strict=False)
    return [(player, other, f"{free + at} {other} {player}") for at, (player, other) in enumerate(pairs)]


def draft(sender: Sender) -> Asked:
    """Draw the next round."""
    seed = sender.seed()
    drawn = rounds.RoundPaired(**sender.mark, pairings=draw_round(sender.event, seed), seed=seed)
    return Asked([drawn], notice=_drafted(sender.event, "drafted"))


def _drafted(event: Event, how: str) -> str:
    number = 1 + sum(each.state != "draft" for each in event.rounds)
    return f"Round {number} is {how}, and only you see it; look through it, then publish it"


def exchange(sender: Sender) -> Asked:
    """Let two players exchange their places; of one table, their seats."""
    round_, form = sender.event.round(sender.form.number("round")), sender.form
    one, other = form.number("one"), form.number("other")
    if one == other:
        raise Malformed("other: choose another player")
    for field, player in (("one", one), ("other", other)):
        if round_.of(player) is None:
            raise Malformed(f"{field}: choose a player of round {round_.number}")
    places = {one: other, other: one}
    changed = tuple(
        Seats(pairing.table, tuple(places.get(player, player) for player in pairing.players))
        for pairing in round_.pairings
        if places.keys() & set(pairing.players)
    )
    made = rounds.PairingChanged(**sender.mark, round=round_.number, pairings=changed)
    return Asked([made], notice=f"Player {one} and player {other} are exchanged. {_changed(sender.event, made)}")


def by_hand(sender: Sender) -> Asked:
    """Pair tables as they stand on paper: table, then the numbers of the players."""
    lines = sender.form.fields.get("tables", "").splitlines()
    seats = tuple(_seats(line, number) for number, line in enumerate(lines, 1) if line.strip())
    if sender.event.rounds and sender.form.fields.get("round"):
        round_ = sender.event.round(sender.form.number("round"))
        if round_.state != "draft":
            before = {(each.table, each.players) for each in round_.pairings}
            fresh = tuple(each for each in seats if (each.table, each.players) not in before)
            made = rounds.PairingChanged(**sender.mark, round=round_.number, pairings=fresh)
            return Asked([made], notice=f"Paired as written. {_changed(sender.event, made)}")
    paired = rounds.RoundPaired(**sender.mark, pairings=seats)
    return Asked([paired], notice=_drafted(sender.event, "paired as written"))


def _seats(line: str, number: int) -> Seats:
    words = line.replace(",", " ").replace(":", " ").split()
    if len(words) < 2 or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
        told = "type the table, then its players' numbers: 4 12 7; for a bye: 0 12"
        raise Malformed(f"tables: line {number}: {told}")
    table, *players = map(int, words)
    if table > MOST_TABLE:
        raise Malformed(f"tables: line {number}: type a table from 1 to {MOST_TABLE}, or 0 for a bye, not {table}")
    return Seats(table, tuple(players))


def _changed(before: Event, made: rounds.PairingChanged) -> str:
    """Return what follows from tables that were changed: what was shown of them, and what is amiss now."""
    event = made.on(before)
    round_ = event.round(made.round)
    if round_.state == "draft":
        return "Look through the draft, then publish it."
    moved = {player for each in made.pairings for player in each.players}
    remarks = "".join(f" {remark(each)}." for each in review(event, made.round) if moved & set(each.players))
    return f"What was printed or shown of it is out of date: print pairings and slips again.{remarks}"


def extend(sender: Sender) -> Asked:
    """Give a table time, or all of them; or take back what was given by mistake."""
    round_, table = sender.event.round(sender.form.number("round")), sender.form.number("table", 0)
    text = sender.form.text("minutes")
    if not (re.fullmatch("-?[0-9]{1,4}", text) and 1 <= abs(int(text)) <= MOST_MINUTES):
        expected = f"type a whole number from 1 to {MOST_MINUTES}, below 0 to take time back"
        raise Malformed(f"minutes: {expected}, not {text[:20]!r}")
    minutes, where = int(text), f"table {table}" if table else "every table"
    if table and round_.at(table).result:
        raise NotNow("match-over", f"The match at table {table} is over")
    made = rounds.ExtensionGiven(**sender.mark, round=round_.number, table=table, ms=minutes * MINUTE)
    done = f"{minutes} min more for {where}" if minutes > 0 else f"{-minutes} min taken back from {where}"
    return Asked([made], notice=done)


def results(sender: Sender) -> Asked:
    """Key in slips: of each table at which something is chosen."""
    form, event = sender.form, sender.event
    round_ = event.round(form.number("round"))
    entered: list[matches.ResultEntered] = []
    told = ""
    for table in tables_of(form):
        pairing = round_.at(table)
        try:
            entered.append(_result(sender, event, round_, pairing))
            event = entered[-1].on(event)
        except Malformed as fault:
            name, _, text = fault.text.partition(": ")
            field = {"fault": "otherwise", "games": "game1", "places": "place1", "result": "game1"}.get(name, name)
            raise Malformed(f"{field}_{table}: table {table}: {text}") from fault
        told += _to_tell(event, round_, pairing, entered[-1].result)
    if not entered:
        raise Malformed("Choose a result at a table first")
    tables = named_tables(each.table for each in entered)
    notice = f"The slip{'s' if len(entered) > 1 else ''} of {tables} {'are' if len(entered) > 1 else 'is'} entered"
    return Asked(entered, notice=f"{notice}{told}", then=f"/round?round={round_.number}#open")


def _result(sender: Sender, event: Event, round_: Round, pairing: Pairing) -> matches.ResultEntered:
    mine = f"_{pairing.table}"
    fields = {name.removesuffix(mine): each for name, each in sender.form.fields.items() if name.endswith(mine)}
    result = read_slip(Form(fields), event, event.stages[round_.stage - 1], pairing)
    judged = bool(result.fault) or result.outcome == "double loss"
    if judged and sender.holder.role == SCOREKEEPER:
        raise Malformed("otherwise: a judge or the organiser enters that")
    mark = {**sender.mark, "round": round_.number, "table": pairing.table, "result": result}
    return matches.ResultEntered(**mark, by="judge" if judged else "scorekeeper")


def _to_tell(event: Event, round_: Round, pairing: Pairing, result: Result) -> str:
    """Return what is said of a result besides: bids that were not entered, who is disqualified and still here."""
    if "elimination" in event.stages[round_.stage - 1].format and not result.winner(pairing.players):
        return ". Nobody goes on from there; the next opponent advances without playing"
    if result.outcome == "disqualified":
        return f". {listed(f'player {each}' for each in result.fault).capitalize()} stays in the event until dropped"
    if result.outcome != "played":
        return ""
    missed = [str(game) for game in unsold_games(event.stages[round_.stage - 1], pairing, len(result.games))]
    games = f"game{'s' if len(missed) > 1 else ''} {' and '.join(missed)}"
    return f". No bids were entered for {games}; to enter them, take the result back first" if missed else ""


def end(sender: Sender) -> Asked:
    """End the round."""
    round_ = sender.event.round(sender.form.number("round"))
    tables = missing(round_)
    later = f". Missing: {tables}; enter what comes later." if tables else ""
    notice = f"Round {round_.number} has ended{later}"
    return Asked([rounds.RoundEnded(**sender.mark, round=round_.number)], notice=notice)


PUBLISHED: Final = "Published: phones and televisions show it. Print pairings and slips now."
STARTED: Final = "Round {round} has started. Enter the slips as they come."
UNPUBLISHED: Final = "Round {round} is a draft again, and only you see it. Collect what was printed."
TAKEN_BACK: Final = "The result of table {table} is taken back. Enter the right one."
CHALLENGED: Final = "The result of table {table} is disputed. A judge corrects it or lets it stand."
THEN: Final = "/round?round={round}"
PAIRED: Final = (
    rounds.RoundPaired,
    rounds.PairingChanged,
    rounds.DraftDiscarded,
    rounds.RoundPublished,
    rounds.RoundUnpublished,
)
RESULT: Final = (matches.ResultEntered, matches.ResultTakenBack, matches.ResultChallenged, matches.ChallengeRejected)
MATCH: Final = (*PAIRED, *RESULT, matches.SidesBid)
FORMS: Final[Forms] = {
    "draft": Does(ORGANISERS, draft, PAIRED, ()),
    "exchange": Does(ORGANISERS, exchange, PAIRED),
    "by-hand": Does(ORGANISERS, by_hand, PAIRED, ()),
    "discard": Does(ORGANISERS, act(rounds.DraftDiscarded, "The draft of round {round} is discarded"), PAIRED),
    "publish": Does(ORGANISERS, act(rounds.RoundPublished, PUBLISHED), (*PAIRED, *RESULT), ()),
    "unpublish": Does(ORGANISERS, act(rounds.RoundUnpublished, UNPUBLISHED), (*PAIRED, matches.SidesBid)),
    "start": Does(ORGANISERS, act(rounds.RoundStarted, STARTED), PAIRED),
    "end": Does(ORGANISERS, end, (*PAIRED, matches.ResultTakenBack, matches.ResultChallenged)),
    "extend": Does(JUDGES, extend, (*PAIRED, rounds.ExtensionGiven)),
    "pause": Does(JUDGES, act(rounds.RoundPaused, "The round clock is paused")),
    "resume": Does(JUDGES, act(rounds.RoundResumed, "The round clock runs again")),
    "take-back": Does(JUDGES, act(matches.ResultTakenBack, TAKEN_BACK, THEN), MATCH),
    "reject": Does(JUDGES, act(matches.ChallengeRejected, "The result of table {table} stands", THEN), MATCH),
    "challenge": Does(ALL, act(matches.ResultChallenged, CHALLENGED, THEN), MATCH),
    "results": Does(ALL, results, MATCH),
    "bid": Does(ALL, act(matches.SidesBid, "The bids of game {game} at table {table} are entered"), MATCH),
}
