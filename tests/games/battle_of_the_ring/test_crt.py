"""The Combat Results Table against the printed one, number by number."""

from __future__ import annotations

from itertools import product

import pytest

from referee.games.battle_of_the_ring import crt

PRINTED = """
open                2    8-12   2-3  10-12   -    7-12   2    9-12
fortress-or-river   2-3  9-12   2-4  11-12   2    8-12   2-3  10-12
fortress-and-river  2-4  10-12  2-5  12      2-3  9-12   2-4  11-12
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
