"""What cannot be meant is refused at the desk with what was expected, and nothing is done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.hall.desk import Desk
from referee.tournament import ends_at
from tests.hall.table import TABLE, Floor
from tests.hall.visitor import Visitor, at_desk_of


def test_only_a_table_of_the_published_round_calls(organiser: Visitor, sixteen: Desk) -> None:
    before = sixteen.event
    page = organiser.post("/floor", "call", table=99)
    assert page.refusals() == ["expected a table of round 1: 1 to 8; got 99"]
    assert sixteen.event is before
    organiser.post("/floor", "call", table=8)
    assert [call.table for call in sixteen.event.calls] == [8]


def test_nobody_calls_before_a_round_is_published(organiser: Visitor, desk: Desk) -> None:
    page = organiser.post("/floor", "call", table=1)
    assert page.refusals() == ["expected a published round; no table is known before it"]
    assert desk.event.calls == ()


@pytest.mark.parametrize("minutes", ["0", "-0", "--5", "-121", "121", "00121", "99999", "1.5", "five", ""])
def test_more_time_is_a_whole_number_of_minutes(minutes: str, organiser: Visitor, sixteen: Desk) -> None:
    organiser.post("/round", "start", round=1)
    before = sixteen.event
    page = organiser.post("/round", "extend", round=1, table=1, minutes=minutes, why="a ruling")
    assert page.refusals() == [f"expected a whole number from 1 to 120, below 0 to take time back; got {minutes!r}"]
    assert sixteen.event == before
    organiser.post("/round", "extend", round=1, table=1, minutes=120, why="a ruling")
    assert sixteen.event.rounds[0].at(1).extension == 120 * 60_000


def test_time_that_was_given_by_mistake_is_taken_back_and_no_more(organiser: Visitor, sixteen: Desk) -> None:
    organiser.post("/round", "start", round=1)
    ends = [ends_at(sixteen.event, 1, table) for table in range(1, 9)]
    time = {"round": 1, "table": 3, "why": "meant for another table"}
    page = organiser.post("/round", "extend", **time, minutes=-5)
    assert page.refusals() == ["expected no more taken back than table 3 was given, 0 min; got 5"]
    organiser.post("/round", "extend", **time, minutes=50)
    assert "45 min taken back from table 3" in organiser.post("/floor", "extend", **time, minutes=-45).words
    assert "+5 min" in organiser.get("/round").words
    page = organiser.post("/round", "extend", round=1, minutes=-1)
    assert page.refusals() == ["expected no more taken back than every table was given, 0 min; got 1"]
    page = organiser.post("/round", "extend", **time, minutes=-6)
    assert page.refusals() == ["expected no more taken back than table 3 was given, 5 min; got 6"]
    organiser.post("/round", "extend", round=1, minutes=10)
    assert "10 min taken back from every table" in organiser.post("/round", "extend", round=1, minutes=-10).words
    page = organiser.post("/round", "extend", **time, minutes=-5)
    assert "min" not in page.text.partition('id="t3"')[2].partition("</tr>")[0]
    assert [ends_at(sixteen.event, 1, table) for table in range(1, 9)] == ends
    assert "extension: round 1, table 3, -45 min" in organiser.get("/record").words
    for path in ("/round", "/floor"):  # a keypad of digits has no minus
        assert re.search('name="minutes" +type="text" size="5" value="5" autocomplete', organiser.get(path).text)


def test_a_match_that_is_over_gets_no_time(organiser: Visitor, sixteen: Desk) -> None:
    organiser.post("/round", "start", round=1)
    organiser.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    page = organiser.post("/round", "extend", round=1, table=1, minutes=5, why="a ruling")
    assert page.refusals() == ["expected a match that is played; that at table 1 is over"]
    assert sixteen.event.rounds[0].at(1).extension == 0


def test_a_box_is_placed_at_a_table_of_the_event_or_for_a_reason_elsewhere(early: Floor) -> None:
    organiser, before = at_desk_of(early.desk, served=early.served), early.desk.event
    key = early.key
    organiser.post("/boxes", "remove", key=key[:8], table=TABLE, why="nobody plays with it there")
    before = early.desk.event
    for table in (9, 101, 9999):
        page = organiser.post("/boxes", "place", key=key[:8], box=key, table=table, why="")
        assert page.refusals() == [f"expected why at table {table}; those of the event are 1 to 8"]
    for table in (-1, 0, 10_000):
        page = organiser.post("/boxes", "place", key=key[:8], box=key, table=table, why="a spare")
        assert page.refusals() == [f"expected a number from 1 to 9999; got {table}"]
    assert early.desk.event is before
    organiser.post("/boxes", "place", key=key[:8], box=key, table=101, why="the second room")
    assert early.desk.event.boxes == {101: key}
    organiser.post("/players", "change", key=1, player=1, name="Anna", club="", rating="", table=40)
    organiser.post("/boxes", "place", key=key[:8], box=key, table=40)
    assert early.desk.event.boxes == {40: key}


def test_each_paired_box_has_a_table_though_fewer_are_needed(early: Floor) -> None:
    organiser = at_desk_of(early.desk, served=early.served)
    boxes = [f"{number:08x}" * 8 for number in range(1, 10)]
    early.boxes.tokens.admit(boxes)
    for table, box in enumerate((*boxes, early.key), 1):
        organiser.post("/boxes", "place", key=box[:8], box=box, table=table, why="each its table" * (table == TABLE))
    organiser.post("/boxes", "place", key=early.key[:8], box=early.key, table=10)
    assert early.desk.event.boxes == dict(enumerate((*boxes, early.key), 1))
    page = organiser.post("/boxes", "place", key=boxes[0][:8], box=boxes[0], table=11, why="")
    assert page.refusals() == ["expected why at table 11; those of the event are 1 to 10"]


def test_a_table_that_plays_loses_its_box_for_a_reason_alone(early: Floor) -> None:
    organiser, before = at_desk_of(early.desk, served=early.served), early.desk.event
    key = early.key
    page = organiser.post("/boxes", "place", key=key[:8], box=key, table=5, why="")
    assert page.refusals() == [f"expected why table {TABLE}, which plays, loses its box"]
    assert f"Take the box away from table {TABLE}" in organiser.get("/boxes").words
    page = organiser.post("/boxes", "remove", key=key[:8], table=TABLE, why="")
    assert page.refusals() == ["expected why the table's box is taken away"]
    assert early.desk.event is before
    organiser.post("/boxes", "place", key=key[:8], box=key, table=5, why="nobody plays with it there")
    assert early.desk.event.boxes == {5: key}
    page = organiser.post("/boxes", "remove", key=key[:8], table=TABLE, why="its battery is flat")
    assert page.refusals() == ["expected a table that has a box: 5; got 3"]


def test_a_box_gets_its_table_before_anybody_is_entered(early: Floor, memory: Path) -> None:
    (memory / "next").mkdir()
    with Desk(memory / "next") as empty:
        at_desk_of(empty, served=early.served).post("/boxes", "place", box=early.key, table=12)
        assert empty.event.boxes == {12: early.key}


def test_more_swiss_rounds_than_opponents_are_told_and_the_stage_is_opened_again(
    organiser: Visitor, desk: Desk
) -> None:
    organiser.post("/players", "add", list="Anna\nBo\nCem\nDana")
    organiser.post("/players", "check-in-all")
    form = {"format": "swiss", "match": "one game", "sides": "none"}
    page = organiser.post("/setup", "open-stage", **form, rounds=99)
    assert "99 rounds are too many for 4 players, who have 3 opponents each: to have 3 at most" in page.words
    assert "takes the place" not in page.words
    page = organiser.post("/setup", "open-stage", **form, rounds=3)
    assert "It takes the place of the one that was stage 1 and had no round" in page.words
    assert (desk.event.stage.number, len(desk.event.stages)) == (1, 1)
    assert "too many" not in page.words
    assert desk.event.stage.rounds == 3
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    organiser.post("/round", "end", round=1, why="nobody plays on")
    page = organiser.post("/setup", "open-stage", **form | {"format": "round robin"}, rounds=9)
    assert "The stage is open; draft its first round" in page.words
    assert "takes the place" not in page.words
    assert "too many" not in page.words


def test_a_stage_that_was_opened_by_mistake_is_taken_back_and_the_settings_are_chosen_again(
    organiser: Visitor, desk: Desk
) -> None:
    organiser.post("/setup", "preset", preset="war-of-the-ring")
    organiser.post("/players", "add", list="Anna\nBo\nCem")
    organiser.post("/players", "check-in-all")
    page = organiser.post("/players", "take-back-check-in", key=3, player=3)
    assert "Cem is expected again" in page.words
    form = {"format": "swiss", "match": "one game", "sides": "assigned"}
    organiser.post("/setup", "open-stage", **form)
    assert "Not here" not in organiser.get("/players?player=1").words
    page = organiser.post("/setup", "take-back-stage", why="")
    assert page.refusals() == ["expected the reason; stage taken back needs one"]
    page = organiser.post("/setup", "take-back-stage", why="the wrong game")
    assert "Stage 1 is taken back" in page.words
    organiser.post("/setup", "preset", preset="battle-of-the-ring")
    organiser.post("/setup", "open-stage", **form)
    organiser.post("/round", "draft")
    assert "Take stage" not in organiser.get("/setup").words
    page = organiser.post("/setup", "take-back-stage", why="too late")
    assert page.refusals() == ["expected a stage without a round; round 1 of stage 1 is a draft"]
    assert [len(each.players) for each in desk.event.stages] == [2]


def test_a_stage_of_those_who_were_cut_is_opened_anew_for_them_alone(organiser: Visitor, desk: Desk) -> None:
    organiser.post("/players", "add", list="Anna\nBo\nCem\nDana")
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="swiss", match="one game", sides="none", rounds=1)
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    organiser.post("/round", "end", round=1, why="nobody plays on")
    organiser.post("/standings", "cut", size=2)
    best = desk.event.cut
    for chosen in ("round robin", "single elimination"):
        organiser.post("/setup", "open-stage", format=chosen, match="one game", sides="none")
    assert (desk.event.stage.number, desk.event.stage.format, desk.event.stage.players) == (2, chosen, best)


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
    assert "Intentional draw" not in page
    assert "Nobody came" in page, "nobody goes on from there"
    keyed = {f"game{number}": "draw" for number in range(1, games + 1)}
    (refusal,) = organiser.post("/round", "result", key=1, round=1, table=1, **keyed).refusals()
    assert "expected a winner: a match of an elimination needs one" in refusal
    assert "result:" not in refusal
