"""Whole tournaments of random results, drops, returns and late entries: every round comes out, and is the best."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import NotNow
from referee.tournament import Blemish, draw_round, review, seeding
from referee.tournament.event import Seats
from referee.tournament.pairing.draw import round_robin
from referee.tournament.pairing.swiss import entrants
from referee.tournament.results import Result
from referee.tournament.settings import Settings
from tests.tournament.chance import draw, some_event
from tests.tournament.desk import Desk

WAR = Settings(sides=("Free Peoples", "Shadow"))


def nothing_avoidable(desk: Desk) -> None:
    assert [blemish for blemish in review(desk.event, desk.last.number) if blemish.avoidable] == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 99999))
def test_every_round_comes_out_and_has_nothing_avoidable(seed: int) -> None:
    some_event(seed, look=nothing_avoidable)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(st.integers(2, 60), st.integers(1, 12), st.integers(0, 9999), st.sampled_from(["none", "assigned", "bid"]))
def test_every_round_of_a_large_field_comes_out(count: int, rounds: int, seed: int, sides: str) -> None:
    some_event(seed, count, nothing_avoidable, format="swiss", match="one game", sides=sides, rounds=rounds)


def test_four_players_play_on_when_everybody_has_met() -> None:
    desk = Desk(players=4, rounds=9)
    seen = []
    for i in range(9):
        draw(desk, i)
        seen.append({frozenset(pairing.players) for pairing in desk.last.pairings})
        desk.wins(*(min(pairing.players) for pairing in desk.last.pairings))
    for i in range(0, 9, 3):
        assert len(set.union(*seen[i : i + 3])) == 6  # everybody meets everybody before anybody meets again


def test_sides_are_even_in_single_sided_rounds() -> None:
    rng = random.Random(5)
    desk = Desk(WAR, 16, sides="assigned", rounds=6)
    for _ in range(6):
        draw(desk, rng.randrange(1000))
        desk.wins(*(rng.choice(pairing.players) for pairing in desk.last.pairings))
        assert {each.number: each.balance for each in entrants(desk.event, desk.event.stage)} == desk.balances()
        assert max(map(abs, desk.balances().values())) <= 1


def test_a_match_nobody_came_to_is_no_meeting_but_a_bye() -> None:
    desk = Desk(WAR, 3, sides="assigned", rounds=3)
    desk.pair((1, 2), (3,))
    desk.result(1, Result("no-show", fault=(1,)))
    desk.do("round ended", round=1)
    first, second, third = entrants(desk.event, desk.event.stage)
    assert (first.met, first.balance, first.byes) == ((), 0, 0)
    assert (second.byes, third.byes) == (1, 1)
    assert {seats.players for seats in draw_round(desk.event, 1) if not seats.table} == {(1,)}


def test_the_same_seed_draws_the_same_round_whatever_the_draft() -> None:
    desk = Desk(players=10, rounds=3)
    first = draw_round(desk.event, 4)
    draw(desk, 9, start=False)
    assert draw_round(desk.event, 4) == first != draw_round(desk.event, 9)


def test_a_round_robin_goes_on_without_who_left() -> None:
    desk = Desk(players=4, format="round robin")
    draw(desk)
    desk.wins(*(pairing.players[0] for pairing in desk.last.pairings))
    desk.do("player dropped", player=3)
    draw(desk)
    assert sorted(len(pairing.players) for pairing in desk.last.pairings) == [1, 2]
    assert review(desk.event, 2) == ()
    desk.wins(*(pairing.players[0] for pairing in desk.last.pairings if not pairing.bye))
    opponent = next(sum(pair) - 3 for pair in round_robin(range(1, 5), 2) if 3 in pair)
    desk.do("player dropped", player=opponent)
    draw(desk)  # the two who left would have met
    assert [len(pairing.players) for pairing in desk.last.pairings] == [2]


def test_nobody_left_and_a_bracket_that_waits_are_said() -> None:
    desk = Desk(players=2, format="swiss")
    for number in (1, 2):
        desk.do("player dropped", player=number)
    with pytest.raises(NotNow, match="nobody is left to pair"):
        draw_round(desk.event, 1)
    desk = Desk(players=2, format="single elimination")
    draw(desk)
    with pytest.raises(NotNow, match="results are missing, or everything is played"):
        draw_round(desk.event, 1)


def test_seeds_are_those_of_the_cut_or_by_rating_and_lot() -> None:
    desk = Desk(players=4)
    desk.do("player changed", player=3, rating=1500)
    assert seeding(desk.event, 1)[0] == 3
    assert {seeding(desk.event, seed)[1:] for seed in range(30)} > {(1, 2, 4), (4, 2, 1)}
    desk = Desk(players=4, rounds=1)
    draw(desk)
    desk.wins(*(pairing.players[0] for pairing in desk.last.pairings))
    desk.do("cut", players=(4, 2))
    assert seeding(desk.event, 1) == (4, 2)


def reviewed(desk: Desk, *tables: tuple[int, ...]) -> set[tuple[str, tuple[int, ...], bool]]:
    """Return what is said of a draft paired by hand."""
    desk.pair(*tables, start=False)
    return {(each.kind, each.players, each.avoidable) for each in review(desk.event, desk.last.number)}


def test_what_is_avoidable_is_named_and_what_is_not_too() -> None:
    desk = Desk(WAR, 5, sides="assigned", rounds=4)
    desk.pair((1, 2), (3, 4), (5,))
    desk.wins(1, 3)
    assert reviewed(desk, (1, 2), (3, 4), (5,)) == {
        *{("rematch", (1, 2), True), ("same sides", (1, 2), True), ("sides", (1, 2), True)},
        *{("rematch", (3, 4), True), ("same sides", (3, 4), True), ("sides", (3, 4), True)},
        ("second bye", (5,), True),
    }
    desk = Desk(players=2, rounds=2)
    desk.pair((1, 2))
    desk.wins(1)
    assert reviewed(desk, (1, 2)) == {("rematch", (1, 2), False)}


def test_a_rematch_in_every_better_round_is_not_avoidable() -> None:
    desk = Desk(players=6, rounds=12)
    met = [(1, 2), (3, 4), (5, 6), *[(1, other) for other in (3, 4, 5, 6)] * 2]
    for pair in met:
        desk.pair(pair, *[(player,) for player in range(1, 7) if player not in pair])
        desk.wins(pair[0])
    rematches = {
        (each, avoidable) for kind, each, avoidable in reviewed(desk, (1, 2), (3, 4), (5, 6)) if kind == "rematch"
    }
    assert rematches == {((1, 2), False), ((3, 4), True), ((5, 6), True)}  # 1 has met all others more often


def test_a_drawn_round_is_changed_by_hand_and_reviewed_again() -> None:
    desk = Desk(WAR, 6, sides="assigned", rounds=3)
    draw(desk, 1)
    desk.wins(*(pairing.players[0] for pairing in desk.last.pairings))
    draw(desk, 2, start=False)
    assert review(desk.event, 2) == ()
    one, other = desk.last.at(1).players
    desk.do("pairing changed", round=2, pairings=(Seats(1, (other, one)),), why="they sat down so")
    assert review(desk.event, 2) == (Blemish("sides", 1, (other, one), True),)


BERGER = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
"""FIDE C.05, annex 1, for six players."""


def test_six_players_play_bergers_table() -> None:
    for i, line in enumerate(BERGER.split("\n")[1:-1]):
        pairs = {tuple(map(int, pair.split("-"))) for pair in line.split()}
        assert set(round_robin(range(1, 7), i)) == pairs


@pytest.mark.parametrize("count", range(2, 18))
def test_everybody_meets_once_and_sits_first_every_other_time(count: int) -> None:
    players = range(1, count + 1)
    length = count - 1 + count % 2
    rounds = [round_robin(players, i) for i in range(length)]
    for pairs in rounds:
        assert sorted(player for pair in pairs for player in pair) == list(players)
        assert sum(len(pair) == 1 for pair in pairs) == count % 2
    games = [pair for pairs in rounds for pair in pairs if len(pair) == 2]
    assert sorted(tuple(sorted(pair)) for pair in games) == list(combinations(players, 2))
    first = Counter(pair[0] for pair in games)
    second = Counter(pair[1] for pair in games)
    assert all(abs(first[player] - second[player]) <= 1 for player in players)
    for i in range(length):  # the second cycle, the seats exchanged
        assert round_robin(players, length + i) == [pair[::-1] for pair in rounds[i]]
