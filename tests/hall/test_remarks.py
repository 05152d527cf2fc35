"""What the desk says because nothing else shows it: results that are missing, a cut that is out of date."""

from __future__ import annotations

import pytest

from referee.hall.desk import Desk
from tests.hall.test_organiser import begun, played, playing
from tests.hall.visitor import Visitor

CHANGED = "a result came or was changed after the cut"
ZERO = "No result of round 1, table 1: that counts 0 points"
WITHOUT = "Round 1, table 1: a result came or was changed after this draft was made, which is paired without it."
KNOCKOUT = {"format": "single elimination", "match": "one game", "sides": "none"}


def corrected(organiser: Visitor, desk: Desk) -> None:
    """Turn a result of the last Swiss round round."""
    best = (desk.event.cut or desk.event.stages[1].players)[0]
    pairing = next(each for each in desk.event.rounds[1].pairings if best in each.players and not each.bye)
    organiser.post("/round", "take-back", round=2, table=pairing.table, why="keyed in wrong")
    organiser.enter(round=2, table=pairing.table, game1=f"{2 - pairing.players.index(best)}:1")


@pytest.fixture
def swiss(organiser: Visitor, desk: Desk) -> Visitor:
    """A Swiss stage of two rounds is over, and the best of it goes into a cut of two."""
    begun(organiser)
    played(organiser, desk)
    played(organiser, desk)
    organiser.post("/standings", "cut", size=2)
    return organiser


@pytest.fixture
def ended(organiser: Visitor) -> Visitor:
    """Four players; round 1 of three is ended without the result of table 1."""
    playing(organiser, "war-of-the-ring", "Anna Bo Cem Dana", sides="assigned", rounds=3)
    organiser.enter(round=1, table=2, game1="1:1")
    organiser.post("/round", "end", round=1, why="they play on in the bar")
    return organiser


def test_a_result_changed_after_the_cut_is_told(swiss: Visitor, desk: Desk) -> None:
    assert CHANGED not in swiss.get("/").words
    corrected(swiss, desk)
    page = swiss.get("/").words
    assert CHANGED in page
    swiss.post("/standings", "cut", size=2)
    assert CHANGED not in swiss.get("/").words
    swiss.post("/setup", "open-stage", **KNOCKOUT)
    corrected(swiss, desk)
    assert CHANGED in swiss.post("/round", "draft").words


def test_what_is_fine_before_publishing_can_be_published(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    organiser.post("/round", "draft")
    assert "Nothing is amiss" in organiser.get("/round").words
    organiser.post("/players", "add", list="Cid")
    organiser.post("/players", "check-in", player=6)
    page = organiser.get("/round")
    assert "It cannot be published: Cid is not paired; pair again, or give them a bye" in page.words
    assert "Publish round 1" not in page.words
    assert "Publish round 1" in organiser.post("/round", "draft").words


def test_a_cut_without_a_result_names_it(organiser: Visitor, desk: Desk) -> None:
    playing(organiser, "war-of-the-ring", "Anna Ben Cid Eve")
    organiser.enter(round=1, table=2, game1="1:1")
    organiser.post("/round", "end", round=1, why="they play on in the bar")
    page = organiser.post("/standings", "cut", size=2)
    assert f"The cut is made without results. {ZERO}. The cut is made. Now choose its format" in page.words


def test_what_is_missing_is_said_until_it_comes(ended: Visitor, desk: Desk) -> None:
    assert "Results missing round 1, table 1 Open calls" in ended.get("/").words
    assert ZERO in ended.get("/standings").words
    page = ended.post("/round", "draft")
    assert ZERO in page.words
    assert "Nothing is amiss" not in page.words
    assert WITHOUT not in page.words
    ended.enter(round=1, table=1, game1="1:1")
    page = ended.get("/round")
    assert f"{WITHOUT} Draw again to count it" in page.words
    assert ZERO not in page.words
    assert WITHOUT not in ended.post("/round", "draft").words
    ended.post("/round", "take-back", key=1, round=1, table=1, why="keyed in wrong")
    assert WITHOUT in ended.get("/round").words


def test_nobody_goes_on_from_a_table_without_a_result(organiser: Visitor, desk: Desk) -> None:
    playing(organiser, "two-players", "A B C D E F G H", **KNOCKOUT)
    for table in (1, 2):
        organiser.enter(round=1, table=table, game1="1:0")
    organiser.post("/round", "end", round=1, why="they play on in the bar")
    both = "No result of round 1, tables 3 and 4: nobody goes on from there yet"
    for words in (organiser.get("/standings").words, organiser.get("/print/standings").words):
        assert both in words
    assert both in organiser.post("/round", "draft").words
    page = organiser.enter(round=1, table=3, otherwise="double loss")
    assert "Nobody goes on from there; the next opponent advances without playing" in page.words


def test_standings_say_after_which_round_they_are(ended: Visitor, desk: Desk) -> None:
    assert "Standings, after round 1 of 3 " in ended.get("/print/standings").words
    ended.post("/round", "draft")
    for do in ("publish", "start"):
        ended.post("/round", do, round=2)
    for path in ("/print/standings", "/standings"):
        assert "round 2 of 3 is played" in ended.get(path).words
