"""One die, many dice: what hits, and with what chance. Pure; all odds come from the function that rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from referee.games.war_of_the_ring.words import count
from referee.rulebook import Chance, Odds, distribution, throw_odds

FACES = range(1, 7)


def hits(face: int, number: int, modifier: int = 0) -> bool:
    """Return whether a die hits (WR-21, WR-24, WR-26).

    >>> hits(1, 5, 9), hits(6, 5, -9), hits(4, 5, 1), hits(4, 5)
    (False, True, True, False)
    """
    return face == 6 or (face != 1 and face + modifier >= number)


def count_hits(faces: tuple[int, ...], number: int, modifier: int = 0) -> int:
    """Return how many of the faces hit (WR-21)."""
    return sum(hits(face, number, modifier) for face in faces)


@lru_cache(maxsize=256)
def lowest(number: int, modifier: int = 0) -> int:
    """Return the lowest face that hits, 2 to 6."""
    return next(face for face in FACES if hits(face, number, modifier))


@lru_cache(maxsize=256)
def need(number: int, modifier: int = 0) -> str:
    """Return what the dice screen says: the faces that hit.

    >>> need(5), need(6), need(5, -2), need(5, 1)
    ('5+', '6', '6', '4+')
    """
    low = lowest(number, modifier)
    return "6" if low == 6 else f"{low}+"


@lru_cache(maxsize=256)
def chance(number: int, modifier: int = 0) -> Fraction:
    """Return the chance that one die hits."""
    return Fraction(sum(hits(face, number, modifier) for face in FACES), 6)


@lru_cache(maxsize=256)
def die_odds(number: int, modifier: int = 0) -> Odds:
    """Return the odds of one die: hit and miss."""
    return throw_odds(1, lambda f: "hit" if hits(f[0], number, modifier) else "miss", {"hit": "Hit", "miss": "Miss"})


@lru_cache(maxsize=1024)
def roll_hits(dice: int, number: int, modifier: int = 0) -> Mapping[int, Fraction]:
    """Return the chance of each number of hits when so many dice are thrown once."""
    one = chance(number, modifier)
    if dice == 0:
        return {0: Fraction(1)}
    fewer = roll_hits(dice - 1, number, modifier)
    parts = [(n, w * (1 - one)) for n, w in fewer.items()] + [(n + 1, w * one) for n, w in fewer.items()]
    return distribution(parts)


@lru_cache(maxsize=1024)
def round_hits(
    dice: int, leadership: int, combat: tuple[int, int], reroll: tuple[int, int]
) -> Mapping[int, Fraction]:
    """Return the chance of each number of hits after the Leader re-roll of up to ``leadership`` failures (WR-22).

    ``combat`` and ``reroll`` are pairs: number to hit, modifier.
    """
    parts = []
    for first, weight in roll_hits(dice, *combat).items():
        again = min(dice - first, leadership, 5)
        parts += [(first + more, weight * w) for more, w in roll_hits(again, *reroll).items()]
    return distribution(parts)


@lru_cache(maxsize=256)
def hit_odds(dice: int, number: int, modifier: int = 0) -> Odds:
    """Return `roll_hits` as odds, for people to read."""
    return tuple(Chance(str(n), count(n, "hit"), w) for n, w in roll_hits(dice, number, modifier).items())
