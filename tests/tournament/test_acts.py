"""Acts: each is checked, says what was expected where it is refused, and changes nothing then."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Malformed, NotNow, Refused
from referee.tournament.acts import KINDS, Act, read_act
from referee.tournament.acts.people import PlayerAdded
from referee.tournament.event import MINUTE, Bid, Event, Seats, ends_at
from referee.tournament.results import Game, Result
from referee.tournament.settings import Points, Settings
from tests.tournament.desk import Desk

WAR = Settings(sides=("Free Peoples", "Shadow"), wins=("Ring", "military"))
WON = Result(games=(Game(1),))


ADDED = {"act": "player added", "who": "organiser", "at": 1, "why": "", "player": 3, "rating": 0}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"act": "player moved"}, "act: expected one of "),
        ({"player": "3"}, "player: expected a whole number below 2**53, got '3'"),
        ({"player": True}, "player: expected a whole number"),
        ({"player": 2**53}, "player: expected a whole number below 2**53"),
        ({"at": 1.5}, "at: expected a whole number"),
        ({"why": None}, "why: expected text, got None"),
        ({"name": "Frodo"}, "name: not known; expected who, at, why, player, rating"),
    ],
)
def test_what_is_no_act_is_refused_by_the_member_that_is_wrong(change: dict[str, Any], text: str) -> None:
    assert read_act(ADDED) == PlayerAdded(who="organiser", at=1, player=3)
    with pytest.raises(Malformed) as error:
        read_act(ADDED | change)
    assert text in error.value.text


def test_the_document_lists_every_act_with_its_members() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tournament.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w -]+)`( \\\*)? \| ([\w, ]*) ?\|", page, re.MULTILINE)
    listed = {kind: (members.strip(), bool(mark)) for kind, mark, members in rows}
    common = [each.name for each in fields(Act)]
    assert listed == {
        kind: (", ".join(each.name for each in fields(cls) if each.name not in common), cls.needs_why)
        for kind, cls in KINDS.items()
    }


def test_everybody_says_who_he_is_and_why_where_it_matters() -> None:
    desk = Desk(players=2)
    desk.refused("player added", "who: expected who did it", who=" ", player=3)
    desk.refused("player returned", "why: give the reason; player returned needs one", player=1)


def test_settings_make_sense_and_stand_before_the_first_stage() -> None:
    desk = Desk(players=2)
    for chosen, text in (
        (Settings(sides=("Shadow",)), "sides: type the names of two sides"),
        (Settings(sides=("Shadow", "Shadow")), "sides: type"),
        (Settings(tiebreakers=("lot",)), "choose match points or game points first"),
        (Settings(tiebreakers=()), "choose match points or game points first"),
        (Settings(tiebreakers=("match points", "lot", "lot")), "tiebreakers: choose each once"),
        (Settings(wins=("Ring", "Ring")), "wins: choose each once"),
        (Settings(minutes=-1), "minutes: type 0 or more"),
        (Settings(points=Points(split=-1)), "points.split: type 0 or more, not -1"),
        (Settings(points=Points(draw=4)), "points: expected a win to be worth as much as a draw"),
        (Settings(points=Points(loss=2)), "points: expected a win"),
        (Settings(points=Points(places=())), "points.places: expected one for the first place"),
        (Settings(points=Points(places=(1, 2))), "points.places: expected"),
        (Settings(points=Points(places=(1, -1))), "points.places: expected"),
    ):
        desk.refused("settings", text, settings=chosen)
    desk.do("settings", settings=WAR)
    desk.do("stage opened", format="swiss", players=(1, 2))
    desk.refused("settings", "settings are chosen before", settings=Settings())
    desk.do("stage taken back", why="the wrong game")
    assert desk.do("settings", settings=Settings()).settings == Settings()


def test_a_stage_is_taken_back_until_it_has_a_round() -> None:
    desk = Desk(players=4)
    desk.refused("stage taken back", "choose the format first", why="there is none")
    opened = {"format": "swiss", "players": (1, 2, 3, 4)}
    before = desk.event
    desk.do("stage opened", **opened)
    desk.refused("stage taken back", "needs one")
    assert desk.do("stage taken back", why="too early") == before
    desk.do("stage opened", **opened)
    desk.pair((1, 2), (3, 4), start=False)
    refusal = "the stage has a round: round 1 of stage 1 is a draft"
    desk.refused("stage taken back", refusal, why="too late")
    desk.do("draft discarded", round=1)
    desk.do("stage taken back", why="once more")
    desk.do("stage opened", **opened)
    desk.pair((1, 2), (3, 4))
    desk.wins(1, 3)
    cut = desk.do("cut", players=(3, 1))
    desk.do("stage opened", format="single elimination", players=(3, 1))
    assert desk.do("stage taken back", why="the wrong format") == cut


def test_players_enter_check_in_change_drop_and_return() -> None:
    desk = Desk(players=2)
    desk.refused("player added", "number of 1 or more", player=0)
    desk.refused("player added", "player 2 is there", player=2)
    desk.do("player added", player=3)
    assert desk.event.here() == (1, 2)
    desk.do("player changed", player=3, rating=1500)
    assert desk.event.player(3).rating == 1500
    desk.refused("player changed", "no player has the number 4", player=4, rating=0)
    desk.refused("checked in", "player 1 is here", player=1)
    desk.do("player dropped", player=1)
    desk.refused("player dropped", "player 1 has left: dropped", player=1)
    desk.refused("player returned", "player 2 is here", player=2, why="was away")
    desk.do("player returned", player=1, why="missed the bus")
    assert desk.event.here() == (1, 2)


def test_a_stage_takes_everybody_who_is_here_and_suits_the_game() -> None:
    desk = Desk(players=4)
    for members, text in (
        ({"players": (1,)}, "check in two at least"),
        ({"players": (1, 2, 3)}, "who is here has changed"),
        ({"players": (1, 2, 3, 4, 4)}, "who is here has changed"),
        ({"sides": "assigned"}, "the settings name no sides"),
        ({"third": True}, "third: expected false; only a single elimination has that"),
        ({"format": "single elimination", "rounds": 2}, "rounds: expected 0 or more, and 0 in an elimination"),
        ({"rounds": -1}, "rounds: expected 0 or more"),
        ({"format": "pods", "pod": 2}, "pod: expected 3 players or more"),
        ({"format": "pods", "match": "best of three"}, "pod: expected"),
    ):
        desk.refused("stage opened", text, **{"format": "swiss", "players": (1, 2, 3, 4), **members})
    assert desk.do("stage opened", format="swiss", players=(1, 2, 3, 4)).stage.rounds == 2
    sided = {"format": "pods", "sides": "assigned", "players": (1, 2, 3)}
    Desk(WAR, 3).refused("stage opened", "one game a match, and no sides", **sided)
    assert Desk(players=5, format="round robin").event.stage.rounds == 5
    assert Desk(players=6, format="round robin").event.stage.rounds == 5
    assert Desk(players=6, format="single elimination").event.stage.rounds == 0


def test_late_entries_are_in_a_swiss_stage_and_not_after_a_cut() -> None:
    swiss, robin = Desk(players=2, rounds=3), Desk(players=2, format="round robin")
    for desk in (swiss, robin):
        desk.enter([7])
    assert list(swiss.event.stage.players) == [1, 2, 7]
    assert robin.event.stage.players == (1, 2)
    swiss.do("cut", players=(2, 7))
    swiss.refused("stage opened", "expected those of the cut, in order: [2, 7]", format="swiss", players=(7, 2))
    swiss.do("stage opened", format="swiss", players=(2, 7))
    swiss.enter([8])
    assert [stage.players for stage in swiss.event.stages] == [(1, 2, 7), (2, 7)]


def test_a_round_goes_from_draft_to_its_end() -> None:
    desk = Desk(Settings(minutes=60), players=4, rounds=2)
    desk.pair((1, 2), (3, 4), start=False)
    desk.refused(
        "round started", "this needs a round that is published and has not started; round 1 is a draft", round=1
    )
    desk.pair((1, 3), (2, 4), start=False)  # another draft takes its place
    assert [pairing.players for pairing in desk.last.pairings] == [(1, 3), (2, 4)]
    desk.do("round published", round=1)
    desk.refused("round paired", "round 1 is published", pairings=(Seats(1, (1, 2)), Seats(2, (3, 4))))
    desk.refused("result entered", "round 1 has not started", round=1, table=1, result=WON, by="judge")
    desk.refused("round published", "this needs a round that is a draft", round=1)
    desk.do("round started", round=1, at=77)
    assert desk.last.started == 77
    desk.result(1, WON)
    desk.refused("round ended", "enter the results of table 2", round=1)
    desk.pair((1, 2), (3, 4), start=False)  # round 2 on paper, before all results are in
    desk.refused("round published", "end round 1 first", round=2)
    desk.do("round ended", round=1, why="table 2 plays on")
    desk.start()
    desk.do("result entered", round=1, table=2, result=Result(games=(Game(4),)), by="scorekeeper")
    desk.wins(1, 3)
    desk.refused("round paired", "the stage has 2 rounds", pairings=(Seats(1, (1, 2)), Seats(2, (3, 4))))
    desk.do("event ended", at=99)
    assert desk.event.ended == 99
    desk.refused("player added", "The event is over", player=9)


def test_every_player_is_paired_once_each_table_used_once() -> None:
    desk = Desk(players=5, format="swiss")
    whole = (Seats(1, (1, 2)), Seats(2, (3, 4)), Seats(0, (5,)))
    for pairings, text in (
        ((), "expected tables, each with its players"),
        ((*whole, Seats(3, ())), "expected tables, each with its players"),
        (whole[:2], "player 5 is not paired; pair again, or give them a bye"),
        ((*whole, Seats(3, (1, 5))), "player 1 is in two"),
        ((*whole, Seats(3, (6, 7))), "player 6 is not"),
        ((*whole[1:], Seats(2, (1, 2))), "table: each table needs a number"),
        ((*whole[1:], Seats(0, (1, 2))), "table: each table needs a number"),
        ((*whole[:2], Seats(4, (5,))), "a bye has 0"),
        ((Seats(1, (1, 2, 3)), Seats(2, (4, 5))), "two play at a table"),
    ):
        desk.refused("round paired", text, pairings=pairings)
    desk.do("round paired", pairings=whole)
    desk.do("player dropped", player=3)
    desk.refused("round published", "player 3 is not here", round=1)
    desk.pair((1, 2), (4, 5), start=False)
    desk.enter([6])
    desk.refused("round published", "player 6 is not paired", round=1)
    desk.do("draft discarded", round=1)
    assert desk.event.rounds == ()


def test_pairings_are_changed_by_hand_and_nobody_left_out() -> None:
    desk = Desk(players=5, format="swiss")
    desk.pair((1, 2), (3, 4), (5,))
    desk.result(1, WON)
    change = {"round": 1, "why": "friends who travelled together"}
    desk.refused(
        "pairing changed", "take the result back first", pairings=(Seats(1, (1, 3)), Seats(2, (2, 4))), **change
    )
    desk.refused("pairing changed", "expected player 4 too", pairings=(Seats(2, (3, 5)),), **change)
    desk.refused("pairing changed", "table: each table needs", pairings=(Seats(1, (3, 5)), Seats(0, (4,))), **change)
    desk.do("pairing changed", pairings=(Seats(7, (3, 5)), Seats(0, (4,))), **change)
    assert [(each.table, each.players) for each in desk.last.pairings] == [(1, (1, 2)), (7, (3, 5)), (0, (4,))]
    desk.do("extension", round=1, table=7, ms=60_000, why="they moved")
    desk.do("pairing changed", pairings=(Seats(7, (5, 3)),), **change)  # seats exchanged, the time stays
    assert desk.last.at(7).extension == 60_000
    desk.do("pairing changed", pairings=(Seats(8, (5, 3)),), **change)
    assert desk.last.at(8).extension == 60_000
    desk.do("pairing changed", pairings=(Seats(7, (5, 3)),), **change)
    desk.enter([6])  # a late entry plays whoever has the bye
    desk.do("pairing changed", pairings=(Seats(3, (4, 6)),), **change)
    assert desk.last.pairings[1].players == (4, 6)
    desk.wins(end=False)
    for table, winner in ((3, 4), (7, 3)):
        desk.result(table, Result(games=(Game(winner),)))
    desk.do("round ended", round=1)
    desk.refused("pairing changed", "round 1 has ended", pairings=(Seats(3, (4, 6)),), **change)


def test_an_extension_goes_with_its_players_to_another_table() -> None:
    desk = Desk(players=6, format="swiss")
    desk.pair((1, 2), (3, 4), (5, 6))
    desk.do("extension", round=1, table=0, ms=60_000)
    desk.do("extension", round=1, table=1, ms=300_000, why="a judge was called")
    change = {"round": 1, "why": "the lamp there is broken"}

    def given() -> dict[int, int]:
        return {each.table: each.extension for each in desk.last.pairings}

    desk.do("pairing changed", pairings=(Seats(7, (1, 2)), Seats(1, (3, 4))), **change)
    assert given() == {1: 60_000, 3: 60_000, 7: 360_000}
    desk.do("pairing changed", pairings=(Seats(7, (1, 5)), Seats(3, (2, 6))), **change)
    assert given() == {1: 60_000, 3: 360_000, 7: 360_000}, "nobody loses time that was promised"


def test_without_a_clock_the_first_result_starts_the_round() -> None:
    """T7: a club that uses no clock enters results at once."""
    desk = Desk(Settings(), players=4, format="swiss")
    desk.pair((1, 2), (3, 4), start=False)
    desk.do("round published", round=1)
    desk.wins(1, 3)
    assert desk.last.state == "ended"


def test_a_published_round_is_taken_back_until_there_is_a_result() -> None:
    desk = Desk(players=4, format="swiss")
    desk.pair((1, 2), (3, 4))
    desk.do("round unpublished", round=1, why="two friends at table 1")
    assert (desk.last.state, desk.last.started) == ("draft", 0)
    desk.refused("round unpublished", "round 1 is a draft", round=1, why="again")
    desk.start()
    desk.pair((1, 3), (2, 4), start=False)
    desk.refused("round unpublished", "discard the draft of round 2 first", round=1, why="wrong")
    desk.do("draft discarded", round=2)
    desk.result(2, Result(games=(Game(3),)))
    desk.refused("round unpublished", "round 1 has results", round=1, why="too late")
    desk.do("round ended", round=1, why="they play on in the bar")
    desk.refused("round unpublished", "round 1 has results", round=1, why="too late")
    desk.do("result taken back", round=1, table=2, why="keyed wrong")
    desk.do("round unpublished", round=1, why="ended by mistake")
    assert (desk.last.state, desk.last.started) == ("draft", 0)


def test_a_clock_set_back_in_a_pause_takes_no_time_from_a_round() -> None:
    desk = Desk(Settings(minutes=60), players=2, format="swiss")
    desk.pair((1, 2), start=False)
    desk.do("round published", round=1)
    desk.do("round started", round=1, at=MINUTE)
    desk.do("round paused", round=1, at=10 * MINUTE)
    desk.do("round resumed", round=1, at=30 * MINUTE)
    assert ends_at(desk.event, 1, 1) == 81 * MINUTE
    desk.do("round paused", round=1, at=60 * MINUTE)
    desk.do("round resumed", round=1, at=MINUTE)
    assert ends_at(desk.event, 1, 1) == 81 * MINUTE
    with pytest.raises(NotNow, match="expected a table of round 1, got 3"):
        ends_at(desk.event, 1, 3)


def test_an_extension_is_added_to_a_table_or_to_all() -> None:
    desk = Desk(players=4, format="swiss")
    desk.pair((1, 2), (3, 4))
    desk.refused("extension", "give the reason of an extension", round=1, table=2, ms=60_000)
    desk.refused("extension", "expected a table of round 1, got 3", round=1, table=3, ms=60_000, why="x")
    desk.do("extension", round=1, table=2, ms=300_000, why="a long ruling")
    desk.do("extension", round=1, table=0, ms=60_000)
    desk.refused("extension", "no more can be taken back than was given", round=1, table=1, ms=-60_001, why="mistake")
    assert [pairing.extension for pairing in desk.last.pairings] == [60_000, 360_000]


def test_a_wrong_result_is_taken_back_and_stays_in_the_record() -> None:
    desk = Desk(players=4, format="swiss")
    desk.pair((1, 2), (3, 4))
    back = {"round": 1, "table": 1, "why": "wrong seat keyed"}
    desk.refused("result taken back", "table 1 of round 1 has no result", **back)
    for outcome in ("double loss", "no-show", "disqualified"):
        result = Result(outcome, fault=() if outcome == "double loss" else (1,))
        entered = {"round": 1, "table": 1, "result": result, "by": "seats"}
        desk.refused("result entered", f"by: expected judge or scorekeeper for {outcome}", **entered)
    desk.wins(1, 3)
    desk.refused("result entered", "take it back first", round=1, table=1, result=WON, by="judge")
    desk.do("result taken back", **back)
    desk.result(1, Result(games=(Game(2),)))
    pairing = desk.last.at(1)
    assert pairing.result == Result(games=(Game(2),))
    assert pairing.former == (WON,)
    assert sum("result taken back" in line for line in desk.record) == 1


def test_calls_are_opened_claimed_escalated_and_resolved() -> None:
    desk = Desk(players=2)
    desk.refused("call opened", "table: expected 1 or more", table=0)
    desk.do("call opened", table=5, at=10)
    desk.refused("call opened", "table 5 is calling already", table=5)
    desk.do("call claimed", call=1, who="judge 2")
    desk.do("call claimed", call=1, who="head judge")
    assert desk.event.calls[0].judge == "head judge"
    desk.do("call resolved", call=1, who="head judge", at=50, why="the card stands")
    desk.refused("call claimed", "no open call has the number 1", call=1, who="judge 2")
    assert (desk.event.calls[0].opened, desk.event.calls[0].resolved) == (10, 50)
    assert len(desk.do("call opened", table=5).calls) == 2
    assert len(desk.do("call opened", table=6).calls) == 3


def test_a_spare_box_takes_a_table_and_the_old_box_is_spent() -> None:
    desk = Desk()
    desk.refused("box placed", "table: expected 1 or more", table=0, box="a")
    desk.do("box placed", table=1, box="a")
    desk.do("box placed", table=2, box="b")
    desk.refused("box placed", "tell why the table's box is replaced", table=1, box="spare")
    desk.do("box placed", table=1, box="spare", why="display dead")
    assert desk.event.boxes == {1: "spare", 2: "b"}
    assert desk.event.spent == {"a"}
    desk.do("box placed", table=3, box="a")  # mended
    desk.do("box placed", table=2, box="", why="no power there")
    assert desk.event.boxes == {1: "spare", 3: "a"}
    assert not desk.event.spent
    desk.do("box placed", table=2, box="spare")  # a box stands at one table
    assert desk.event.boxes == {2: "spare", 3: "a"}


def test_penalties_take_points_or_disqualify_and_can_be_lifted() -> None:
    desk = Desk(players=2, rounds=2)
    desk.refused("penalty", "points: type 1 or more", player=1, penalty="points", why="late")
    desk.refused("penalty", "points: type", player=1, penalty="warning", points=1, why="late")
    desk.do("penalty", player=1, penalty="points", points=1, why="late twice")
    desk.do("penalty", player=2, penalty="disqualification", why="loaded die")
    assert desk.event.here() == (1,)
    desk.refused("player returned", "player 2 is disqualified", player=2, why="please")
    for number in (0, 3):
        desk.refused("penalty lifted", f"expected a penalty from 1 to 2, got {number}", penalty=number, why="wrong")
    desk.do("penalty lifted", penalty=2, why="wrong player")
    desk.do("player returned", player=2, why="wrong player")
    assert [penalty.points for penalty in desk.event.penalties] == [1]
    assert desk.event.here() == (1, 2)
    assert desk.do("penalty lifted", penalty=1, why="was in time").penalties == ()


def test_sides_are_sold_to_the_last_bidder() -> None:
    desk = Desk(WAR, 4, sides="bid", match="best of three", format="single elimination")
    desk.pair((1, 4), (2, 3))
    sale = {"round": 1, "table": 1, "game": 1, "side": "Shadow", "player": 4, "tokens": 4}
    desk.refused("sides bid", "tokens: type 1 or more; player 1 begins with 0", **sale | {"tokens": 0})
    desk.refused("sides bid", "tokens: type 0 or more", **sale | {"player": 1, "tokens": -1})
    desk.refused("sides bid", "player: choose a player of this table", **sale | {"player": 2})
    desk.refused("sides bid", "side: expected Free Peoples or Shadow", **sale | {"side": "Gondor"})
    desk.refused("sides bid", "game: expected 1, or 3", **sale | {"game": 2})
    desk.do("sides bid", **sale)
    desk.do("sides bid", **sale | {"game": 3, "side": "Free Peoples", "player": 1, "tokens": 2})
    assert desk.last.at(1).bids == (Bid(1, 4, "Shadow", 4), Bid(3, 1, "Free Peoples", 2))
    desk.do("sides bid", **sale | {"player": 1, "tokens": 5})  # a correction
    assert [(bid.game, bid.player, bid.tokens) for bid in desk.last.at(1).bids] == [(3, 1, 2), (1, 1, 5)]
    desk.result(1, Result(games=(Game(1), Game(1))))
    desk.refused("sides bid", "table 1 has a result; take it back first", **sale)
    desk.do("result taken back", round=1, table=1, why="wrong seat keyed")
    desk.do("sides bid", **sale)
    desk.do("round unpublished", round=1, why="wrong list")
    assert desk.last.at(1).bids == ()
    other = Desk(WAR, 2)
    other.do("stage opened", format="swiss", players=(1, 2))
    other.pair((1, 2))
    other.refused("sides bid", "sides are not bid for in this stage", **sale | {"player": 2})


def test_the_cut_is_of_players_who_are_still_here() -> None:
    desk = Desk(players=4, rounds=1)
    desk.pair((1, 2), (3, 4))
    desk.refused("cut", "round 1 has started; end it, or take it back, before the cut", players=(1, 3))
    desk.refused("stage opened", "before a stage is opened", format="swiss", players=(1, 2, 3, 4))
    desk.refused("event ended", "before the event is ended")
    desk.wins(1, 3)
    desk.do("player dropped", player=3)
    desk.refused("cut", "player 3 is not", players=(1, 3))
    desk.refused("cut", "two or more, each once", players=(1,))
    desk.refused("cut", "two or more, each once", players=(1, 1))
    desk.do("cut", players=(1, 4))
    desk.do("player dropped", player=4)
    desk.refused("stage opened", "player 4 of the cut has left", format="single elimination", players=(1, 4))
    desk.do("player returned", player=4, why="was at the bar")
    desk.do("stage opened", format="single elimination", players=(1, 4))
    assert (desk.event.stage.cut, desk.event.cut) == (True, ())


NUMBERS = st.integers(-1, 4)
OTHERS: list[object] = ["", "x", None, 1.5, [], [1, 2], {}, [{"table": 1, "players": [1, 2]}]]
SOMETHING: st.SearchStrategy[object] = st.one_of(NUMBERS, NUMBERS, st.sampled_from(OTHERS))
LIKELY = {"who": st.just("x"), "why": st.just("x"), "at": st.just(1)}
TWO = Desk(WAR, 2, rounds=1).event


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.data())
def test_whatever_comes_as_an_act_is_read_or_refused(kind: str, data: st.DataObject) -> None:
    members = {name: LIKELY.get(name, SOMETHING) for name in KINDS[kind].__dataclass_fields__}
    value = data.draw(st.fixed_dictionaries(members)) | {"act": kind}
    with suppress(Refused):
        assert isinstance(read_act(value).on(TWO), Event)
