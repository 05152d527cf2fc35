"""The Combat Results Table: four columns, three rows, two dice; and what the referee says of an attack.

Pure; the odds come from the function that rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.games.battle_of_the_ring.pieces import COUNTED, SHORT
from referee.games.battle_of_the_ring.state import Input
from referee.rulebook import Cell, Odds, Reason, Ruling, Short, per_cent, phrase, throw_odds

COLUMNS = {
    "o-v-o": Short("Ordinary attacks Ordinary", "Ordinary strength attacks Ordinary strength"),
    "o-v-e": Short("Ordinary attacks Elven", "Ordinary strength attacks Elven strength"),
    "e-v-o": Short("Elven attacks Ordinary", "Elven strength attacks Ordinary strength"),
    "e-v-e": Short("Elven attacks Elven", "Elven strength attacks Elven strength"),
}
"""Strength of the attacker against that of the defender, Ordinary or Elven."""

ROWS = {
    "open": Short("open ground", "on open ground"),
    "fortress-or-river": Short("fortress or river", "in a fortress or across a river"),
    "fortress-and-river": Short("fortress and river", "in a fortress and across a river"),
}
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
    return tuple(
        Cell(
            str(where),
            str(strengths),
            odds(column, row),
            "attacker {}, defender {}".format(*map(span, sets(column, row))),
            "attack",
            (column, row),
        )
        for row, where in ROWS.items()
        for column, strengths in COLUMNS.items()
    )


def span(totals: Totals) -> Short:
    """Return a set of totals as the table prints it, and in words.

    >>> span((8, 9, 10)), span((8, 9, 10)).whole, span((2,)), span(())
    ('8-10', '8 to 10', '2', 'none')
    """
    if not totals:
        return Short("none", "no total")
    low, high = totals[0], totals[-1]
    return Short(f"{low}", f"{low}") if low == high else Short(f"{low}-{high}", f"{low} to {high}")


# -- the need before the throw, the ruling after it, and the reasons

ROW_FOOT = {"open": "open", "fortress-or-river": "fort/river", "fortress-and-river": "fort+river"}
RULES = ("BR-45", "BR-49")


def ruling(
    entry: Input,
    column: str,
    row: str,
    faces: tuple[int, ...],
    pools: tuple[dict[str, int], dict[str, int]] | None = None,
    count: tuple[int, int] = (0, 0),
) -> Ruling:
    """Return the ruling on one throw (BR-45, BR-49).

    ``column``, ``row``  of the CRT
    ``faces``            two, or one number: their total
    ``pools``            pieces of both types on the board before and after; None where nothing is counted
    ``count``            which attack of its type this was, and how many that type may make
    """
    total = sum(faces)
    result = resolve(column, row, total)
    attacker, defender = sets(column, row)
    data: dict[str, Any] = {
        "attacker": entry.piece,
        "target": entry.target,
        "helped": entry.helped,
        "position": entry.position,
        "column": column,
        "row": row,
        "faces": list(faces),
        "total": total,
        "sets": {"attacker": list(attacker), "defender": list(defender)},
        "odds": {chance.id: chance.out_of_36 for chance in odds(column, row)},
    }
    loser = LOSER[result]
    headline: str = RESULTS[result]
    foot = ""
    if not loser and entry.piece:
        headline = phrase(Short(headline, "No effect: {} against {}"), SHORT[entry.piece], SHORT[entry.target])
    if loser and entry.piece:
        headline = phrase(Short("{} out", "{} is out"), SHORT[getattr(entry, loser)])
    if pools is not None:
        before, after = pools
        data["pools"] = {"before": before, "after": after}
        data["attack"], data["of"] = count
        if loser:
            name = getattr(entry, loser)
            foot = phrase(COUNTED, SHORT[name], before[name], after[name])
        else:
            foot = phrase(Short("{} of {}", "Attack {} of {}"), Short(ordinal(count[0]), str(count[0])), count[1])
    need = wanted(column, row)[2]
    return Ruling(result, headline, RULES, explain, data, changed=bool(loser), need=need, foot=foot)


@lru_cache(maxsize=256)
def wanted(column: str, row: str) -> tuple[str, tuple[str, str], str]:
    """Return the need ("9+"), the dice screen's foot ("fort/river", "dies: 2-3"), and the ruling's "9+ kills"."""
    attacker, defender = sets(column, row)
    need = f"{defender[0]}+" if len(defender) > 1 else f"{defender[0]}"
    foot = (ROW_FOOT[row], f"dies: {span(attacker)}" if attacker else "never dies")
    return need, foot, f"{need} kills"


@lru_cache(maxsize=256)
def ordinal(number: int) -> str:
    """Return "1st", "2nd", "3rd", "4th" ...

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd']
    """
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


OUT_ON = Short("D {}, A {}", "The defender is eliminated on {}, the attacker on {}")
ODDS = Short("Odds D {}, A {}", "The chance was {} that the defender is eliminated, and {} that it is the attacker")
HELPED_TEXT = {
    "": "",
    "none": Short(", no helper", ", and nobody is helped"),
    "attacker": Short(", attacker helped", ", and the attacker is helped"),
    "defender": Short(", defender helped", ", and the defender is helped"),
    "both": Short(", both helped", ", and both are helped"),
}
STILL = Short("{} {}", "{} stays at {}")
LOSER = {"defender-eliminated": "target", "attacker-eliminated": "piece", "no-result": ""}
RESULT_TEXT = {
    "defender-eliminated": Short("defender out", "the defender is eliminated"),
    "attacker-eliminated": Short("attacker out", "the attacker is eliminated"),
    "no-result": Short("no effect", "it has no effect"),
}


def explain(data: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return the reasons of a ruling from its data: column, row, both sets, the throw, the odds, the pools."""
    column, row = data["column"], data["row"]
    attacker, defender = sets(column, row)
    chances = (data["odds"][result] for result in ("defender-eliminated", "attacker-eliminated"))
    result = RESULT_TEXT[resolve(column, row, data["total"])]
    lines: list[Reason] = [
        (
            "BR-45",
            phrase("{}{}", COLUMNS[column], HELPED_TEXT[data.get("helped", "")]),
        ),
        (
            "BR-45",
            phrase("{} {}", Short("Defender:", "The defender stands"), ROWS[row]),
        ),
        ("BR-49", phrase(OUT_ON, span(defender), span(attacker))),
        ("BR-49", phrase("{}: {}", _throw(data["faces"], data["total"]), result)),
        phrase(ODDS, *(Short(each, per_cent(each)) for each in chances)),
    ]
    if "pools" in data:
        before, after = data["pools"]["before"], data["pools"]["after"]
        lines += [
            phrase(COUNTED, SHORT[piece], before[piece], after[piece])
            if after[piece] != before[piece]
            else phrase(STILL, SHORT[piece], before[piece])
            for piece in before
        ]
    return tuple(lines)


def _throw(faces: Sequence[int], total: int) -> Short:
    """Return the throw and what it makes; ``faces``: two, or one number, their total."""
    thrown = "+".join(map(str, faces))
    if len(faces) == 1:
        return Short(thrown, f"The total is {total}")
    return Short(f"{thrown}={total}", f"{' and '.join(map(str, faces))} make {total}")
