"""Exact odds, by calling the function that rules for every possible throw. Chances are fractions, never floats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from referee.rulebook.wording import whole


class Chance(NamedTuple):
    """One outcome: ``id`` for programs, ``text`` for people, and its exact ``chance`` from 0 to 1."""

    id: str
    text: str
    chance: Fraction

    @property
    def out_of_36(self) -> str:
        """Return the chance as people say it with two dice ("15/36"), or in lowest terms if that is not exact."""
        whole = self.chance * 36
        return f"{whole.numerator}/36" if whole.denominator == 1 else str(self.chance)

    @property
    def percent(self) -> str:
        """Return the chance rounded to a tenth of a per cent ("83.4 %"), for fractions too long to read.

        What can happen is not "0.0 %", and what need not is not "100.0 %".
        """
        tenths = round(self.chance * 1000)
        if 0 < self.chance < 1 and tenths in (0, 1000):
            return "<0.1 %" if tenths == 0 else ">99.9 %"
        return f"{tenths // 10}.{tenths % 10} %"


def per_cent(chance: Fraction | str) -> str:
    """Return a chance as a sentence names it; ``chance``: 0 to 1, or as `Chance.out_of_36` writes it.

    >>> per_cent("15/36"), per_cent("1/432"), per_cent("0/36"), per_cent("1295/1296")
    ('42 per cent', 'less than 1 per cent', '0 per cent', 'more than 99 per cent')
    """
    share = Fraction(chance) * 100
    if 0 < share < 1 or 99 < share < 100:
        return "less than 1 per cent" if share < 1 else "more than 99 per cent"
    return f"{round(share)} per cent"


Odds = tuple[Chance, ...]
"""Every outcome once; their chances add up to 1."""

READABLE = 6**5
"""The largest denominator that people read."""
LONGEST = 4096
"""Bits of the largest denominator of a printed table, which programs are told."""


def over_one(odds: Iterable[Chance], sides: int = 0) -> list[str]:
    """Return the chances over one denominator, 36 if that will do; empty if it would be too long to read.

    ``sides``: of the one die they are thrown with, 0 for several dice; it comes before the 36 of two dice

    >>> six = throw_odds(1, lambda faces: "six" if faces[0] == 6 else "less", {"six": "Six", "less": "Less"})
    >>> over_one(six, sides=6), over_one(six)
    (['1/6', '5/6'], ['6/36', '30/36'])
    """
    chances = [each.chance for each in odds]
    whole = lcm(*(each.denominator for each in chances))
    whole = next((usual for usual in (sides, 36) if usual and usual % whole == 0), whole)
    return [f"{each * whole}/{whole}" if whole <= READABLE else "" for each in chances]


class Cell(NamedTuple):
    """One cell of a printed table with its exact odds. ``note``: what is printed there.

    ``ruling``, ``answers``: the single ruling of the book, and the answers in it, that lead to the throw of this cell
    """

    row: str
    column: str
    odds: Odds
    note: str = ""
    ruling: str = ""
    answers: tuple[Any, ...] = ()

    @property
    def shares(self) -> str:
        """Its odds in words."""
        shares = zip(self.odds, over_one(self.odds, 6), strict=True)
        return ", ".join(f"{whole(each.text)} {share or per_cent(each.chance)}" for each, share in shares)


def checked(cell: object) -> Cell:
    """Return a cell that can be shown. Raises TypeError or ValueError saying what was expected."""
    if not isinstance(cell, Cell) or not all(isinstance(each, str) for each in (cell.row, cell.column, cell.note)):
        raise TypeError(f"expected a Cell with words for row, column and note, got {cell!r:.80}")
    odds: Iterable[object] = cell.odds
    for each in odds:
        if not isinstance(each, Chance) or not all(map(isinstance, each, (str, str, Fraction))):
            raise TypeError(f"{cell.row}, {cell.column}: expected a Chance with a Fraction, got {each!r:.80}")
        if not 0 <= each.chance <= 1 or each.chance.denominator.bit_length() > LONGEST:
            raise ValueError(f"{cell.row}, {cell.column}: {each.text} has no chance from 0 to 1 that can be shown")
    if len({each.text for each in cell.odds}) < len(cell.odds):
        raise ValueError(f"{cell.row}, {cell.column}: the same outcome is there twice")
    return cell


def throw_odds(
    dice: int, outcome: Callable[[tuple[int, ...]], str], names: Mapping[str, str], sides: int = 6
) -> Odds:
    """Return the chance of each outcome of one throw of ``dice`` dice of ``sides``, by putting all throws through it.

    ``outcome``  sorted or not, the faces of one throw -> id of what it leads to
    ``names``    the text of every id, in the order of the odds; what cannot happen has the chance 0
    Raises KeyError where ``outcome`` returns an id without a name.

    >>> throw_odds(1, lambda faces: "hit" if faces[0] >= 5 else "miss", {"hit": "Hit", "miss": "Miss"})[0].chance
    Fraction(1, 3)
    """
    counted = dict.fromkeys(names, 0)
    for faces in product(range(1, sides + 1), repeat=dice):
        counted[outcome(faces)] += 1
    return tuple(Chance(name, text, Fraction(counted[name], sides**dice)) for name, text in names.items())


def distribution(parts: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """Return the chance of each number from (number, chance) pairs in any order; numbers ascend.

    What has no chance is left out.
    """
    total: dict[int, Fraction] = {}
    for value, weight in parts:
        if weight:
            total[value] = total.get(value, Fraction(0)) + weight
    return dict(sorted(total.items()))
