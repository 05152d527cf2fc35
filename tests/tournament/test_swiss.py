"""Swiss pairing against all pairings there are, and in many neighbourhoods."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.pairing.swiss import (
    NEAR,
    SERIOUS,
    Entrant,
    by_sides,
    entrants,
    pair_cost,
    pair_up,
    ranked,
    seated,
    swiss_cost,
    swiss_pairs,
    total,
)
from referee.tournament.settings import Sides
from tests.tournament.chance import some_event
from tests.tournament.desk import Desk


def all_pairings(players: Sequence[Entrant]) -> Iterator[list[tuple[Entrant, ...]]]:
    """Yield every pairing of these players; one of an odd number has a bye."""
    if len(players) % 2:
        for i, each in enumerate(players):
            for rest in all_pairings([*players[:i], *players[i + 1 :]]):
                yield [*rest, (each,)]
    elif not players:
        yield []
    else:
        first, *others = players
        for i, second in enumerate(others):
            for rest in all_pairings([*others[:i], *others[i + 1 :]]):
                yield [(first, second), *rest]


def faults(pairing: Sequence[tuple[Entrant, ...]], sides: Sides) -> tuple[int, ...]:
    """Return how far a pairing breaks each rule of the docstring of `swiss`, reckoned another way than there."""
    again = uneven = gaps = even = 0
    lowest = min(each.points for pair in pairing for each in pair)
    for pair in pairing:
        if len(pair) == 1:
            again += pair[0].byes * pair[0].byes
            gaps += (pair[0].points - lowest) ** 2
            continue
        a, b = pair
        often = sum(1 for opponent, _ in a.met if opponent == b.number)
        again += often * often
        gaps += (a.points - b.points) ** 2
        if sides == "assigned":
            ways = [(a.balance + 1, b.balance - 1), (a.balance - 1, b.balance + 1)]
            if often:  # a sits where he did not sit last
                ways = [ways[next(first for opponent, first in reversed(a.met) if opponent == b.number)]]
            x, y = min(ways, key=lambda way: way[0] ** 2 + way[1] ** 2)
            uneven += sum((abs(each) - 1) ** 2 for each in (x, y) if abs(each) > 1)
            even += x * x + y * y
    return again, uneven, gaps, even


@st.composite
def fields(draw: st.DrawFn, most: int) -> list[Entrant]:
    """Some players with points, meetings and byes, as they come."""
    count = draw(st.integers(2, most))
    rng = draw(st.randoms(use_true_random=False))
    met: dict[int, list[tuple[int, bool]]] = {number: [] for number in range(1, count + 1)}
    for _ in range(rng.randrange(2 * count)):
        first, second = rng.sample(range(1, count + 1), 2)
        met[first].append((second, True))
        met[second].append((first, False))
    return [
        Entrant(
            number,
            number - 1,
            3 * rng.randrange(4),
            tuple(met[number]),
            rng.choice((-2, -1, 0, 0, 1, 2)),
            rng.choice((0, 0, 0, 1, 2)),
        )
        for number in met
    ]


@settings(max_examples=100, deadline=None)
@given(fields(most=8), st.integers(0, 99), st.sampled_from(["none", "assigned"]))
def test_no_pairing_is_better(players: list[Entrant], seed: int, sides: Sides) -> None:
    compare(players, seed, sides)


@pytest.mark.long
@settings(max_examples=600, deadline=None)
@given(fields(most=10), st.integers(0, 99), st.sampled_from(["none", "assigned"]))
def test_no_pairing_of_ten_is_better(players: list[Entrant], seed: int, sides: Sides) -> None:
    compare(players, seed, sides)


def compare(players: list[Entrant], seed: int, sides: Sides) -> None:
    drawn = swiss_pairs(players, seed, sides)
    assert sorted(each.number for pair in drawn for each in pair) == [each.number for each in players]
    best = min(faults(pairing, sides) for pairing in all_pairings(players))
    assert faults(drawn, sides) == best
    assert swiss_pairs(players[::-1], seed, sides) == drawn  # whoever lists them in whatever order


def test_a_rematch_exchanges_sides_even_if_they_get_uneven() -> None:
    one, other = Entrant(1, 0, met=((2, False),), balance=1), Entrant(2, 1, met=((1, True),), balance=-1)
    assert seated((other, one), 0, "assigned") == (one, other)
    assert pair_cost((one, other), "assigned")[:2] == (1, 2)


def test_balance_then_lot_or_the_seed_decides_who_sits_first() -> None:
    one, other = Entrant(1, 0, balance=1), Entrant(2, 1, balance=0)
    assert all(seated((one, other), seed, "assigned") == (other, one) for seed in range(9))
    assert all(seated((other, one), seed, "bid") == (one, other) for seed in range(9))
    even = [Entrant(1, 0), Entrant(2, 1)]
    assert {seated((even[0], even[1]), seed, "assigned")[0].number for seed in range(9)} == {1, 2}


def test_the_lot_pairs_equals_differently_by_seed() -> None:
    players = [Entrant(number, number) for number in range(1, 9)]
    draws = {
        tuple(tuple(each.number for each in pair) for pair in swiss_pairs(players, s, "none")) for s in range(20)
    }
    assert len(draws) > 15


@pytest.mark.parametrize("seed", range(3))
def test_no_side_of_a_large_field_is_uneven(seed: int) -> None:
    balances = random.Random(seed).sample([1, -1] * 200, 400)
    players = [Entrant(at, at, 3 * (at // 150), balance=each) for at, each in enumerate(balances)]
    drawn = swiss_pairs(players, seed, "assigned")
    assert faults(drawn, "assigned")[:2] == (0, 0)


def test_players_who_are_far_are_tried_where_neighbours_have_met() -> None:
    count = 40
    met = {(i, j) for i, j in combinations(range(count), 2) if j - i <= 4}
    pairs = pair_up(count, lambda i, j: (int((i, j) in met), (j - i) ** 2), 1, near=4)
    assert not met & set(pairs)


@pytest.mark.long
@pytest.mark.parametrize("sides", ["none", "assigned"])
@pytest.mark.parametrize("count", [101, 150])
def test_neighbours_pair_a_large_field_as_well_as_all(count: int, sides: Sides) -> None:
    def everybody_tried(desk: Desk) -> None:
        before = replace(desk.event, rounds=desk.event.rounds[:-1])
        order = by_sides(ranked(entrants(before, before.stage), desk.last.seed), sides)
        cost, places = swiss_cost(order, sides), len(order) + len(order) % 2
        near, best = (total([cost(*pair) for pair in pair_up(places, cost, SERIOUS, w)]) for w in (NEAR, places))
        assert near[:SERIOUS] == best[:SERIOUS]
        assert near[SERIOUS] <= 1.02 * best[SERIOUS]

    some_event(count, count, everybody_tried, format="swiss", match="one game", sides=sides, rounds=8)
