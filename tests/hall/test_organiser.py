"""The organiser's day in a browser without JavaScript: from a pasted list to the prize-giving."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from referee.hall.desk import Desk
from referee.tournament import final_standings, standings
from tests.hall.visitor import Outline, Visitor

LIST = "name, rating\nAnna Schmidt, 1650\nBo Li\nCem Öz\nDana Fox, 1500\nEva Ek\n"


def begun(organiser: Visitor) -> None:
    """A War of the Ring event of five, with a stage of two rounds open."""
    organiser.post("/setup", "preset", preset="war-of-the-ring", key="war-of-the-ring")
    organiser.post("/players", "add", list=LIST)
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="swiss", match="one game", sides="assigned", rounds=2)


def playing(organiser: Visitor, preset: str, names: str, **stage: object) -> None:
    """Players are entered and checked in, and round 1 of a stage of one round is being played."""
    organiser.post("/setup", "preset", preset=preset)
    organiser.post("/players", "add", list="\n".join(names.split()))
    organiser.post("/players", "check-in-all")
    form = {"format": "swiss", "match": "one game", "sides": "none", "rounds": 1, **stage}
    organiser.post("/setup", "open-stage", **form)
    organiser.post("/round", "draft")
    for do in ("publish", "start"):
        organiser.post("/round", do, round=1)


def played(organiser: Visitor, desk: Desk) -> None:
    """Draft, publish and start a round; the lower number wins every game; end it."""
    organiser.post("/round", "draft")
    number = len(desk.event.rounds)
    for do in ("publish", "start"):
        organiser.post("/round", do, round=number)
    for pairing in desk.event.rounds[-1].pairings:
        if pairing.open:
            seat = pairing.players.index(min(pairing.players)) + 1
            organiser.enter(round=number, table=pairing.table, game1=f"{seat}:1")
    organiser.post("/round", "end", round=number)


def test_from_a_list_of_names_to_the_prize_giving(organiser: Visitor, desk: Desk) -> None:
    assert "Choose the game" in organiser.get("/").words
    page = organiser.post("/setup", "preset", preset="war-of-the-ring", key="war-of-the-ring")
    assert "Settings for: War of the Ring" in page.words
    assert "Next: Enter the players" in page.words
    assert desk.event.settings.sides == ("Free Peoples", "Shadow")
    page = organiser.post("/players", "add", list=LIST)
    assert "5 players are entered" in page.words
    assert "Anna Schmidt 1650 Check in" in page.words
    assert "Check in the players" in organiser.get("/").words
    organiser.post("/players", "check-in-all")
    assert "Choose the format" in organiser.get("/").words
    assert "empty: 3, which find one winner" in organiser.get("/setup").words
    page = organiser.post("/setup", "open-stage", format="swiss", match="one game", sides="assigned", rounds=2)
    assert "draft the first round" in page.words
    played(organiser, desk)
    played(organiser, desk)
    assert "All rounds are played" in organiser.get("/").words
    page = organiser.post("/standings", "cut", size=4)
    assert len(desk.event.cut) == 4
    assert "The cut:" in page.words
    assert "those who were chosen play in it, and nobody else" in organiser.get("/").words.lower()
    assert "The cut is made: choose its format" in organiser.get("/round").words
    organiser.post("/setup", "open-stage", format="single elimination", match="one game", sides="bid")
    done = organiser.get("/record").words
    assert "stage opened" in done
    assert "byes" not in done
    assert "False" not in done
    one, other = (desk.names.player(number) for number in desk.event.rounds[0].pairings[0].players)
    assert f"round paired: table 1: {one} and {other} ; table 2:" in done
    assert re.search("result entered: round 1, table 1, .* won: Ring ", done)
    played(organiser, desk)
    played(organiser, desk)
    assert "Give the prizes" in organiser.get("/").words
    assert "Let them play on" not in organiser.get("/standings").words
    champion = final_standings(desk.event)[0].player
    assert "champion" in organiser.get("/standings").words
    name = desk.names.player(champion)
    assert f"The whole event {name}" in organiser.get("/standings").words


def test_an_event_ends_and_its_names_are_erased_afterwards(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    name = "Anna Schmidt"
    page = organiser.post("/record", "end", confirm="yes")
    assert page.refusals() == ["type “end”; it cannot be taken back"]
    assert desk.event.ended == 0
    assert "Erase the names" not in page.words
    page = organiser.post("/record", "end", confirm="End")
    assert name in page.words, "results can still be fetched with names"
    page = organiser.post("/record", "erase", confirm="end")
    assert page.refusals() == ["type “erase”; it cannot be taken back"]
    page = organiser.post("/record", "erase", confirm="Erase")
    assert name not in page.words
    assert "Next Begin another event" in organiser.get("/").words
    for path in ("/setup", "/players", "/round", "/standings", "/judges", "/record"):
        assert organiser.get(path).status == 200


def test_why_am_i_third(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    played(organiser, desk)
    rows = standings(desk.event, desk.event.stage)
    first, last = rows[0].player, rows[-1].player
    one, other = desk.names.player(first), desk.names.player(last)
    words = organiser.get(f"/standings?one={last}&other={first}").words
    assert f"{one} stands before {other} , decided by match points: 3 before 0." in words
    chosen = re.findall(r'value="(\d+)" selected', organiser.get(f"/standings?one={last}&other={first}").text)
    assert chosen == [str(last), str(first)]
    assert "Choose two players of this part" in organiser.get("/standings?one=1&other=77").words


def test_only_the_organiser_sees_a_draft_and_what_is_amiss_with_it(
    organiser: Visitor, public: Visitor, desk: Desk
) -> None:
    begun(organiser)
    page = organiser.post("/round", "draft")
    assert "This round is a draft" in page.words
    assert "Before publishing" in page.words
    assert "No round is published yet" in public.get("/").words
    assert "Anna" not in public.get("/tv").words + public.get("/standings").words
    page = organiser.post("/round", "by-hand", round=1, tables="1 1 3\n2 2 4\n0 5", why="as on paper")
    assert "Nothing is amiss" in page.words
    organiser.post("/round", "publish", round=1)
    assert "Anna Schmidt 1 Cem Öz" in public.get("/").words


def test_pairings_by_hand(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    organiser.post("/round", "draft")
    one, other = desk.event.rounds[0].pairings[0].players[0], desk.event.rounds[0].pairings[1].players[1]
    page = organiser.post("/round", "exchange", round=1, one=one, other=other, why=" ")
    assert page.refusals() == ["give the reason; pairing changed needs one"]
    organiser.post("/round", "exchange", round=1, one=one, other=other, why="sisters")
    assert desk.event.rounds[0].pairings[0].players[0] == other
    assert desk.event.rounds[0].pairings[1].players[1] == one
    page = organiser.post("/round", "exchange", round=1, one=one, other=one, why="x")
    assert page.refusals() == ["choose another player"]
    page = organiser.post("/round", "by-hand", round=1, tables="1 1 2\n2 3 vier")
    assert "line 2: type the table, then its players' numbers" in page.refusals()[0]
    page = organiser.post("/round", "by-hand", round=1, tables="1 1 2\n2 3 4")
    assert "Eva Ek is not paired" in page.words
    organiser.post("/round", "publish", round=1)
    first = [pairing.players for pairing in desk.event.rounds[0].pairings]
    table = "\n".join(f"{p.table} {' '.join(map(str, p.players[::-1]))}" for p in desk.event.rounds[0].pairings)
    organiser.post("/round", "by-hand", round=1, tables=table, why="seats exchanged")
    assert [pairing.players for pairing in desk.event.rounds[0].pairings] == [each[::-1] for each in first]
    organiser.post("/round", "unpublish", round=1, why="too early")
    assert desk.event.rounds[0].state == "draft"
    organiser.post("/round", "discard", round=1)
    assert desk.event.rounds == ()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "choose a result at a table first"),
        ({"game1": "1:1", "otherwise": "double loss"}, "choose only one of them: what the game came to, or how"),
        ({"game1": "3:1"}, "choose one of the list"),
        ({"otherwise": "forfeit:9"}, "choose one of the list"),
    ],
)
def test_a_slip_that_cannot_be_is_refused_beside_its_field(
    organiser: Visitor, desk: Desk, fields: dict[str, str], expected: str
) -> None:
    begun(organiser)
    organiser.post("/round", "draft")
    organiser.post("/round", "publish", round=1)
    organiser.post("/round", "start", round=1)
    before = desk.event
    page = organiser.enter(round=1, table=1, **{"game1": "", "otherwise": "", **fields})
    assert page.status == 422
    (refusal,) = page.refusals()
    assert expected in refusal
    assert ('aria-invalid="true"' in page.text) == bool(fields)
    assert desk.event == before


def test_time_calls_penalties_and_bids(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    played(organiser, desk)
    organiser.post("/round", "draft")
    organiser.post("/round", "publish", round=2)
    organiser.post("/round", "start", round=2)
    page = organiser.post("/round", "extend", round=2, table=1, minutes=5, why="")
    assert page.refusals() == ["give the reason of an extension"]
    page = organiser.post("/round", "extend", round=2, table=1, minutes=5, why="a call")
    assert "+5 min" in page.words
    assert "5 min more for table 1" in page.words
    page = organiser.post("/judges", "call", table=2)
    assert "Table 2, since" in page.words
    assert "Table 2 calls for a judge" in page.words
    assert "The call is claimed" in organiser.post("/judges", "claim", key=1, call=1).words
    assert desk.event.calls[0].judge == "organiser"
    page = organiser.post("/judges", "resolve", key=1, call=1, why="the die was cocked")
    assert "The call is resolved" in page.words
    assert desk.event.calls[0].resolved
    page = organiser.post("/judges", "penalty", player=1, penalty="points", points=2, why="slow play")
    assert f"The penalty is given: points for {desk.names.player(1)}" in page.words
    assert desk.event.penalties[0].points == 2
    assert "The penalty is lifted" in organiser.post("/judges", "lift", key=1, penalty=1, why="a mistake").words
    assert "The penalty" not in organiser.get("/judges").words  # said once
    assert desk.event.penalties == ()


def test_settings_one_by_one(organiser: Visitor, desk: Desk) -> None:
    points = {"win": 2, "draw": 1, "loss": 0, "bye": 2, "split": 0}
    rest = {"places": "4, 2, 1, 0", "sides": "", "wins": "", "minutes": 50, "at_time": "stop"}
    order = {f"tiebreaker{n}": "" for n in range(3, 7)} | {"tiebreaker1": "match points", "tiebreaker2": "buchholz"}
    organiser.post("/setup", "settings", **points, **rest, **order)
    assert desk.event.settings.points.win == 2
    assert desk.event.settings.at_time == "stop"
    assert desk.event.settings.tiebreakers == ("match points", "buchholz")
    page = organiser.post("/setup", "settings", **{**points, "win": "many"}, **rest, **order)
    assert page.refusals() == ["type a whole number, not 'many'"]
    page = organiser.post("/setup", "settings", **{**points, "bye": -1}, **rest, **order)
    assert page.refusals() == ["type 0 or more, not -1"]
    page = organiser.post("/setup", "title", title="Autumn Cup")
    assert "Autumn Cup" in page.words


def test_a_seat_of_a_pod_did_not_come(organiser: Visitor, desk: Desk) -> None:
    playing(organiser, "pods", "Anna Bo Cem Dana Eva", format="pods", pod=4, byes=1)
    bye = desk.event.rounds[0].pairings[-1]
    assert bye.bye
    places = {"place1": "2", "place2": "no-show", "place3": "1", "place4": "disqualified"}
    page = organiser.enter(round=1, table=1, **places)
    assert "choose the same reason for all who have no place" in page.refusals()[0]
    page = organiser.enter(round=1, table=1, **places | {"place4": "3"})
    result = desk.event.rounds[0].pairings[0].result
    assert result is not None
    assert (result.outcome, result.places) == ("no-show", (2, 0, 1, 3))
    assert "did not come" in page.words


def test_a_match_of_several_games(organiser: Visitor, desk: Desk) -> None:
    playing(organiser, "war-of-the-ring", "Anna Bo Cem Dana", match="best of three", sides="assigned")
    slip: dict[str, Any] = {"round": 1, "table": 1, "otherwise": ""}
    page = organiser.enter(**slip, game1="1:1", game2="1:2", game3="2:1")
    assert page.refusals() == ["table 1: enter two; whoever wins the first two has won the match"]
    assert 'id="results-game1_1" name="game1_1" form="results" aria-invalid="true"' in page.text
    organiser.enter(**slip, game1="1:1", game2="2:2", game3="2:1")
    result = desk.event.rounds[0].pairings[0].result
    assert result is not None
    assert result.winner(desk.event.rounds[0].pairings[0].players) == desk.event.rounds[0].pairings[0].players[1]
    assert len(result.games) == 3


def test_a_late_player_drops_returns_and_has_another_name(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    organiser.post("/players", "add", list="Finn")
    organiser.post("/players", "check-in", key=6, player=6)
    organiser.post("/players", "drop", key=6, player=6, why="Finn has to go")
    assert "Return to the event" in organiser.get("/players?player=6").words
    organiser.post("/players", "return", key=6, player=6, why="he is back")
    page = organiser.post("/players", "change", key=6, player=6, name="Finn Ek", rating=1700)
    assert "What was changed of Finn Ek is saved" in page.words
    assert (desk.event.players[6].state, desk.event.players[6].rating) == ("here", 1700)


def test_a_form_that_is_not_on_the_page_any_more_is_told_on_top(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    played(organiser, desk)
    page = organiser.post("/round", "publish", round=1)
    assert page.refusals() == ["this needs a round that is a draft; round 1 has ended"]
    page = organiser.post("/round", "polish")
    assert page.refusals() == ["this form is not of this page. Load it again"]


@pytest.mark.once
@pytest.mark.parametrize("path", ["/", "/setup", "/players?player=2", "/round", "/standings", "/judges", "/record"])
def test_every_field_has_a_label_and_every_page_its_landmarks(organiser: Visitor, desk: Desk, path: str) -> None:
    begun(organiser)
    for _ in range(2):
        organiser.post("/round", "draft")
        outline = Outline(organiser.get(path).text)
        assert len(set(outline.ids)) == len(outline.ids)
        assert [field["name"] for field in outline.fields if field.get("id") not in outline.labels] == []
        assert outline.landmarks[:3] == ["header", "nav", "main"]
        assert outline.heads[0] == 1
        assert outline.heads.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(outline.heads))
        assert set(outline.named) <= set(outline.ids)
        organiser.post("/round", "publish", round=1)
        organiser.post("/round", "start", round=1)
