"""A round, from its draft to its last result."""

from __future__ import annotations

import re
from typing import Final

from referee.errors import Malformed, NotNow
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.pages.blemishes import remark
from referee.hall.pages.forms import MOST_TABLE
from referee.hall.pages.slips import read_slip
from referee.hall.pages.tables import unsold
from referee.hall.staff.roles import SCOREKEEPER
from referee.tournament import Event, Pairing, Result, Round, Seats, draw_round, review
from referee.tournament.acts import perform
from referee.tournament.acts.matches import (
    ChallengeRejected,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
    SidesBid,
)
from referee.tournament.acts.rounds import (
    DraftDiscarded,
    ExtensionGiven,
    PairingChanged,
    RoundEnded,
    RoundPaired,
    RoundPaused,
    RoundPublished,
    RoundResumed,
    RoundStarted,
    RoundUnpublished,
)
from referee.tournament.clock import MINUTE
from referee.tournament.words import named_tables

MOST_MINUTES: Final = 120
"""Minutes that are given, or taken back, at once."""


def draft(sender: Sender) -> Asked:
    """Draw the next round."""
    seed = sender.seed()
    event = sender.desk.event
    drawn = RoundPaired(**sender.mark, pairings=draw_round(event, seed), seed=seed)
    return Asked([drawn], notice=_drafted(event, "drafted"))


def _drafted(event: Event, how: str) -> str:
    """Return what is said of a new draft."""
    number = 1 + sum(each.state != "draft" for each in event.rounds)
    return f"Round {number} is {how}, and only you see it; look through it, then publish it"


def exchange(sender: Sender) -> Asked:
    """Let two players exchange their places; of one table, their seats."""
    round_ = sender.desk.event.round(sender.round())
    one, other = sender.form.number("one"), sender.form.number("other")
    if one == other:
        raise Malformed("other: expected another player")
    for field, player in (("one", one), ("other", other)):
        if round_.of(player) is None:
            raise Malformed(f"{field}: expected a player of round {round_.number}")
    places = {one: other, other: one}
    changed = tuple(
        Seats(pairing.table, tuple(places.get(player, player) for player in pairing.players))
        for pairing in round_.pairings
        if places.keys() & set(pairing.players)
    )
    act = PairingChanged(**sender.mark, round=round_.number, pairings=changed)
    return Asked([act], notice=f"Player {one} and player {other} are exchanged. {_changed(sender, act)}")


def _changed(sender: Sender, act: PairingChanged) -> str:
    """Return what follows from tables that were changed: what was shown or entered of them, and what is amiss now."""
    event = perform(sender.desk.event, act)
    moved = {player for each in act.pairings for player in each.players}
    before = [each for each in sender.desk.event.round(act.round).pairings if moved & set(each.players)]
    sold = [each.table for each in before if each.bids]
    forgotten = f" The bids of {named_tables(sold)} are forgotten." if sold else ""
    if event.round(act.round).state == "draft":
        return f"Look through the draft, then publish it.{forgotten}"
    tables = sorted(({each.table for each in before} | {each.table for each in act.pairings}) - {0})
    remarks = [f" {remark(each)}." for each in review(event, act.round) if moved & set(each.players)]
    anew = [each for each in event.round(act.round).pairings if each.table and moved & set(each.players)]
    times = {each.table: (each.extension - event.round(act.round).extension) / MINUTE for each in anew}
    longer = "".join(
        f" Table {table} has {ms:g} min more, which went with its players." for table, ms in times.items() if ms
    )
    stale = f"What was printed or shown of {named_tables(tables)} is out of date" if tables else "Byes have changed"
    return f"{stale}: print pairings and slips again.{longer}{forgotten}" + "".join(remarks)


def by_hand(sender: Sender) -> Asked:
    """Pair tables as they stand on paper: table, then the numbers of the players."""
    seats = tuple(_seats(line, number) for number, line in enumerate(sender.form.lines("tables"), 1) if line.strip())
    event = sender.desk.event
    if event.rounds and sender.form.fields.get("round"):
        round_ = event.round(sender.round())
        if round_.state != "draft":
            fresh = tuple(each for each in seats if not _as_before(round_, each))
            act = PairingChanged(**sender.mark, round=round_.number, pairings=fresh)
            return Asked([act], notice=f"Paired as written. {_changed(sender, act)}")
    return Asked([RoundPaired(**sender.mark, pairings=seats)], notice=_drafted(event, "paired as written"))


