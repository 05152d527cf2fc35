"""What cannot be meant is refused at the desk with what was expected, and nothing is done."""

from __future__ import annotations

import pytest

from referee.hall.desk import Desk
from tests.hall.table import TABLE, Floor
from tests.hall.visitor import Visitor, at_desk_of


def test_only_a_table_of_the_published_round_calls(organiser: Visitor, sixteen: Desk) -> None:
    before = sixteen.event
    page = organiser.post("/judges", "call", table=99)
    assert page.refusals() == ["type a table of round 1, not 99"]
    assert sixteen.event is before
    organiser.post("/judges", "call", table=8)
    assert [call.table for call in sixteen.event.calls] == [8]


@pytest.mark.parametrize("minutes", ["0", "--5", "-121", "99999", "1.5", ""])
def test_more_time_is_a_whole_number_of_minutes(minutes: str, organiser: Visitor, sixteen: Desk) -> None:
    organiser.post("/round", "start", round=1)
    before = sixteen.event
    page = organiser.post("/round", "extend", round=1, table=1, minutes=minutes, why="a ruling")
    assert page.refusals() == [f"type a whole number from 1 to 120, below 0 to take time back, not {minutes!r}"]
    assert sixteen.event == before
    organiser.post("/round", "extend", round=1, table=1, minutes=120, why="a ruling")
    assert sixteen.event.rounds[0].at(1).extension == 120 * 60_000


def test_a_box_is_placed_at_a_table_that_there_can_be(early: Floor) -> None:
    organiser, before = at_desk_of(early.desk, served=early.served), early.desk.event
    key = early.key
    organiser.post("/boxes", "remove", key=key[:8], table=TABLE, why="nobody plays with it there")
    before = early.desk.event
    for table in (-1, 0, 10_000):
        page = organiser.post("/boxes", "place", key=key[:8], box=key, table=table, why="a spare")
        assert page.refusals() == [f"type a number from 1 to 9999, not {table}"]
    assert early.desk.event is before
    organiser.post("/boxes", "place", key=key[:8], box=key, table=101, why="the second room")
    assert early.desk.event.boxes == {101: key}


def test_a_table_that_plays_loses_its_box_for_a_reason_alone(early: Floor) -> None:
    organiser, before = at_desk_of(early.desk, served=early.served), early.desk.event
    key = early.key
    page = organiser.post("/boxes", "place", key=key[:8], box=key, table=5, why="")
    assert page.refusals() == [f"tell why table {TABLE}, which plays, loses its box"]
    assert f"Take the box away from table {TABLE}" in organiser.get("/boxes").words
    page = organiser.post("/boxes", "remove", key=key[:8], table=TABLE, why="")
    assert page.refusals() == ["tell why the table's box is replaced"]
    assert early.desk.event is before
    organiser.post("/boxes", "place", key=key[:8], box=key, table=5, why="nobody plays with it there")
    assert early.desk.event.boxes == {5: key}
    page = organiser.post("/boxes", "remove", key=key[:8], table=TABLE, why="its battery is flat")
    assert page.refusals() == ["choose a table that has a box"]


@pytest.mark.parametrize(("match", "games", "drawn"), [("one game", 1, False), ("each side once", 2, True)])
def test_an_elimination_offers_no_draw_and_says_that_a_winner_is_needed(
    organiser: Visitor, desk: Desk, match: str, games: int, drawn: bool
) -> None:
    organiser.post("/players", "add", list="Ann\nBob\nCem\nDot")
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="single elimination", match=match, sides="none")
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    page = organiser.get("/round").text
    assert ('value="draw"' in page) is drawn, "a game of several may be drawn"
    assert "Nobody came" in page, "nobody goes on from there"
    keyed = {f"game{number}": "draw" for number in range(1, games + 1)}
    (refusal,) = organiser.enter(round=1, table=1, **keyed).refusals()
    assert refusal == "table 1: say who won; a match of an elimination needs a winner"
