"""The Combat Results Table: four columns, three rows, two dice. Pure; the odds come from the function that rules."""

from __future__ import annotations

from functools import lru_cache

from referee.rulebook import Cell, Odds, Short, throw_odds

COLUMN_NAMES = {
    "o-v-o": "Ordinary attacks Ordinary",
    "o-v-e": "Ordinary attacks Elven",
    "e-v-o": "Elven attacks Ordinary",
    "e-v-e": "Elven attacks Elven",
}
COLUMN_WORDS = {
    column: f"{text.replace(' attacks', ' strength attacks')} strength" for column, text in COLUMN_NAMES.items()
}
COLUMNS = tuple(COLUMN_NAMES)
"""Strength of the attacker against that of the defender, Ordinary or Elven."""

ROW_NAMES = {
    "open": "open ground",
    "fortress-or-river": "fortress or river",
    "fortress-and-river": "fortress and river",
}
ROW_WORDS = {
    "open": "on open ground",
    "fortress-or-river": "in a fortress or across a river",
    "fortress-and-river": "in a fortress and across a river",
}
ROWS = tuple(ROW_NAMES)
"""Position of the defender."""

RESULTS = {"attacker-eliminated": "Attacker out", "defender-eliminated": "Defender out", "no-result": "No effect"}

IN_ODDS = {
    "attacker-eliminated": Short("Att. out", RESULTS["attacker-eliminated"]),
    "defender-eliminated": Short("Def. out", RESULTS["defender-eliminated"]),
    "no-result": "No effect",
}
"""The same beside the bars of the odds, where there is little room."""

Totals = tuple[int, ...]

_TABLE: dict[str, dict[str, tuple[Totals, Totals]]] = {
    "open": {
        "o-v-o": ((2,), (8, 9, 10, 11, 12)),
        "o-v-e": ((2, 3), (10, 11, 12)),
        "e-v-o": ((), (7, 8, 9, 10, 11, 12)),
        "e-v-e": ((2,), (9, 10, 11, 12)),
    },
    "fortress-or-river": {
        "o-v-o": ((2, 3), (9, 10, 11, 12)),
        "o-v-e": ((2, 3, 4), (11, 12)),
        "e-v-o": ((2,), (8, 9, 10, 11, 12)),
        "e-v-e": ((2, 3), (10, 11, 12)),
    },
    "fortress-and-river": {
        "o-v-o": ((2, 3, 4), (10, 11, 12)),
        "o-v-e": ((2, 3, 4, 5), (12,)),
        "e-v-o": ((2, 3), (9, 10, 11, 12)),
        "e-v-e": ((2, 3, 4), (11, 12)),
    },
}


def sets(column: str, row: str) -> tuple[Totals, Totals]:
    """Return the totals that eliminate the attacker and those that eliminate the defender, ascending (BR-45)."""
    return _TABLE[row][column]


def resolve(column: str, row: str, total: int) -> str:
    """Return what a total of 2 to 12 does, one of `RESULTS` (BR-49)."""
    attacker, defender = _TABLE[row][column]
    if total in defender:
        return "defender-eliminated"
    return "attacker-eliminated" if total in attacker else "no-result"


@lru_cache(maxsize=256)
def odds(column: str, row: str) -> Odds:
    """Return the chances of the three results, in 36ths."""
    return throw_odds(2, lambda faces: resolve(column, row, sum(faces)), IN_ODDS)


def cells() -> tuple[Cell, ...]:
    """Return the twelve cells of the table, row by row."""
    table = []
    for row in ROWS:
        for column in COLUMNS:
            attacker, defender = sets(column, row)
            table.append(
                Cell(
                    ROW_NAMES[row],
                    COLUMN_NAMES[column],
                    odds(column, row),
                    f"attacker {span(attacker)}, defender {span(defender)}",
                    "attack",
                    (column, row),
                )
            )
    return tuple(table)


def span(totals: Totals) -> str:
    """Write a set of totals as the table prints it: "8-12", "2", or "none".

    >>> span((8, 9, 10)), span((2,)), span(())
    ('8-10', '2', 'none')
    """
    if not totals:
        return "none"
    return f"{totals[0]}" if len(totals) == 1 else f"{totals[0]}-{totals[-1]}"


def spoken(totals: Totals) -> str:
    """Write a set of totals in words.

    >>> spoken((8, 9, 10)), spoken((2,)), spoken(())
    ('8 to 10', '2', 'no total')
    """
    if not totals:
        return "no total"
    return f"{totals[0]}" if len(totals) == 1 else f"{totals[0]} to {totals[-1]}"