def _seats(line: str, number: int) -> Seats:
    words = line.replace(",", " ").replace(":", " ").split()
    if len(words) < 2 or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
        raise Malformed(
            f"tables: line {number}: expected the table, then its players' numbers: 4 12 7; for a bye: 0 12"
        )
    table, *players = map(int, words)
    if table > MOST_TABLE:
        raise Malformed(
            f"tables: line {number}: expected a table from 1 to {MOST_TABLE}, or 0 for a bye; got {table}"
        )
    return Seats(table, tuple(players))


def _as_before(round_: Round, seats: Seats) -> bool:
    return any((each.table, each.players) == (seats.table, seats.players) for each in round_.pairings)


def discard(sender: Sender) -> Asked:
    """Drop the draft."""
    round_ = sender.round()
    return Asked([DraftDiscarded(**sender.mark, round=round_)], notice=f"The draft of round {round_} is discarded")


def publish(sender: Sender) -> Asked:
    """Show the pairings to the players."""
    notice = "Published: phones and televisions show it. Print pairings and slips now."
    return Asked([RoundPublished(**sender.mark, round=sender.round())], notice=notice)


def unpublish(sender: Sender) -> Asked:
    """Take a round back."""
    round_ = sender.round()
    notice = f"Round {round_} is a draft again, and only you see it. Collect what was printed."
    return Asked([RoundUnpublished(**sender.mark, round=round_)], notice=notice)


def start(sender: Sender) -> Asked:
    """Let the clock of the round run."""
    round_, event = sender.round(), sender.desk.event
    clock = ", and its clock runs" if event.settings.minutes else ""
    notice = f"Round {round_} has started{clock}. Key in the slips as they come.{_to_bid(event, round_)}"
    return Asked([RoundStarted(**sender.mark, round=round_)], notice=notice)


def _to_bid(event: Event, number: int) -> str:
    """Return at which tables of a round sides are not sold yet, in words."""
    round_ = event.round(number)
    unsold = [each.table for each in round_.pairings if not each.bye and not each.bids]
    if event.stages[round_.stage - 1].sides != "bid" or not unsold:
        return ""
    return f" No bids for sides were entered for {named_tables(unsold)} yet."


def extend(sender: Sender) -> Asked:
    """Give a table time, or all of them; or take back what was given by mistake."""
    round_, table = sender.desk.event.round(sender.round()), sender.form.number("table", 0)
    minutes = _minutes(sender)
    if table and round_.at(table).result:
        raise NotNow("match-over", f"expected a match that is played; that at table {table} is over")
    where = f"table {table}" if table else "every table"
    given = min(each.extension for each in round_.pairings if table in (0, each.table)) // MINUTE
    if given + minutes < 0:
        raise Malformed(f"minutes: expected no more taken back than {where} was given, {given} min; got {-minutes}")
    act = ExtensionGiven(**sender.mark, round=round_.number, table=table, ms=minutes * MINUTE)
    done = f"{minutes} min more for {where}" if minutes > 0 else f"{-minutes} min taken back from {where}"
    return Asked([act], notice=done)


def _minutes(sender: Sender) -> int:
    """Return how many minutes are given, below 0 if they are taken back."""
    text = sender.form.text("minutes")
    if not (re.fullmatch("-?[0-9]{1,4}", text) and 1 <= abs(int(text)) <= MOST_MINUTES):
        expected = f"a whole number from 1 to {MOST_MINUTES}, below 0 to take time back"
        raise Malformed(f"minutes: expected {expected}; got {text[:20]!r}")
    return int(text)


def pause(sender: Sender) -> Asked:
    """Stop the clock of the round for all."""
    notice = "The round clock is paused; every box says so."
    return Asked([RoundPaused(**sender.mark, round=sender.round())], notice=notice)


