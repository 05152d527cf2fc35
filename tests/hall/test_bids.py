"""Bids for sides at the desk: entered, corrected, forgotten with the round, and missed."""

from __future__ import annotations

import pytest

from referee.hall.desk import Desk
from referee.tournament.acts import fold
from referee.tournament.acts.matches import SidesBid
from referee.tournament.event import Bid
from tests.hall.visitor import Visitor

SALE = {"round": 1, "table": 1, "game": 1, "side": "Shadow"}


@pytest.fixture
def bidding(organiser: Visitor) -> Visitor:
    """Four players bid for sides; round 1 is started."""
    organiser.post("/setup", "preset", preset="war-of-the-ring")
    organiser.post("/players", "add", list="Anna\nBo\nCem\nDana")
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="single elimination", match="one game", sides="bid")
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    return organiser


def sold(desk: Desk) -> tuple[Bid, ...]:
    return desk.event.rounds[0].at(1).bids


def test_bids_are_corrected_until_the_match_has_a_result(bidding: Visitor, desk: Desk) -> None:
    first, second = desk.event.rounds[0].at(1).players
    page = bidding.post("/round", "bid", **SALE, bids="0, 1, 30")
    assert "The bids of game 1 at table 1 are entered" in page.words
    page = bidding.post("/round", "bid", **SALE, bids="0, 3")
    assert "The bids of game 1 at table 1 are corrected" in page.words
    assert sold(desk) == (Bid(1, second, "Shadow", 3),)
    assert f"{desk.names.player(first)} Free Peoples, 3 tokens" in page.words
    assert [act.bids for act in desk.acts if isinstance(act, SidesBid)] == [(0, 1, 30), (0, 3)]
    bidding.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    page = bidding.post("/round", "bid", **SALE, bids="0")
    assert page.refusals() == ["table 1 has a result; take it back first, then enter its bids"]
    assert sold(desk) == (Bid(1, second, "Shadow", 3),)
    bidding.post("/round", "take-back", key=1, round=1, table=1, why="the wrong bids")
    bidding.post("/round", "bid", **SALE, bids="0")
    assert sold(desk) == (Bid(1, first, "Shadow", 0),)
    assert fold(desk.acts) == desk.event


def test_a_round_that_is_taken_back_forgets_its_bids(bidding: Visitor, desk: Desk) -> None:
    bidding.post("/round", "bid", **SALE, bids="0, 1")
    page = bidding.post("/round", "unpublish", round=1, why="wrong list")
    assert "tokens" not in page.words
    assert "round unpublished: round 1" in bidding.get("/record").words
    assert sold(desk) == ()
    bidding.post("/round", "publish", round=1)
    assert "are entered" in bidding.post("/round", "bid", **SALE, bids="0, 2").words


def test_who_is_exchanged_loses_the_bids_of_the_table_and_the_desk_says_so(organiser: Visitor, desk: Desk) -> None:
    organiser.post("/setup", "preset", preset="war-of-the-ring")
    organiser.post("/players", "add", list="Anna\nBo\nCem\nDana")
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="swiss", match="one game", sides="bid", rounds=3)
    organiser.post("/round", "by-hand", tables="1 1 2\n2 3 4")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    organiser.post("/round", "bid", **SALE, bids="0, 1")
    page = organiser.post("/round", "exchange", round=1, one=3, other=4, why="the wrong seats")
    assert "forgotten" not in page.words
    assert len(sold(desk)) == 1
    page = organiser.post("/round", "exchange", round=1, one=2, other=4, why="sisters")
    assert "print pairings and slips again. The bids of table 1 are forgotten." in page.words
    assert sold(desk) == ()
    for table in (1, 2):
        organiser.post("/round", "bid", **SALE | {"table": table}, bids="0, 1")
    page = organiser.post("/round", "by-hand", round=1, tables="1 1 2\n2 3 4", why="no sisters")
    assert "The bids of tables 1 and 2 are forgotten." in page.words


def test_a_round_that_starts_without_bids_says_so(bidding: Visitor, desk: Desk) -> None:
    bidding.post("/round", "unpublish", round=1, why="too early")
    bidding.post("/round", "publish", round=1)
    bidding.post("/round", "bid", **SALE, bids="0, 1")
    page = bidding.post("/round", "start", round=1)
    assert "No bids for sides were entered for table 2 yet." in page.words
    assert desk.event.rounds[0].state == "started"


def test_a_result_without_bids_is_taken_and_told(bidding: Visitor, desk: Desk) -> None:
    page = bidding.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    told = (
        "The slip of table 1 is entered. No bids were entered for game 1; to enter them, take the result back first"
    )
    assert told in page.words
    assert desk.event.rounds[0].at(1).result is not None
    page = bidding.post("/round", "bid", **SALE, bids="0, 1")
    assert page.refusals() == ["table 1 has a result; take it back first, then enter its bids"]
    bidding.post("/round", "bid", **SALE | {"table": 2}, bids="0, 1")
    assert "No bids" not in bidding.post("/round", "result", key=2, round=1, table=2, game1="1:1").words


def test_bids_of_a_match_that_is_late_are_entered_in_a_round_that_has_ended(bidding: Visitor, desk: Desk) -> None:
    for table in (1, 2):
        bidding.post("/round", "result", key=table, round=1, table=table, game1="1:1")
    assert "Bids for sides" not in bidding.post("/round", "end", round=1).words
    page = bidding.post("/round", "take-back", key=1, round=1, table=1, why="the bids are missing")
    assert "Bids for sides" in page.words
    assert "are entered" in bidding.post("/round", "bid", **SALE, bids="0, 1").words
    assert len(sold(desk)) == 1
