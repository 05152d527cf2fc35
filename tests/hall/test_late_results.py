"""A round that is ended while results are missing: where the desk says so, until the last of them has come."""

from __future__ import annotations

import pytest

from referee.hall.desk import Desk
from tests.hall.visitor import Visitor

ZERO = "Round 1, table 1 has no result: its players count 0 points"
WITHOUT = "Round 1, table 1: a result came or was changed after this draft was made, which is paired without it."


@pytest.fixture
def ended(organiser: Visitor) -> Visitor:
    """Four players; round 1 of three is ended without the result of table 1."""
    organiser.post("/setup", "preset", preset="war-of-the-ring")
    organiser.post("/players", "add", list="Anna\nBo\nCem\nDana")
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="swiss", match="one game", sides="assigned", rounds=3)
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    organiser.post("/round", "result", key=2, round=1, table=2, game1="1:1")
    organiser.post("/round", "end", round=1, why="they play on in the bar")
    return organiser


def test_what_is_missing_is_said_until_it_comes(ended: Visitor, desk: Desk) -> None:
    assert "Results missing round 1, table 1 Open calls" in ended.get("/").words
    assert ZERO in ended.get("/standings").words
    page = ended.post("/round", "draft")
    assert ZERO in page.words
    assert "Nothing is amiss" not in page.words
    assert WITHOUT not in page.words
    for do in ("publish", "start"):
        ended.post("/round", do, round=2)
    assert "Results missing round 1, table 1 ; tables 1 and 2 Open calls" in ended.get("/").words
    ended.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    assert "Results missing tables 1 and 2 Open calls" in ended.get("/").words
    assert ZERO not in ended.get("/standings").words


def test_a_draft_says_which_results_it_was_paired_without(ended: Visitor, desk: Desk) -> None:
    ended.post("/round", "draft")
    ended.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    page = ended.get("/round")
    assert f"{WITHOUT} Draw again to count it" in page.words
    assert ZERO not in page.words
    assert WITHOUT not in ended.post("/round", "draft").words
    ended.post("/round", "take-back", key=1, round=1, table=1, why="keyed in wrong")
    page = ended.get("/round")
    assert WITHOUT in page.words
    assert ZERO in page.words


def test_several_tables_of_a_round_are_told_at_once(ended: Visitor, desk: Desk) -> None:
    ended.post("/round", "take-back", key=2, round=1, table=2, why="keyed in wrong")
    both = "Round 1, tables 1 and 2 have no result: their players count 0 points"
    assert both in ended.get("/standings").words
    assert both in ended.get("/print/standings").words


def test_a_draft_of_the_cut_says_what_the_cut_was_made_without(ended: Visitor, desk: Desk) -> None:
    for number in (2, 3):
        ended.post("/round", "draft")
        for do in ("publish", "start"):
            ended.post("/round", do, round=number)
        ended.post("/round", "end", round=number, why="they play on in the bar")
    ended.post("/standings", "cut", size=4)
    ended.post("/setup", "open-stage", format="single elimination", match="one game", sides="none")
    page = ended.post("/round", "draft")
    assert "Before publishing" in page.words
    assert f"{ZERO}. The cut was made without that" in page.words
    assert "Nothing is amiss" not in page.words
    assert "Results missing round 1, table 1 ; round 2, tables 1 and 2" in ended.get("/").words
    assert ZERO in ended.get("/standings?stage=1").words


def test_nobody_goes_on_from_a_table_of_an_elimination_without_a_result(organiser: Visitor, desk: Desk) -> None:
    organiser.post("/players", "add", list="\n".join(f"Player {number}" for number in range(1, 9)))
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="single elimination", match="one game", sides="none")
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    for table in (1, 2):
        organiser.post("/round", "result", key=table, round=1, table=table, game1="1:0")
    organiser.post("/round", "end", round=1, why="they play on in the bar")
    both = "Round 1, tables 3 and 4 have no result: nobody goes on from there yet"
    for words in (organiser.get("/standings").words, organiser.get("/print/standings").words):
        assert both in words
        assert "0 points" not in words
    assert both in organiser.post("/round", "draft").words
    organiser.post("/round", "result", key=3, round=1, table=3, game1="1:0")
    assert "Round 1, table 4 has no result: nobody goes on from there yet" in organiser.get("/standings").words


def test_printed_standings_count_rounds_as_the_page_does(ended: Visitor, desk: Desk) -> None:
    assert "Standings after 1 round " in ended.get("/print/standings").words
    ended.post("/round", "draft")
    for do in ("publish", "start"):
        ended.post("/round", do, round=2)
    words = ended.get("/print/standings").words
    assert "Standings, 2 rounds begun" in words
    assert "after" not in words
    assert "2 rounds begun" in ended.get("/standings").words


def test_a_player_who_has_dropped_is_marked_at_an_open_table_and_on_paper(ended: Visitor, desk: Desk) -> None:
    first, second = desk.event.rounds[0].at(1).players
    name = desk.names.player(first)
    assert "dropped" not in ended.get("/round").words + ended.get("/print/standings").words
    ended.post("/players", "drop", key=first, player=first, why="has a train to catch")
    assert f"{name} has dropped" in ended.get("/round?round=1").words
    assert f"{desk.names.player(second)} has dropped" not in ended.get("/round?round=1").words
    assert f"{name} dropped" in ended.get("/print/standings").words
    ended.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    assert "has dropped" not in ended.get("/round?round=1").words
