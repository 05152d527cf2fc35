"""Corruption checks: what a throw comes to, and the exact odds."""

from __future__ import annotations

from functools import lru_cache

from referee.rulebook import Cell, Odds, throw_odds

NAMES = {"safe": "Safe", "discarded": "Discarded", "eliminated": "Eliminated"}


def outcome(total: int, points: int) -> str:
    """Return what a total, modifiers included, does to a character with so many corruption points (ME-63 to ME-65).

    >>> [outcome(t, 5) for t in (6, 5, 4, 3)]
    ['safe', 'discarded', 'discarded', 'eliminated']
    """
    if total > points:
        return "safe"
    return "discarded" if total >= points - 1 else "eliminated"


@lru_cache(maxsize=256)
def odds(points: int, modifier: int = 0) -> Odds:
    """Return the chances of one check, in 36ths."""
    return throw_odds(2, lambda faces: outcome(sum(faces) + modifier, points), NAMES)


def table() -> tuple[Cell, ...]:
    """Return the odds of checks without a modifier, for 0 to 14 corruption points."""
    return tuple(
        Cell(
            f"corruption points {points}",
            "2 dice",
            odds(points),
            ruling="corruption-check",
            answers=(f"cp-{points}",),
        )
        for points in range(15)
    )
