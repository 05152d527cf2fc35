"""The tables, cell by cell, and the odds shown before a throw, against counting every throw by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from referee.games.the_wizards import tables
from referee.rulebook import Roll

Make = Callable[..., Any]
THROWS = [sum(faces) for faces in product(range(1, 7), repeat=2)]


def chances(odds: Any) -> dict[str, Fraction]:
    return {chance.id: chance.chance for chance in odds}


def test_ways_to_fail_a_body_check_as_printed() -> None:
    ways = [chances(tables.check_odds("character", body))["eliminated"] * 36 for body in range(4, 12)]
    assert ways == [30, 26, 21, 15, 10, 6, 3, 1]
    ways = [chances(tables.check_odds("character", body, True))["eliminated"] * 36 for body in range(4, 12)]
    assert ways == [33, 30, 26, 21, 15, 10, 6, 3]


@pytest.mark.parametrize(
    ("points", "ways"),
    [
        (0, (36, 0, 0)), (1, (36, 0, 0)), (2, (35, 1, 0)), (3, (33, 3, 0)), (4, (30, 5, 1)), (5, (26, 7, 3)),
        (6, (21, 9, 6)), (7, (15, 11, 10)), (8, (10, 11, 15)), (9, (6, 9, 21)), (10, (3, 7, 26)), (11, (1, 5, 30)),
        (12, (0, 3, 33)), (13, (0, 1, 35)), (14, (0, 0, 36)), (20, (0, 0, 36)),
    ],
)  # fmt: skip
def test_corruption_as_printed(points: int, ways: tuple[int, int, int]) -> None:
    assert [c.chance * 36 for c in tables.corruption_odds(points)] == [*ways]
    assert tables.corruption_odds(points + 1, 1) == tables.corruption_odds(points)


@pytest.mark.parametrize(
    ("outcome", "after"), [("fails", "TUTW"), ("ineffectual", "TUTW"), ("successful", "WWWW"), ("cancelled", "UUTW")]
)
def test_status_after_a_strike_as_printed(outcome: str, after: str) -> None:
    columns = (("untapped", False), ("untapped", True), ("tapped", False), ("wounded", False))
    letters = [tables.status_after(before, outcome, stays=stays)[0].upper() for before, stays in columns]
    assert "".join(letters) == after


@pytest.mark.parametrize("strike_body", [0, 5])
@pytest.mark.parametrize("status", ["untapped", "tapped", "wounded"])
@pytest.mark.parametrize("against", [2, 7, 9, 13, 18])
def test_the_odds_shown_are_how_often_it_comes_out(
    wizards: Make, against: int, status: str, strike_body: int
) -> None:
    counted: Counter[str] = Counter()
    t = wizards("strike")
    t.answer("5/8", str(against), "strike", str(against), str(strike_body))
    t.answer("status", status) if status != "untapped" else None
    t.answer("tap" if status == "untapped" else "throw")
    assert isinstance(t.play.ask, Roll)
    odds = chances(t.play.ask.odds())
    start = len(t.play.moves)
    for total in THROWS:
        t.play.answer(total)
        if t.play.over is None:
            second = len(t.play.moves)
            for check in THROWS:
                counted[t.play.answer(check)[0].result] += 1
                t.play.rewind(second)
        else:
            t.play.rewind(start)
            counted[t.play.answer(total)[0].result] += 36
        t.play.rewind(start)
    assert {k: Fraction(v, 36 * 36) for k, v in counted.items()} == {k: v for k, v in odds.items() if v}
    assert sum(odds.values()) == 1
    assert ("not-defeated" in odds) is (strike_body > 0)


@pytest.mark.parametrize("of", ["character", "wounded", "strike"])
def test_the_need_is_what_it_takes(wizards: Make, of: str) -> None:
    for body in range(4, 14):
        t = wizards("body-check").answer(of, str(body))
        need = t.play.ask.need
        beaten = [n for n in range(2, 13) if wizards("body-check").answer(of, str(body), n).result != "survives"]
        assert need == (f"{beaten[0]}+" if beaten else "never")


def test_the_need_of_a_strike_is_what_it_takes(wizards: Make) -> None:
    for against in range(1, 20):
        t = wizards("strike").answer("4/7", str(against), "tap")
        beaten = [n for n in range(2, 13) if n + 4 > against]
        assert t.play.ask.need == ("never" if not beaten else "any" if beaten[0] == 2 else f"{beaten[0]}+")
