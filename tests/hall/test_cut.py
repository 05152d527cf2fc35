"""A cut that the standings have left behind, and who is out and still here: what the desk says of it."""

from __future__ import annotations

import pytest

from referee.hall.desk import Desk
from tests.hall.test_organiser import begun, played, playing
from tests.hall.visitor import Visitor

CHANGED = "The standings of stage 1 have changed since the cut: made now, "


def corrected(organiser: Visitor, desk: Desk) -> tuple[str, str]:
    """Turn a result of the last Swiss round round; return who is among the best two now, and who was."""
    before = desk.event.cut or desk.event.stages[1].players
    round_ = desk.event.rounds[1]
    pairing = next(each for each in round_.pairings if before[0] in each.players and not each.bye)
    seat = 2 - pairing.players.index(before[0])
    organiser.post("/round", "take-back", round=2, table=pairing.table, why="keyed in wrong")
    organiser.post("/round", "result", round=2, table=pairing.table, game1=f"{seat}:1")
    return desk.names.player(pairing.players[seat - 1]), desk.names.player(before[0])


@pytest.fixture
def swiss(organiser: Visitor, desk: Desk) -> Visitor:
    """A Swiss stage of two rounds is over, and the best of it goes into a cut of two."""
    begun(organiser)
    played(organiser, desk)
    played(organiser, desk)
    organiser.post("/standings", "cut", size=2)
    return organiser


def test_a_result_changed_after_the_cut_is_told_before_its_stage_is_open(swiss: Visitor, desk: Desk) -> None:
    assert CHANGED not in swiss.get("/").words
    corrected(swiss, desk)
    page = swiss.get("/").words
    assert "Look at the cut again" in page
    assert CHANGED in page
    assert "Make the cut again on Standings, or open its stage as it is." in page
    swiss.post("/standings", "cut", size=2)
    assert CHANGED not in swiss.get("/").words
    assert "Open the stage of the cut" in swiss.get("/").words


def test_a_result_changed_after_the_cut_is_told_on_desk_and_draft(swiss: Visitor, desk: Desk) -> None:
    stage = {"format": "single elimination", "match": "one game", "sides": "none"}
    swiss.post("/setup", "open-stage", **stage)
    assert "Draft the next round" in swiss.get("/").words
    corrected(swiss, desk)
    page = swiss.get("/").words
    assert "Look at the cut again" in page
    assert CHANGED in page
    assert "To change it: take stage 2 back on Setup and make the cut again on Standings." in page
    page = swiss.post("/round", "draft").words
    assert CHANGED in page
    assert "discard the draft of round 3, take stage 2 back on Setup" in page
    assert "Nothing is amiss" not in page
    swiss.post("/round", "discard", round=3)
    swiss.post("/setup", "take-back-stage", why="another cut")
    swiss.post("/standings", "cut", size=2)
    swiss.post("/setup", "open-stage", **stage)
    page = swiss.post("/round", "draft").words
    assert CHANGED not in page


def test_who_dropped_after_the_cut_does_not_make_it_wrong(swiss: Visitor, desk: Desk) -> None:
    swiss.post("/players", "drop", player=desk.event.cut[0], why="has to go")
    assert CHANGED not in swiss.get("/").words


def test_a_cut_without_a_result_names_it(organiser: Visitor, desk: Desk) -> None:
    playing(organiser, "war-of-the-ring", "Anna Ben Cid Eve")
    organiser.post("/round", "result", round=1, table=2, game1="1:1")
    organiser.post("/round", "end", round=1, why="they play on in the bar")
    page = organiser.post("/standings", "cut", size=2)
    lacks = "Round 1, table 1 has no result: its players count 0 points"
    assert f"The cut is made without results. {lacks}. Now open the next stage" in page.words
    assert f"{lacks}. The cut was made without that." in organiser.get("/").words
    organiser.post("/setup", "open-stage", format="single elimination", match="one game", sides="none")
    assert lacks in organiser.post("/round", "draft").words


def test_who_was_disqualified_in_a_match_is_to_be_dropped(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)
    player = desk.event.rounds[0].pairings[0].players[0]
    name = desk.names.player(player)
    organiser.post("/round", "result", round=1, table=1, otherwise="disqualified:1")
    told = f"{name} was disqualified in round 1, table 1, and is still in the event"
    assert told in organiser.get("/").words
    assert f'<a href="/players?player={player}">' in organiser.get("/").text
    organiser.post("/round", "end", round=1, why="table 2 plays on")
    page = organiser.post("/round", "draft").words
    assert told in page
    assert "Drop the player, then draw again" in page
    organiser.post("/players", "drop", player=player, why="disqualified")
    assert told not in organiser.get("/").words
    assert told not in organiser.post("/round", "draft").words
    organiser.post("/players", "return", player=player, why="only the match was lost")
    assert told not in organiser.get("/").words


def test_who_was_disqualified_and_is_not_in_the_cut_is_not_told(organiser: Visitor, desk: Desk) -> None:
    playing(organiser, "war-of-the-ring", "Anna Ben Cid Eve")
    organiser.post("/round", "result", round=1, table=1, otherwise="disqualified:1")
    organiser.post("/round", "result", round=1, table=2, game1="1:1")
    organiser.post("/round", "end", round=1)
    assert "is still in the event" in organiser.get("/").words
    organiser.post("/standings", "cut", size=2)
    assert "is still in the event" not in organiser.get("/").words


def test_a_table_that_calls_comes_before_the_round(organiser: Visitor, desk: Desk) -> None:
    playing(organiser, "war-of-the-ring", "Anna Ben")
    organiser.post("/round", "result", round=1, table=1, game1="1:1")
    assert "Next: End the round" in organiser.get("/players").words
    organiser.post("/floor", "call", table=1)
    assert "Next: Answer the calls" in organiser.get("/players").words
    organiser.post("/floor", "resolve", call=1, why="go on")
    assert "Next: End the round" in organiser.get("/players").words
