"""Odds are exact: fractions that make one, found by enumerating the function that rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from referee.rulebook import Chance, distribution, throw_odds

NAMES = {"low": "Low", "middle": "Middle", "high": "High"}


@given(st.integers(1, 3), st.integers(1, 19), st.integers(1, 19))
def test_every_throw_is_counted_once(dice: int, first: int, second: int) -> None:
    def outcome(faces: tuple[int, ...]) -> str:
        return "low" if sum(faces) < first else "middle" if sum(faces) < second else "high"

    odds = throw_odds(dice, outcome, NAMES)
    assert [chance.id for chance in odds] == list(NAMES)
    assert sum(chance.chance for chance in odds) == 1
    throws = [outcome(faces) for faces in product(range(1, 7), repeat=dice)]
    for chance in odds:
        assert chance.chance == Fraction(throws.count(chance.id), len(throws))


def test_chances_are_said_as_people_say_them() -> None:
    assert Chance("a", "A", Fraction(5, 12)).out_of_36 == "15/36"
    assert Chance("a", "A", Fraction(1)).out_of_36 == "36/36"
    assert Chance("a", "A", Fraction(1, 216)).out_of_36 == "1/216"
    assert Chance("a", "A", Fraction(5, 6)).percent == "83.3 %"
    assert Chance("a", "A", Fraction(1)).percent == "100.0 %"
    assert Chance("a", "A", Fraction(0)).percent == "0.0 %"
    assert Chance("a", "A", Fraction(1, 100_000)).percent == "<0.1 %"
    assert Chance("a", "A", Fraction(99_999, 100_000)).percent == ">99.9 %"


@given(st.lists(st.tuples(st.integers(-3, 3), st.fractions(0, 1)), max_size=8))
def test_a_distribution_loses_no_weight_and_ascends(parts: list[tuple[int, Fraction]]) -> None:
    total = distribution(parts)
    assert sum(total.values()) == sum(weight for _, weight in parts)
    assert list(total) == sorted(total)
    assert all(total.values())
