"""Standings: against a reckoning from the record alone, and worked examples of the sources."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from referee.tournament import cut_to, final_standings, standings
from referee.tournament.acts import fold, read_act
from referee.tournament.event import Event
from referee.tournament.results import Game, Result
from referee.tournament.settings import Points, Settings, TieBreaker
from referee.tournament.standings import TIEBREAKERS as COMPUTED
from tests.tournament.chance import draw, some_event
from tests.tournament.desk import Desk
from tests.tournament.oracle import Oracle

TIEBREAKERS: tuple[TieBreaker, ...] = tuple(COMPUTED)
SPLIT = Points(split=6, bye=6)


def place_of(event: Event) -> dict[int, int]:
    return {row.player: row.place for row in standings(event, event.stage)}


def order_of(event: Event) -> list[int]:
    return [row.player for row in standings(event, event.stage)]


def same_as_reckoned(seed: int) -> None:
    desk = some_event(seed)
    rows = standings(desk.event, desk.event.stage)
    oracle = Oracle(desk.record)
    assert [(row.place, row.player) for row in rows] == oracle.standings(), (seed, desk.event.stage.format)
    for row in rows:
        for name, value in row.values.items():
            if name not in ("head to head", "lot", "how far", "seed"):
                expected = oracle.value(name, row.player, [])
                assert list(value) == (expected if name == "kind of win" else [expected]), (seed, name)
    assert fold(read_act(json.loads(line)) for line in desk.record) == desk.event


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_events_of_every_format_stand_as_reckoned(first: int) -> None:
    for seed in range(first, first + 20):
        same_as_reckoned(seed)


@pytest.mark.long
def test_a_thousand_events_of_every_format_stand_as_reckoned() -> None:
    for seed in range(1000, 2000):
        same_as_reckoned(seed)


def test_strength_has_a_floor_and_byes_are_no_opponents() -> None:
    # Magic tournament rules, appendix C: shares of 2/2, of a third at least, and a bye that is left out.
    desk = Desk(Settings(tiebreakers=("match points", "strength of schedule")), 3, rounds=3)
    desk.pair((1, 2), (3,))
    desk.wins(1)
    desk.pair((1, 3), (2,))
    desk.wins(1)
    values = {row.player: row.values["strength of schedule"][0] for row in standings(desk.event, desk.event.stage)}
    assert values == {1: Fraction(1, 2), 2: Fraction(1), 3: Fraction(1)}  # 2 and 3 won 3 of 6 by their byes
    desk.do("player dropped", player=3)
    desk.pair((2, 1))
    desk.wins(1)
    values = {row.player: row.values["strength of schedule"][0] for row in standings(desk.event, desk.event.stage)}
    assert values[1] == (Fraction(1, 3) + Fraction(1, 2) + Fraction(1, 3)) / 3  # 2 has 3 of 9: the floor


def test_buchholz_of_a_bye_and_of_who_left() -> None:
    desk = Desk(Settings(tiebreakers=("match points", "buchholz", "median buchholz")), 3, rounds=3)
    desk.pair((1, 2), (3,))
    desk.wins(1)
    desk.pair((2, 3), (1,))
    desk.wins(2)
    desk.do("player dropped", player=3)
    desk.pair((1, 2))
    desk.wins(0)
    rows = {row.player: row.values for row in standings(desk.event, desk.event.stage)}
    assert {player: int(values["match points"][0]) for player, values in rows.items()} == {1: 7, 2: 4, 3: 3}
    assert rows[1]["buchholz"][0] == 4 + 7 + 4  # 2, a bye, 2
    assert rows[2]["buchholz"][0] == 7 + (3 + 1) + 7  # 1, 3 who left with 3 and draws round 3, 1
    assert rows[2]["median buchholz"][0] == 7


def test_a_missed_round_counts_half_of_the_points_a_match_shares() -> None:
    """M: 3 of 6, though a draw of an event without shares would be 1."""
    desk = Desk(Settings(points=SPLIT, tiebreakers=("match points", "buchholz")), 4, rounds=2)
    desk.pair((1, 3), (2, 4))
    for table, winner in ((1, 1), (2, 2)):
        desk.result(table, Result(games=(Game(winner, points=(5, 1)),)))
    desk.do("round ended", round=1)
    desk.do("player dropped", player=3)
    desk.pair((1, 2), (4,))
    desk.result(1, Result(games=(Game(1, points=(4, 2)),)))
    desk.do("round ended", round=2)
    rows = {row.player: row.values for row in standings(desk.event, desk.event.stage)}
    assert rows[1]["buchholz"][0] == (1 + 3) + 7  # 3, who missed round 2, and 2


def test_head_to_head_counts_where_all_who_are_tied_have_met() -> None:
    desk = Desk(Settings(tiebreakers=("match points", "head to head")), 4, rounds=3)
    desk.pair((1, 2), (3, 4))
    desk.wins(2, 4)
    desk.pair((1, 3), (2, 4))
    desk.wins(1, 4)
    assert place_of(desk.event) == {4: 1, 2: 2, 1: 3, 3: 4}  # 2 has beaten 1
    desk.pair((1, 4), (2, 3))
    desk.wins(1, 3)
    assert place_of(desk.event) == {1: 1, 4: 2, 3: 3, 2: 4}  # 1 has beaten 4, and 3 has beaten 2


def test_equals_share_a_place_without_a_lot_and_none_with_it() -> None:
    desk = Desk(Settings(tiebreakers=("match points",)), 4, rounds=1)
    desk.pair((1, 2), (3, 4))
    desk.wins(2, 4)
    assert place_of(desk.event) == {2: 1, 4: 1, 1: 3, 3: 3}
    desk = Desk(Settings(tiebreakers=("match points", "lot")), 4, rounds=1)
    desk.pair((1, 2), (3, 4))
    desk.wins(0, 0)
    assert sorted(place_of(desk.event).values()) == [1, 2, 3, 4]


def test_a_penalty_of_points_does_not_punish_opponents() -> None:
    desk = Desk(Settings(tiebreakers=("match points", "strength of schedule")), 2, rounds=1)
    desk.pair((1, 2))
    desk.wins(1)
    desk.do("penalty", player=1, penalty="points", points=4, why="abuse")
    rows = {row.player: row.values for row in standings(desk.event, desk.event.stage)}
    assert rows[1]["match points"][0] == -1
    assert rows[2]["strength of schedule"][0] == 1


def test_who_is_disqualified_is_not_listed() -> None:
    desk = Desk(players=2, rounds=1)
    desk.pair((1, 2))
    desk.wins(1)
    desk.do("penalty", player=2, penalty="disqualification", why="loaded die")
    assert place_of(desk.event) == {1: 1}


def test_an_elimination_stands_by_how_far_and_then_by_seed() -> None:
    desk = Desk(players=4, format="single elimination")
    assert order_of(desk.event) == [1, 2, 3, 4]
    desk.pair((1, 4), (2, 3))
    desk.wins(4, end=False)
    assert order_of(desk.event) == [4, 2, 3, 1]  # 2 and 3 play on
    desk.result(2, Result(games=(Game(3),)))
    assert order_of(desk.event) == [3, 4, 1, 2]
    desk.do("round ended", round=1)
    desk.pair((3, 4))
    desk.wins(4)
    assert place_of(desk.event) == {4: 1, 3: 2, 1: 3, 2: 4}


def test_nobody_has_a_place_before_the_first_result() -> None:
    for stage_format in ("swiss", "round robin", "single elimination", "double elimination", "pods"):
        desk = Desk(players=4, format=stage_format)
        assert set(place_of(desk.event).values()) == {0}
        draw(desk)
        rows = final_standings(desk.event)
        assert {row.place for row in rows} == {0}


def test_a_new_stage_counts_from_its_first_result_on() -> None:
    desk = Desk(players=4, rounds=1)
    desk.pair((1, 2), (3, 4))
    desk.wins(1, 0)
    before = final_standings(desk.event)
    assert before[0].player == 1
    desk.do("stage opened", format="swiss", players=(4, 3, 2, 1))
    assert final_standings(desk.event) == before
    desk.enter([5])
    desk.pair((1, 2), (3, 4), (5,))
    assert [(row.place, row.player) for row in final_standings(desk.event)][-1] == (0, 5)
    desk.wins(2, end=False)
    assert final_standings(desk.event)[0].player == 2


def test_who_is_in_a_later_stage_stands_before_who_is_not() -> None:
    desk = Desk(players=5, rounds=1)
    desk.pair((1, 2), (3, 4), (5,))
    desk.wins(1, 3)
    best = order_of(desk.event)
    desk.do("player dropped", player=best[1])
    assert cut_to(desk.event, 2) == (best[0], best[2])
    desk.do("player returned", player=best[1], why="the bus had left")
    desk.do("cut", players=(2, 4))
    desk.do("stage opened", format="round robin", players=(2, 4))
    desk.pair((2, 4))
    desk.wins(4)
    assert [(row.place, row.player) for row in final_standings(desk.event)][:2] == [(1, 4), (2, 2)]
    assert [row.place for row in final_standings(desk.event)] == [1, 2, 3, 4, 5]
