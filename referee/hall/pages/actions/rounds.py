"""A round, from its draft to its last result."""

from __future__ import annotations

from typing import Final

from referee.errors import Malformed
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.pages.slips import read_slip
from referee.hall.staff.roles import SCOREKEEPER
from referee.tournament import Round, Seats, draw_round
from referee.tournament.acts import (
    ChallengeRejected,
    DraftDiscarded,
    ExtensionGiven,
    PairingChanged,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
    RoundEnded,
    RoundPaired,
    RoundPaused,
    RoundPublished,
    RoundResumed,
    RoundStarted,
    RoundUnpublished,
    SidesBid,
)
from referee.tournament.clock import MINUTE


def draft(sender: Sender) -> Asked:
    """Draw the next round."""
    seed = sender.seed()
    return Asked([RoundPaired(**sender.mark, pairings=draw_round(sender.desk.event, seed), seed=seed)])


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
    return Asked([PairingChanged(**sender.mark, round=round_.number, pairings=changed)])


def by_hand(sender: Sender) -> Asked:
    """Pair tables as they stand on paper: table, then the numbers of the players."""
    seats = tuple(_seats(line, number) for number, line in enumerate(sender.form.lines("tables"), 1) if line.strip())
    event = sender.desk.event
    if event.rounds and sender.form.fields.get("round"):
        round_ = event.round(sender.round())
        if round_.state != "draft":
            fresh = tuple(each for each in seats if not _as_before(round_, each))
            return Asked([PairingChanged(**sender.mark, round=round_.number, pairings=fresh)])
    return Asked([RoundPaired(**sender.mark, pairings=seats)])


def _seats(line: str, number: int) -> Seats:
    words = line.replace(",", " ").replace(":", " ").split()
    if len(words) < 2 or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
        raise Malformed(
            f"tables: line {number}: expected the table, then its players' numbers: 4 12 7; for a bye: 0 12"
        )
    table, *players = map(int, words)
    return Seats(table, tuple(players))


def _as_before(round_: Round, seats: Seats) -> bool:
    return any((each.table, each.players) == (seats.table, seats.players) for each in round_.pairings)


def discard(sender: Sender) -> Asked:
    """Drop the draft."""
    return Asked([DraftDiscarded(**sender.mark, round=sender.round())])


def publish(sender: Sender) -> Asked:
    """Show the pairings to the players."""
    notice = "Published: phones and televisions show it. Print pairings and slips now."
    return Asked([RoundPublished(**sender.mark, round=sender.round())], notice=notice)


def unpublish(sender: Sender) -> Asked:
    """Take a round back."""
    return Asked([RoundUnpublished(**sender.mark, round=sender.round())])


def start(sender: Sender) -> Asked:
    """Let the clock of the round run."""
    return Asked([RoundStarted(**sender.mark, round=sender.round())])


def extend(sender: Sender) -> Asked:
    """Give a table time, or all of them."""
    minutes = sender.form.number("minutes")
    return Asked(
        [
            ExtensionGiven(
                **sender.mark, round=sender.round(), table=sender.form.number("table", 0), ms=minutes * MINUTE
            )
        ]
    )


def pause(sender: Sender) -> Asked:
    """Stop the clock of the round for all."""
    notice = "The round clock is paused; every box says so."
    return Asked([RoundPaused(**sender.mark, round=sender.round())], notice=notice)


def resume(sender: Sender) -> Asked:
    """Let it go on."""
    return Asked([RoundResumed(**sender.mark, round=sender.round())])


def bid(sender: Sender) -> Asked:
    """Sell the sides of a game."""
    form = sender.form
    words = form.words("bids")
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
        raise Malformed("bids: expected the tokens of each bid, the first seat's first, with commas between them")
    sold = SidesBid(
        **sender.mark,
        round=sender.round(),
        table=form.number("table"),
        game=form.number("game"),
        side=form.choice("side", sender.desk.event.settings.sides),
        bids=tuple(map(int, words)),
    )
    return Asked([sold])


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
    return Asked(
        [act], notice=f"The slip of table {pairing.table} is entered", then=f"/round?round={round_.number}#open"
    )


def take_back(sender: Sender) -> Asked:
    """Open a match again; the old result stays in the record."""
    return Asked([ResultTakenBack(**sender.mark, round=sender.round(), table=sender.form.number("table"))])


def challenge(sender: Sender) -> Asked:
    """Somebody says at the desk that a result is wrong."""
    return Asked([ResultChallenged(**sender.mark, round=sender.round(), table=sender.form.number("table"))])


def reject(sender: Sender) -> Asked:
    """Let a challenged result stand."""
    return Asked([ChallengeRejected(**sender.mark, round=sender.round(), table=sender.form.number("table"))])


def end(sender: Sender) -> Asked:
    """End the round."""
    return Asked([RoundEnded(**sender.mark, round=sender.round())])


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
