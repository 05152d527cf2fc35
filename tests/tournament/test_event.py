"""A whole event: 16 players, four single-sided Swiss rounds, a cut to four, and what goes wrong on such a day."""

from __future__ import annotations

import json

import pytest

from referee.errors import NotNow
from referee.tournament import Result, cut_to, draw_round, ends_at, final_standings, review, seeding, standings, why
from referee.tournament.acts import fold, read_act
from referee.tournament.clock import MINUTE
from referee.tournament.event import Seats
from referee.tournament.results import Game
from referee.tournament.settings import Settings
from tests.tournament.chance import draw
from tests.tournament.desk import Desk

WAR = Settings(
    sides=("Free Peoples", "Shadow"),
    wins=("Ring", "military"),
    tiebreakers=("match points", "strength of schedule", "head to head", "kind of win", "lot"),
    minutes=240,
)


def stronger_win(desk: Desk) -> None:
    """Let the lower number win at each table that has no result yet."""
    for pairing in desk.last.pairings:
        if pairing.open:
            desk.result(pairing.table, Result(games=(Game(min(pairing.players), "Ring"),)), by="seats")


def test_a_whole_event() -> None:
    desk = Desk(WAR)
    for number in range(1, 17):
        desk.do("player added", player=number, club=number % 5 + 1, rating=2000 - number)
        if number != 16:
            desk.do("checked in", player=number)
    desk.do("stage opened", format="swiss", sides="assigned", players=seeding(desk.event, 3), rounds=4, seed=3)
    first_round_with_a_late_entry(desk)
    second_round_taken_back_and_paired_again(desk)
    third_round_with_a_drop_and_a_corrected_result(desk)
    draw(desk, 104)
    assert max(map(abs, desk.balances().values())) <= 1
    stronger_win(desk)
    desk.do("round ended", round=4)
    cut_to_four(desk)
    assert fold(read_act(json.loads(line)) for line in desk.record) == desk.event


def first_round_with_a_late_entry(desk: Desk) -> None:
    """Fifteen are paired; the sixteenth comes before the start, and plays whoever had the bye."""
    draw(desk, 101, start=False)
    desk.do("round published", round=1)
    bye = desk.last.pairings[-1].players[0]
    desk.do("checked in", player=16)
    desk.do("round unpublished", round=1, why="player 16 has come")
    desk.refused("round published", "player 16 is not paired", round=1)
    desk.do("pairing changed", round=1, pairings=(Seats(8, (16, bye)),), why="player 16 has come")
    assert review(desk.event, 1) == ()
    desk.start()
    started = desk.last.started
    assert ends_at(desk.event, 1, 3) == started + 240 * MINUTE
    desk.do("call opened", table=3)
    desk.do("call claimed", call=1, who="judge 1")
    desk.do("call resolved", call=1, who="judge 1", why="a card was read wrongly")
    desk.do("extension", who="judge 1", round=1, table=3, ms=6 * MINUTE, why="a long ruling")
    assert ends_at(desk.event, 1, 3) == started + 246 * MINUTE
    assert ends_at(desk.event, 1, 4) == started + 240 * MINUTE
    stronger_win(desk)
    desk.do("round ended", round=1)


def second_round_taken_back_and_paired_again(desk: Desk) -> None:
    """The wrong pairings are published; they are taken back, and the round is drawn with another seed."""
    draw(desk, 102)
    wrong = desk.last.pairings
    desk.do("round unpublished", round=2, why="the projector showed an old list")
    assert ends_at(desk.event, 2, 1) == 0
    draw(desk, 202)
    assert desk.last.pairings != wrong
    assert desk.last.number == 2
    assert review(desk.event, 2) == ()
    stronger_win(desk)
    desk.do("round ended", round=2)


def third_round_with_a_drop_and_a_corrected_result(desk: Desk) -> None:
    """One leaves, so one has a bye; a result was keyed for the wrong seat."""
    desk.do("player dropped", player=12)
    draw(desk, 103)
    assert sum(pairing.bye for pairing in desk.last.pairings) == 1
    wrong = desk.last.at(1)
    desk.result(1, Result(games=(Game(max(wrong.players), "military"),)), by="seats")
    desk.refused("round ended", "expected the results of tables 2, 3, 4, 5, 6 and 7", round=3)
    stronger_win(desk)
    desk.do("round ended", round=3)
    before = standings(desk.event, desk.event.stage)
    desk.do("result taken back", round=3, table=1, who="judge 1", why="wrong seat keyed")
    desk.result(1, Result(games=(Game(min(wrong.players), "Ring"),)), by="judge")
    assert standings(desk.event, desk.event.stage) != before
    assert len(desk.last.at(1).former) == 1


def cut_to_four(desk: Desk) -> None:
    """The best of the Swiss rounds has left, so the fifth goes on; sides are bid for."""
    rows = standings(desk.event, desk.event.stage)
    second, third = rows[1].player, rows[2].player
    sentences = why(desk.event, desk.event.stage, third, second)
    assert sentences[0] == f"Player {second} is 2nd, Player {third} is 3rd."
    assert sum(sentence.startswith("Decided by ") for sentence in sentences) == 1
    desk.do("player dropped", player=rows[0].player)
    four = cut_to(desk.event, 4)
    assert four == tuple(row.player for row in rows[1:5])
    desk.do("cut", players=four)
    desk.do(
        "stage opened",
        format="single elimination",
        sides="bid",
        match="best of three",
        players=seeding(desk.event, 3),
    )
    draw(desk, 105)
    assert {pairing.players for pairing in desk.last.pairings} == {(four[0], four[3]), (four[1], four[2])}
    play_best_of_three(desk)
    with pytest.raises(NotNow, match="it is played out"):
        draw_round(desk.event, 107)
    desk.do("event ended")
    final = final_standings(desk.event)
    finalists = sorted(min(pair) for pair in ((four[0], four[3]), (four[1], four[2])))
    assert [(row.place, row.player) for row in final[:2]] == [(1, finalists[0]), (2, finalists[1])]
    assert [row.player for row in final[4:]] == [row.player for row in rows if row.player not in four]
    desk.refused("round paired", "The event is over", pairings=(Seats(1, four[:2]),))


def play_best_of_three(desk: Desk) -> None:
    """Play the semifinals and the final: sides of the first and of a tie-break game are bid for."""
    for number in (5, 6):
        for pairing in desk.last.pairings:
            sale = {"round": number, "table": pairing.table, "side": "Shadow"}
            desk.do("sides bid", **sale, game=1, bids=(0, 1, 2))
            assert desk.last.at(pairing.table).bids[0].player == pairing.players[0]
            one, other = sorted(pairing.players)
            desk.do("sides bid", **sale, game=3, bids=(0, 1))
            desk.result(pairing.table, Result(games=(Game(one, "Ring"), Game(other, "Ring"), Game(one, "military"))))
        desk.do("round ended", round=number)
        if number == 5:
            draw(desk, 106)
