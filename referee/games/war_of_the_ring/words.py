"""How hits, figures and losses are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from referee.rulebook import Short, joined

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


def listed(faces: Sequence[int]) -> Short:
    """Write the faces of a throw, at least one.

    >>> listed([5, 6, 1]), listed([5, 6, 1]).whole
    ('5 6 1', '5, 6 and 1')
    """
    *rest, last = map(str, faces)
    return Short(" ".join(map(str, faces)), f"{', '.join(rest)} and {last}" if rest else last)


def left(regulars: int, elites: int) -> Short:
    """Write what is left of an Army.

    >>> left(2, 1).whole, left(0, 1).whole, left(0, 0).whole
    ('2 Regulars and 1 Elite are left', '1 Elite is left', 'no unit is left')
    """
    return Short(
        f"{units(regulars, elites)} left",
        f"{units(regulars, elites)} {'is' if regulars + elites < 2 else 'are'} left",
    )


def losses(lost: Sequence[str]) -> Short:
    """Write what hits took, each kind once. ``lost``: ids of `TAKEN`.

    >>> some = losses(["regular", "reduced", "regular"])
    >>> str(some), some.whole, losses([]).whole
    ('2 Regulars lost, 1 Elite reduced', '2 Regulars are lost, 1 Elite is reduced', 'nothing is lost')
    """
    return joined(", ", (_lost(kind, number) for kind, number in Counter(lost).items())) if lost else NOTHING


def _lost(kind: str, number: int) -> Short:
    figure, _, fate = count(number, *TAKEN[kind]).partition(" ")[2].partition(" ")
    return Short(f"{number} {figure} {fate}", f"{number} {figure} {'is' if number == 1 else 'are'} {fate}")


NOTHING = Short("nothing lost", "nothing is lost")
