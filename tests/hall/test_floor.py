"""A table and the desk: calls, slips and challenges from a box, and what the desk decides on its glass."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from referee.journal.notes import Notes
from referee.station.virtual.bench import Bench
from referee.tournament import Game, Result, Seats, draw_round
from referee.tournament.acts.matches import ChallengeRejected, ResultEntered, ResultTakenBack
from referee.tournament.acts.people import BoxPlaced, CallClaimed, CallResolved, PenaltyGiven
from referee.tournament.acts.rounds import (
    ExtensionGiven,
    PairingChanged,
    RoundEnded,
    RoundPaired,
    RoundPublished,
    RoundStarted,
)
from tests.hall.table import MARK, TABLE, Floor
from tests.hall.visitor import at_desk_of


def called(bench: Bench) -> None:
    """Call a judge."""
    bench.inbox.put(lambda: bench.console.learn(bench.console.event.call_judge))
    bench.settle()
    bench.wait(1.0)


def test_a_judge_is_called_from_the_menu_once(floor: Floor) -> None:
    floor.bench.wait(1.0)
    floor.bench.hold("back", 0.6)
    floor.bench.key("6", "2", "1")
    assert "A judge was called" in floor.bench.text
    floor.carry()
    (call,) = floor.desk.event.calls
    assert (call.table, call.resolved) == (TABLE, 0)
    assert len(floor.notes("call")) == 1
    floor.restarted()
    assert len(floor.desk.event.calls) == 1
    assert floor.box.refused == []


def test_what_is_decided_stands_on_the_glass_and_once_in_the_journal(floor: Floor) -> None:
    bench, desk = floor.bench, floor.desk
    called(bench)
    bench.key("select")
    floor.carry()
    desk.perform(CallClaimed(**MARK, call=1))
    floor.carry()
    assert "A judge comes" in bench.text
    bench.key("select")
    desk.perform(CallResolved(**MARK, call=1), ExtensionGiven(**MARK, round=1, table=TABLE, ms=300_000))
    desk.perform(ExtensionGiven(**MARK, round=1, table=4, ms=60_000))  # of another table
    floor.carry()
    assert "+5 min as ruled" in bench.text
    bench.key("select")
    assert "Ruling" in bench.text
    floor.carry()
    floor.restarted()
    orders = [(each["what"], each["ms"], each["by"]) for each in floor.notes("order")]
    assert orders == [("coming", 0, "judge 2"), ("ruling", 0, "judge 2"), ("extension", 300_000, "judge 2")]


def test_both_seats_confirm_the_slip_and_the_desk_has_it(floor: Floor) -> None:
    first, second = floor.pairing.players
    floor.slip("2")
    assert f"Free Peoples: {floor.desk.names.player(first)}" in floor.bench.text
    assert floor.bench.lamps["seat-1"] == "blink"
    floor.bench.key("select", "seat-2")  # neither Select nor the other seat confirms
    assert floor.notes("slip") == []
    floor.bench.key("seat-1")
    assert f"Shadow: {floor.desk.names.player(second)}" in floor.bench.text
    floor.bench.key("seat-2")
    assert "It will be sent" in floor.bench.text
    floor.carry()
    assert floor.pairing.result == Result(games=(Game(first, "military"),))
    act = floor.desk.acts[-1]
    assert isinstance(act, ResultEntered)
    assert (act.by, act.who) == ("seats", "table 3")
    (slip,) = floor.notes("slip")
    (note,) = [each for each in Notes(floor.bench.journal, 1).read() if "slip" in each.extra]
    seq, head = floor.bench.journal.head(1)
    assert note.extra["of"] == {"game": 1, "seq": seq, "hash": head}
    assert slip["players"] == [first, second]
    assert floor.desk.names.player(first) not in json.dumps(slip)
    floor.restarted()
    assert floor.pairing.former == ()


def test_a_slip_that_differs_from_the_desks_result_challenges_it(floor: Floor) -> None:
    first, second = floor.pairing.players
    keyed = Result(games=(Game(second, "Ring"),))
    floor.desk.perform(ResultEntered(**MARK, round=1, table=TABLE, result=keyed, by="scorekeeper"))
    floor.slip("1", "seat-1", "seat-2")
    floor.carry()
    assert floor.pairing.result == keyed
    assert floor.pairing.challenged == f"the slip of the table says: player {first} won: Ring"
    floor.desk.perform(ResultTakenBack(**MARK, round=1, table=TABLE))
    floor.restarted()
    assert floor.pairing.result is None  # a slip is taken once


def test_a_penalty_is_told_at_the_table_of_its_player(floor: Floor) -> None:
    player = floor.pairing.players[1]
    floor.desk.perform(PenaltyGiven(**MARK, player=player, penalty="warning"))
    floor.carry()
    assert f"{floor.desk.names.player(player)}: warning. as ruled" in floor.bench.text
    assert floor.notes("order")[0]["text"] == f"Player {player}: warning. as ruled", "no journal has names"


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"round": 0}, "round: expected its number"),
        ({"round": "1"}, "round: expected its number"),
        ({"players": []}, "players: expected their numbers"),
        ({"players": [1, 99]}, "who do not meet in round 1"),
        ({"result": {"games": [{"winner": 99}]}}, "99"),
        ({"result": {"outcome": "no-show", "fault": [1]}}, "expected"),
        ({"result": []}, "expected an object"),
    ],
)
def test_a_slip_that_cannot_be_is_told(floor: Floor, members: dict[str, Any], why: str) -> None:
    players = list(floor.pairing.players)
    slip = {"round": 1, "players": players, "result": {"games": [{"winner": players[0], "kind": "Ring"}]}}
    Notes(floor.bench.journal, 1).add({"slip": slip | members})
    floor.carry()
    assert floor.pairing.result is None
    ((kind, text),) = floor.box.refused
    assert kind == "slip"
    assert why in text


def early_slip(floor: Floor, round_: int, players: Sequence[int]) -> str:
    """Write a slip of a round, with these players, and carry it; return what stands in *What to look into*."""
    result = {"games": [{"winner": players[0], "kind": "Ring"}]}
    Notes(floor.bench.journal, 1).add({"slip": {"round": round_, "players": list(players), "result": result}})
    floor.carry()
    assert floor.box.refused == []
    assert "waits for the desk" in floor.boxes.warning()
    return waits_for(floor)


def waits_for(floor: Floor) -> str:
    ((_, why),) = floor.boxes.view()["early"]
    return str(why)


def test_a_slip_that_comes_before_its_round_counts_once_it_is_started(floor: Floor) -> None:
    desk = floor.desk
    desk.perform(RoundEnded(**MARK, round=1))
    pairings = draw_round(desk.event, 1)
    players = next(each.players for each in pairings if each.table == TABLE)
    assert early_slip(floor, 2, players) == "It waits until round 2 is published"
    desk.perform(RoundPaired(**MARK, pairings=pairings, seed=1))
    floor.carry()
    assert waits_for(floor) == "It waits until round 2 is published"
    floor.restarted()  # it waits after a restart of the hall, too
    desk.perform(RoundPublished(**MARK, round=2))
    floor.carry()
    assert waits_for(floor) == "It waits until round 2 is started"
    desk.perform(RoundStarted(**MARK, round=2))
    floor.carry()
    pairing = desk.event.rounds[1].at(TABLE)
    assert pairing.result == Result(games=(Game(players[0], "Ring"),))
    assert floor.boxes.view()["early"] == []
    assert "waits" not in floor.boxes.warning()
    acts = len(desk.acts)
    floor.restarted()
    assert len(desk.acts) == acts, "it counts once"


def test_a_slip_of_a_box_at_the_wrong_table_counts_once_it_is_placed(floor: Floor) -> None:
    desk, players = floor.desk, floor.pairing.players
    desk.perform(BoxPlaced(**MARK, table=TABLE, box=""))
    assert early_slip(floor, 1, players) == "It waits until this box is placed at a table"
    desk.perform(BoxPlaced(**MARK, table=4, box=floor.key))
    floor.carry()
    assert "others sit at table 4" in waits_for(floor)
    desk.perform(BoxPlaced(**MARK, table=4, box=""), BoxPlaced(**MARK, table=TABLE, box=floor.key))
    floor.carry()
    assert floor.pairing.result == Result(games=(Game(players[0], "Ring"),))
    assert desk.event.rounds[0].at(4).result is None


def test_a_slip_that_waits_counts_no_more_once_a_later_round_is_published(floor: Floor) -> None:
    desk = floor.desk
    desk.perform(BoxPlaced(**MARK, table=TABLE, box=""))
    early_slip(floor, 1, floor.pairing.players)
    desk.perform(RoundEnded(**MARK, round=1))
    desk.perform(RoundPaired(**MARK, pairings=draw_round(desk.event, 1), seed=1), RoundPublished(**MARK, round=2))
    floor.carry()
    assert floor.boxes.view()["early"] == []
    ((kind, text),) = floor.box.refused
    assert kind == "slip"
    player = floor.pairing.players[0]
    said = "It came after round 2 was published. If it counts, enter it on Rounds, 1"
    assert text == f"{said}, table {TABLE}: player {player} won: Ring"
    late = ResultEntered(**MARK, round=1, table=TABLE, result=Result(games=(Game(player, "Ring"),)), by="scorekeeper")
    desk.perform(late)  # as the desk does on that page
    assert floor.pairing.result == late.result


def test_a_result_is_challenged_at_the_table_and_a_judge_decides(floor: Floor) -> None:
    floor.slip("1", "seat-1", "seat-2", "select")
    floor.carry()
    floor.bench.key("select")  # the desk's own word of it
    floor.bench.wait(1.0)
    floor.bench.hold("back", 0.5)
    floor.bench.key("6", "2", "4")
    floor.bench.wait(1.0)
    floor.bench.hold("select", 1.1)
    floor.carry()
    assert floor.pairing.challenged == "challenged at the table"
    floor.desk.perform(ChallengeRejected(**MARK, round=1, table=TABLE))
    assert floor.pairing.challenged == ""
    assert floor.pairing.result is not None
    floor.carry()
    assert "Rejected: as ruled" in floor.bench.text


def test_a_call_stops_the_clocks_if_the_event_says_so(floor: Floor) -> None:
    console = floor.bench.console
    assert console.event.seating is not None
    console.event.seat(console.event.seating._replace(stops=True))
    floor.bench.wait(1.0)
    called(floor.bench)
    clocks = console.table.clocks.keeper.clocks
    assert clocks is not None
    assert clocks.paused == "pause"
    floor.bench.key("select")
    assert "Pause" in floor.bench.text


def test_a_game_says_of_which_match_it_is_once_when_it_begins(floor: Floor) -> None:
    said = {"round": 1, "table": TABLE, "players": list(floor.pairing.players)}
    assert floor.notes("match") == [said]
    floor.bench.key("1", "1")
    floor.restarted()
    assert floor.notes("match") == [said]
    assert floor.boxes.seen(floor.key).board["title"] == "War of the Ring"


def test_a_game_that_began_before_the_hall_was_heard_is_of_no_match(early: Floor) -> None:
    seating, early.bench.console.event.seating = early.bench.console.event.seating, None
    early.bench.key("back")
    early.bench.play("war-of-the-ring")
    early.bench.console.event.seating = seating
    early.bench.wait(1.0)
    early.bench.key("1", "1")
    early.carry()
    assert early.notes("match") == []
    assert early.boxes.shown(early.key).board != {}
    assert early.boxes.seen(early.key).board == {}


def exchange(floor: Floor) -> tuple[int, int]:
    """Exchange who sits second at the table with who sits second at the next one; return who sits there now."""
    here, there = floor.pairing.players, floor.desk.event.rounds[0].at(TABLE + 1).players
    seats = (Seats(TABLE, (here[0], there[1])), Seats(TABLE + 1, (there[0], here[1])))
    floor.desk.perform(PairingChanged(**MARK, round=1, pairings=seats))
    return seats[0].players[0], seats[0].players[1]


@pytest.mark.parametrize("confirmed", [(), ("seat-1",)])
def test_a_slip_of_a_pairing_that_is_changed_leaves_the_glass_and_is_not_sent(
    floor: Floor, confirmed: tuple[str, ...]
) -> None:
    floor.slip("1", *confirmed)
    players = exchange(floor)
    floor.carry()
    assert "The pairing has changed: enter the result again" in floor.bench.text
    floor.bench.wait(1.0)
    floor.bench.key("seat-1", "seat-1", "seat-2", "seat-2")
    floor.carry()
    assert floor.notes("slip") == []
    assert floor.pairing.result is None
    floor.bench.key("back")  # the menu
    floor.slip("1", "seat-1", "seat-2")
    floor.carry()
    assert floor.notes("slip")[0]["players"] == list(players)
    assert floor.pairing.result is not None


def test_a_slip_that_was_confirmed_before_the_box_heard_of_the_change_is_refused_and_named(floor: Floor) -> None:
    before = floor.pairing.players
    exchange(floor)  # the box has not heard of it
    floor.slip("1", "seat-1", "seat-2")
    assert "It will be sent once the hall can be reached" in floor.bench.text
    floor.carry()
    assert floor.notes("slip")[0]["players"] == list(before)
    assert floor.pairing.result is None
    names = " and ".join(floor.desk.names.player(each) for each in before)
    said = f"It is of {names}, who do not meet in round 1"
    assert said in at_desk_of(floor.desk, served=floor.served).get("/boxes").words.replace(" ,", ",")
    ((kind, why),) = floor.box.refused
    assert (kind, floor.bench.console.event.named(why)) == ("slip", said)
    floor.restarted()
    for _ in range(8):
        if floor.bench.console.table.prompt is None or "Free Peoples" not in floor.bench.text:
            floor.bench.key("select")
    floor.slip("1", "seat-1", "seat-2")
    floor.carry()
    assert floor.pairing.result is not None
