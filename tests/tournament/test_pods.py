"""Pods: their sizes, their draw against every draw there is, their points, and who did not come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import NotNow
from referee.tournament import draw_round, review, standings
from referee.tournament.event import Seats
from referee.tournament.pairing.draw import pod_sizes, pods, pods_cost
from referee.tournament.pairing.swiss import Entrant, entrants
from referee.tournament.results import Result
from referee.tournament.scoring import place_points
from referee.tournament.settings import Points, Settings
from tests.tournament.chance import draw
from tests.tournament.desk import Desk
from tests.tournament.test_swiss import fields

SPREAD = Settings(points=Points(places=(12, 6, 3, 0), bye=5), tiebreakers=("match points", "strength of schedule"))


@pytest.mark.parametrize("byes", [False, True])
def test_pods_have_three_players_at_least_and_as_many_as_set(byes: bool) -> None:
    for most, count in product((3, 4, 5, 6, 8), range(3, 61)):
        sizes = pod_sizes(count, most, byes=byes)
        seated = [size for size in sizes if size > 1]
        assert sum(sizes) == count
        assert min(seated) >= 3
        assert max(seated) - min(seated) <= 1
        possible = any(3 * pods <= count <= most * pods for pods in range(1, count))
        assert (max(seated) <= most) == (possible or byes)
        assert (len(seated) == len(sizes)) == (possible or not byes)


def every_draw(players: Sequence[Entrant], sizes: Sequence[int]) -> Iterator[list[tuple[Entrant, ...]]]:
    """Yield every way to deal players to pods of these sizes, some of them more than once."""
    if not sizes:
        yield []
        return
    for pod in combinations(players, sizes[0]):
        for rest in every_draw([each for each in players if each not in pod], sizes[1:]):
            yield [pod, *rest]


def faults(groups: Sequence[Sequence[Entrant]]) -> tuple[int, int]:
    """Return how far a draw breaks each rule of the docstring of `pods`, reckoned another way than there."""
    again = gaps = 0
    lowest = min(each.points for group in groups for each in group)
    for group in groups:
        for i, one in enumerate(group):
            if len(group) == 1:
                again += one.byes * one.byes
                gaps += (one.points - lowest) ** 2
            for other in group[:i]:
                often = sum(1 for opponent, _ in one.met if opponent == other.number)
                again += often * often
                gaps += abs(one.points - other.points) ** 2
    return again, gaps


def no_draw_is_better(players: list[Entrant], seed: int, most: int, byes: bool) -> None:
    drawn = pods(players, seed, most, byes=byes)
    assert sorted(each.number for pod in drawn for each in pod) == [each.number for each in players]
    assert [len(pod) for pod in drawn] == pod_sizes(len(players), most, byes=byes)
    best = min(map(faults, every_draw(players, [len(pod) for pod in drawn])))
    assert faults(drawn) == pods_cost(drawn) == best
    assert pods(players[::-1], seed, most, byes=byes) == drawn


@settings(max_examples=40, deadline=None)
@given(fields(most=7), st.integers(0, 99), st.sampled_from([3, 4, 5]), st.booleans())
def test_no_draw_of_seven_is_better(players: list[Entrant], seed: int, most: int, byes: bool) -> None:
    no_draw_is_better(players, seed, most, byes)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(fields(most=9), st.integers(0, 99), st.sampled_from([3, 4, 5]), st.booleans())
def test_no_draw_of_nine_is_better(players: list[Entrant], seed: int, most: int, byes: bool) -> None:
    no_draw_is_better(players, seed, most, byes)


def test_nine_meet_in_four_rounds_and_nobody_twice() -> None:
    desk = Desk(SPREAD, 9, format="pods", rounds=4, pod=3)
    met: list[tuple[int, ...]] = []
    for number in range(3):
        draw(desk, number)
        assert [each.kind for each in review(desk.event, number + 1)] == []
        met += [pair for pairing in desk.last.pairings for pair in combinations(sorted(pairing.players), 2)]
        for pairing in desk.last.pairings:
            desk.result(pairing.table, Result(places=(1, 1, 1)))
        desk.do("round ended", round=desk.last.number)
    assert len(set(met)) == len(met)


def test_who_meets_again_is_told_and_whether_that_is_needed() -> None:
    desk = Desk(SPREAD, 6, format="pods", rounds=2, pod=3)
    desk.pair((1, 2, 3), (4, 5, 6))
    for table in (1, 2):
        desk.result(table, Result(places=(1, 1, 1)))
    desk.do("round ended", round=1)
    desk.do("round paired", pairings=(Seats(1, (1, 2, 3)), Seats(2, (4, 5, 6))))
    told = {each.players: each.avoidable for each in review(desk.event, 2) if each.kind == "rematch"}
    assert sorted(told) == [(1, 2), (1, 3), (2, 3), (4, 5), (4, 6), (5, 6)]
    assert sorted(told.values()) == [False, False, True, True, True, True], "of three who meet, two have met"
    draw(desk, 1, start=False)
    told = {each.players: each.avoidable for each in review(desk.event, 2) if each.kind == "rematch"}
    assert list(told.values()) == [False, False]


@pytest.mark.parametrize("players", range(2, 9))
def test_a_pod_of_any_size_gives_alike(players: int) -> None:
    worth = place_points((12, 6, 3, 0), players)
    assert (worth[0], worth[-1]) == (12, 0)
    assert worth == sorted(worth, reverse=True)
    assert abs(sum(worth) / players - 21 / 4) <= 1


def points_of(desk: Desk) -> dict[int, int]:
    return {row.player: int(row.values["match points"][0]) for row in standings(desk.event, desk.event.stage)}


def test_a_pod_that_somebody_did_not_come_to_is_one_smaller() -> None:
    desk = Desk(SPREAD, 5, format="pods", rounds=2, byes=True)
    desk.pair((1, 2, 3, 4), (5,))
    desk.result(1, Result("no-show", fault=(3,), places=(2, 1, 0, 3)))
    assert points_of(desk) == {2: 12, 5: 5, 1: 4, 3: 0, 4: 0}
    met = {each.number: [other for other, _ in each.met] for each in entrants(desk.event, desk.event.stage)}
    assert met == {1: [2, 4], 2: [1, 4], 3: [], 4: [1, 2], 5: []}


def test_who_gives_up_or_is_disqualified_was_beaten_by_all() -> None:
    desk = Desk(SPREAD, 4, format="pods", rounds=2)
    desk.pair((1, 2, 3, 4))
    desk.result(1, Result("disqualified", fault=(3, 4), places=(2, 1, 0, 0)))
    assert points_of(desk) == {2: 12, 1: 6, 3: 0, 4: 0}
    assert all(len(each.met) == 3 for each in entrants(desk.event, desk.event.stage))


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Result(places=(1, 2)), "give each place from 1 on"),
        (Result(places=(1, 1, 2)), "leave the next out"),
        (Result(places=(1, 2, 0)), "give each place from 1 on"),
        (Result("no-show", fault=(3,), places=(1, 2, 3)), "give each place from 1 on"),
        (Result("no-show", places=(1, 2, 3)), "expected who is at fault for a no-show"),
        (Result("double loss", places=(1, 2, 3)), "the places of its seats, and who is at fault"),
    ],
)
def test_a_result_that_no_pod_can_have_is_refused(result: Result, text: str) -> None:
    desk = Desk(SPREAD, 3, format="pods", rounds=1)
    desk.pair((1, 2, 3))
    desk.refused("result entered", text, round=1, table=1, result=result, by="judge")


def test_two_are_no_pod() -> None:
    desk = Desk(SPREAD, 4, format="pods", rounds=2)
    desk.refused("round paired", "three or more play at a table", pairings=(Seats(1, (1, 2)), Seats(2, (3, 4))))
    for player in (3, 4):
        desk.do("player dropped", player=player)
    with pytest.raises(NotNow, match="a pod needs 3 players"):
        draw_round(desk.event, 1)
    desk = Desk(SPREAD, 2)
    desk.refused("stage opened", "players: expected 3 at least for pods", format="pods", players=(1, 2))