def resume(sender: Sender) -> Asked:
    """Let it go on."""
    return Asked([RoundResumed(**sender.mark, round=sender.round())], notice="The round clock runs again.")


def bid(sender: Sender) -> Asked:
    """Sell the sides of a game, or correct how they were sold."""
    form = sender.form
    table, game = form.number("table"), form.number("game")
    before = any(each.game == game for each in sender.desk.event.round(sender.round()).at(table).bids)
    words = form.words("bids")
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
        raise Malformed("bids: expected the tokens of each bid, the first seat's first, with commas between them")
    sold = SidesBid(
        **sender.mark,
        round=sender.round(),
        table=table,
        game=game,
        side=form.choice("side", sender.desk.event.settings.sides),
        bids=tuple(map(int, words)),
    )
    done = "corrected" if before else "entered"
    return Asked([sold], notice=f"The bids of game {game} at table {table} are {done}")


def result(sender: Sender) -> Asked:
    """Key in a slip."""
    event, form = sender.desk.event, sender.form
    round_ = event.round(sender.round())
    pairing = round_.at(form.number("table"))
    entered = read_slip(form, event, event.stages[round_.stage - 1], pairing)
    by = "judge" if entered.fault or entered.outcome == "double loss" else "scorekeeper"
    if by == "judge" and sender.role == SCOREKEEPER:
        raise Malformed("otherwise: expected a judge or the organiser to enter that")
    act = ResultEntered(**sender.mark, round=round_.number, table=pairing.table, result=entered, by=by)  # type: ignore[arg-type]
    notice = f"The slip of table {pairing.table} is entered{_without_bids(event, round_, pairing, entered)}"
    return Asked([act], notice=notice, then=f"/round?round={round_.number}#open")


def _without_bids(event: Event, round_: Round, pairing: Pairing, entered: Result) -> str:
    """Return what is said of games whose sides should have been sold before, "" if all were."""
    if entered.outcome != "played":
        return ""
    missed = [str(game) for game in unsold(event.stages[round_.stage - 1], pairing, len(entered.games))]
    games = f"game{'s' if len(missed) > 1 else ''} {' and '.join(missed)}"
    return f". No bids were entered for {games}; to enter them, take the result back first" if missed else ""


def take_back(sender: Sender) -> Asked:
    """Open a match again; the old result stays in the record."""
    back = ResultTakenBack(**sender.mark, round=sender.round(), table=sender.form.number("table"))
    return _of_table(back, "The result of table {} is taken back. Key in the right one.")


def _of_table(act: ResultTakenBack | ResultChallenged | ChallengeRejected, notice: str) -> Asked:
    """Ask for an act at a table; its round is shown again."""
    return Asked([act], notice=notice.format(act.table), then=f"/round?round={act.round}")


def challenge(sender: Sender) -> Asked:
    """Somebody says at the desk that a result is wrong."""
    wrong = ResultChallenged(**sender.mark, round=sender.round(), table=sender.form.number("table"))
    return _of_table(wrong, "The result of table {} is challenged. A judge corrects it or lets it stand.")


def reject(sender: Sender) -> Asked:
    """Let a challenged result stand."""
    right = ChallengeRejected(**sender.mark, round=sender.round(), table=sender.form.number("table"))
    return _of_table(right, "The result of table {} stands")


def end(sender: Sender) -> Asked:
    """End the round."""
    over = RoundEnded(**sender.mark, round=sender.round())
    missing = [each.table for each in sender.desk.event.round(over.round).pairings if each.open]
    later = f". Missing: {named_tables(missing)}; key in what comes later." if missing else ""
    return Asked([over], notice=f"Round {over.round} has ended{later}")


ACTIONS: Final[Actions] = {
    "draft": draft,
    "exchange": exchange,
    "by-hand": by_hand,
    "discard": discard,
    "publish": publish,
    "unpublish": unpublish,
    "start": start,
    "extend": extend,
    "pause": pause,
    "resume": resume,
    "bid": bid,
    "result": result,
    "take-back": take_back,
    "challenge": challenge,
    "reject": reject,
    "end": end,
}
