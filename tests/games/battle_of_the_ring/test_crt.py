"""The Combat Results Table against the printed one, number by number."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from referee.games.battle_of_the_ring import crt

PRINTED = """
open                2    8-12   2-3  10-12   -    7-12   2    9-12
fortress-or-river   2-3  9-12   2-4  11-12   2    8-12   2-3  10-12
fortress-and-river  2-4  10-12  2-5  12      2-3  9-12   2-4  11-12
"""
ODDS = """
open                1:15:20  3:6:27   0:21:15  1:10:25
fortress-or-river   3:10:23  6:3:27   1:15:20  3:6:27
fortress-and-river  6:6:24   10:1:25  3:10:23  6:3:27
"""


def numbers(span: str) -> set[int]:
    if span == "-":
        return set()
    low, _, high = span.partition("-")
    return set(range(int(low), int(high or low) + 1))


def cells() -> dict[tuple[str, str], tuple[set[int], set[int]]]:
    results = {}
    for line in PRINTED.split("\n"):
        if line:
            row, *spans = line.split()
            for column, (a, d) in zip(crt.COLUMNS, zip(spans[::2], spans[1::2], strict=True), strict=True):
                results[column, row] = (numbers(a), numbers(d))
    return results


CELLS = cells()


@pytest.mark.parametrize(("column", "row", "total"), list(product(crt.COLUMNS, crt.ROWS, range(2, 13))))
def test_every_result_is_the_printed_one(column: str, row: str, total: int) -> None:
    attacker, defender = CELLS[column, row]
    expected = (
        "defender-eliminated" if total in defender else "attacker-eliminated" if total in attacker else "no-result"
    )
    assert crt.resolve(column, row, total) == expected


def test_the_odds_are_the_printed_ones_out_of_36() -> None:
    for line in filter(None, ODDS.split("\n")):
        row, *cells = line.split()
        for column, cell in zip(crt.COLUMNS, cells, strict=True):
            chances = {chance.id: chance.chance for chance in crt.odds(column, row)}
            a, d, n = (Fraction(int(each), 36) for each in cell.split(":"))
            assert chances == {"attacker-eliminated": a, "defender-eliminated": d, "no-result": n}
