"""How hits, figures and losses are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from referee.rulebook import Short

REDUCED = "reduced"
"""An Elite became a Regular from the reinforcements."""

RETURNED = "returned"
"""An Elite became a Regular that had been lost before in this battle."""

TAKEN = {
    "regular": ("Regular lost", "Regulars lost"),
    "elite": ("Elite lost", "Elites lost"),
    REDUCED: ("Elite reduced", "Elites reduced"),
    RETURNED: ("Elite reduced to a lost Regular", "Elites reduced to lost Regulars"),
}
"""What can happen to a figure, told of one and of several."""


@lru_cache(maxsize=256)
def count(number: int, one: str, many: str = "") -> str:
    """Write a number of things.

    >>> count(1, "hit"), count(0, "hit"), count(2, "die", "dice")
    ('1 hit', '0 hits', '2 dice')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


@lru_cache(maxsize=256)
def figures(regulars: int, elites: int) -> Short:
    """Write units in a few letters that stand for the words of `units`.

    >>> figures(2, 1), figures(2, 1).whole
    ('R2 E1', '2 Regulars and 1 Elite')
    """
    return Short(f"R{regulars} E{elites}", units(regulars, elites))


def units(regulars: int, elites: int) -> str:
    """Write units in full.

    >>> units(2, 1), units(0, 2), units(0, 0)
    ('2 Regulars and 1 Elite', '2 Elites', 'no unit')
    """
    parts = [count(number, word) for number, word in ((regulars, "Regular"), (elites, "Elite")) if number]
    return " and ".join(parts) or "no unit"


def losses(lost: Sequence[str]) -> str:
    """Write what hits took, each kind once. ``lost``: ids of `TAKEN`.

    >>> losses(["regular", "reduced", "regular"]), losses([])
    ('2 Regulars lost, 1 Elite reduced', 'nothing lost')
    """
    parts = [count(number, *TAKEN[kind]) for kind, number in Counter(lost).items()]
    return ", ".join(parts) or "nothing lost"
