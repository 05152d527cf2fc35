"""Bids for sides at the desk: entered, corrected, forgotten with the round, and missed."""

from __future__ import annotations

import pytest

from referee.hall.desk import Desk
from referee.hall.wishes import wishes
from referee.tournament import draw_round
from referee.tournament.acts import fold
from referee.tournament.acts.matches import SidesBid
from referee.tournament.acts.people import BoxPlaced
from referee.tournament.acts.rounds import RoundEnded, RoundPaired, RoundPublished
from referee.tournament.acts.stages import CutMade, StageOpened
from referee.tournament.event import Bid
from tests.hall.table import MARK, TABLE, Floor
from tests.hall.test_organiser import playing
from tests.hall.visitor import Answer, Visitor


@pytest.fixture
def bidding(organiser: Visitor) -> Visitor:
    """Four players bid for sides; round 1 is started."""
    playing(organiser, "war-of-the-ring", "Anna Bo Cem Dana", format="single elimination", sides="bid")
    return organiser


def bid(visitor: Visitor, desk: Desk, seat: int, tokens: int | str, table: int = 1, side: str = "Shadow") -> Answer:
    """Who sits there is the last bidder at a table."""
    player = desk.event.rounds[0].at(table).players[seat]
    form = {"round": 1, "table": table, "game": 1, "key": f"{table}-1"}
    return visitor.post("/round", "bid", **form, player=player, tokens=tokens, side=side)


def sold(desk: Desk) -> tuple[Bid, ...]:
    return desk.event.rounds[0].at(1).bids


def test_bids_are_corrected_until_the_match_has_a_result(bidding: Visitor, desk: Desk) -> None:
    first, second = desk.event.rounds[0].at(1).players
    assert "The bids of game 1 at table 1 are entered" in bid(bidding, desk, 0, 30).words
    page = bid(bidding, desk, 1, 3)
    assert sold(desk) == (Bid(1, second, "Shadow", 3),)
    assert f"{desk.names.player(first)} {first}, Free Peoples, gets 3 tokens" in page.words
    assert [act.tokens for act in desk.acts if isinstance(act, SidesBid)] == [30, 3]
    bidding.enter(round=1, table=1, game1="1:1")
    taken = ["table 1 has a result; take it back first, then enter its bids"]
    assert bid(bidding, desk, 0, 0).refusals() == taken
    bidding.post("/round", "take-back", key=1, round=1, table=1, why="the wrong bids")
    bid(bidding, desk, 0, 0)
    assert sold(desk) == (Bid(1, first, "Shadow", 0),)
    assert fold(desk.acts) == desk.event


def test_a_box_waits_for_the_bids_of_its_table(bidding: Visitor, desk: Desk) -> None:
    desk.perform(BoxPlaced(who="organiser", at=desk.now(), table=1, box="a" * 64))
    assert "Bids for sides are missing: tables 1 and 2. Boxes wait for them" in bidding.get("/round").words
    assert wishes(desk.ledger.state, str)["a" * 64].wish.seating.players == ()
    page = bid(bidding, desk, 1, 3)
    assert "Bids for sides are missing: table 2." in page.words
    seated = wishes(desk.ledger.state, str)["a" * 64].wish.seating.players
    assert [each.side for each in seated] == ["Free Peoples", "Shadow"]


def test_the_glass_shows_who_plays_once_bids_are_in(early: Floor) -> None:
    desk, players = early.desk, tuple(early.desk.event.players)[:8]
    desk.perform(RoundEnded(**MARK, round=1), CutMade(**MARK, players=players))
    desk.perform(StageOpened(**MARK, format="single elimination", sides="bid", players=players))
    desk.perform(RoundPaired(**MARK, pairings=draw_round(desk.event, 1)), RoundPublished(**MARK, round=2))
    early.carry()
    assert "or bid for sides first" in early.bench.text
    first, second = desk.event.rounds[1].at(TABLE).players
    early.perform(SidesBid(**MARK, round=2, table=TABLE, game=1, player=first, side="Shadow", tokens=2))
    assert f"Shadow: {desk.names.player(first)}" in early.bench.text
    assert f"Free Peoples: {desk.names.player(second)}" in early.bench.text


def test_a_result_without_bids_is_taken_and_told(bidding: Visitor, desk: Desk) -> None:
    told = (
        "The slip of table 1 is entered. No bids were entered for game 1; to enter them, take the result back first"
    )
    assert told in bidding.enter(round=1, table=1, game1="1:1").words
    bid(bidding, desk, 1, 1, table=2)
    assert "No bids" not in bidding.enter(round=1, table=2, game1="1:1").words
    assert "Bids for sides" not in bidding.post("/round", "end", round=1).words
    page = bidding.post("/round", "take-back", key=1, round=1, table=1, why="the bids are missing")
    assert "Bids for sides" in page.words
    assert "are entered" in bid(bidding, desk, 1, 1).words
