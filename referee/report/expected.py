"""What fair dice show: how often a face falls, and within which band. Exact, without statistics packages."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log
from typing import Final, NamedTuple

INSIDE: Final = 0.95
"""Share of fair dice all six faces of which lie within the band."""


class Band(NamedTuple):
    """How often one face of a fair die falls in so many throws. ``low`` and ``high`` are the last numbers inside."""

    expected: float
    low: int
    high: int


@lru_cache(maxsize=256)
def band(throws: int) -> Band:
    """Return the band of one face.

    On each side of it lies at most a twelfth of what may be outside (Bonferroni), so the six faces together are
    within it at least as often as `INSIDE` says.

    >>> band(60)
    Band(expected=10.0, low=3, high=18)
    """
    outside = (1 - INSIDE) / 12
    chances = [_chance(throws, count) for count in range(throws + 1)]
    return Band(throws / 6, _inside(chances, outside), throws - _inside(chances[::-1], outside))


def _inside(chances: list[float], outside: float) -> int:
    """Return the first number up to which, itself included, more than ``outside`` lies."""
    below = 0.0
    for number, chance in enumerate(chances):
        below += chance
        if below > outside:
            return number
    raise AssertionError("chances add up to one")


def _chance(throws: int, count: int) -> float:
    ways = lgamma(throws + 1) - lgamma(count + 1) - lgamma(throws - count + 1)
    return exp(ways - count * log(6) + (throws - count) * log(5 / 6))
