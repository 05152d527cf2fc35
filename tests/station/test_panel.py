"""What the browser is told beside the glass."""

from __future__ import annotations

from referee.games import load
from referee.session import Session
from referee.station.news import log_message, table_message
from referee.station.virtual.bench import Bench
from referee.web.hub import Message


def battle() -> Session:
    session = Session(load("war-of-the-ring"), ruling="battle")
    for answer in ("shadow", "field", 5, 2, 1, 4, 0, 0):
        session.answer(answer)
    return session


def test_between_rolls_the_table_tells_how_it_will_all_come_out() -> None:
    message = table_message(battle(), simulated=True)
    assert message["odds_of"] == "outcome"
    assert message["assumes"] == load("war-of-the-ring").assumes.text != ""
    assert [row["text"] for row in message["odds"]] == ["Free Peoples out", "Shadow out", "Both Armies out"]
    assert abs(sum(row["share"] for row in message["odds"]) - 1) < 1e-9
    assert {row["chance"] for row in message["odds"]} == {""}


def test_a_roll_tells_its_own_odds() -> None:
    session = battle()
    session.answer("none")
    session.answer("none")
    message = table_message(session, simulated=True)
    assert (message["odds_of"], message["assumes"]) == ("roll", "")
    assert [row["text"] for row in message["odds"]][:2] == ["0 hits", "1 hit"]
    assert message["odds"][0]["chance"] == "32/243"


def test_odds_are_told_over_one_denominator() -> None:
    strike = Session(load("middle-earth-the-wizards"), ruling="strike")
    for answer in ("4/7", "12"):
        strike.answer(answer)
    told = [row["chance"].split("/") for row in table_message(strike, simulated=True)["odds"]]
    assert len({whole for _, whole in told}) == 1
    assert sum(int(part) for part, _ in told) == int(told[0][1]) > 36


def test_odds_of_a_single_die_are_told_over_six() -> None:
    """G8: one die that is thrown again hits with 1/6, not 6/36."""
    roll = Session(load("war-of-the-ring"), ruling="battle")
    for answer in ("shadow", "field", 1, 0, 0, 5, 0, 0, "none", "none"):
        roll.answer(answer)
    assert [row["chance"] for row in table_message(roll, simulated=True)["odds"]] == ["4/6", "2/6"]


def test_seats_have_the_names_that_are_on_their_buttons() -> None:
    session = Session(load("riddle-of-the-ring"))
    assert table_message(session, simulated=True)["prompt"]["seat"] == "Table"
    for answer in (2, "br1", "frodo", "end-turn"):
        session.answer(answer)
    session.undo()
    assert table_message(session, simulated=True)["prompt"]["seat"] == "Black Rider 1"
    entries = log_message(session, {})["entries"]
    assert [entry["seat"] for entry in entries if entry["kind"] == "answer"] == [
        "Table",
        "Table",
        "Table",
        "Black Rider 1",
    ]


def test_whose_turn_it_is_is_told_and_then_why_it_is_over(bench: Bench) -> None:
    told: list[Message] = []
    bench.hub.subscribe(told.extend)

    def table() -> Message:
        bench.settle()
        return [message for message in told if message["type"] == "table"][-1]

    assert (table()["turn"], table()["over"]) == ("", "")
    bench.play("battle-of-the-ring")
    bench.wait(1)
    while not table()["card"]["whose"]:
        bench.key("select")
    assert (table()["turn"], table()["over"]) == ("Sauron", "")
    for seat in ("sauron", "saruman"):
        bench.console.table.concede(seat)
    bench.console.stage.number()
    bench.inbox.put(bench.hub.announce)
    assert (table()["turn"], table()["over"]) == ("", "Nobody else is left.")
