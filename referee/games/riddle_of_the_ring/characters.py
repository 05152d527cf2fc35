"""The eight characters, their kinds, and the options made from them once."""

from __future__ import annotations

from functools import lru_cache

from referee.rulebook import Option, Options, Short

HOBBIT, RIDER = "hobbit", "rider"

CHARACTER = {
    option.id: option
    for option in (
        Option("frodo", "Frodo"),
        Option("sam", "Sam"),
        Option("merry", "Merry"),
        Option("pippin", "Pippin"),
        Option("br1", "Black Rider 1", "BR1"),
        Option("br2", "Black Rider 2", "BR2"),
        Option("br3", "Black Rider 3", "BR3"),
        Option("br4", "Black Rider 4", "BR4"),
    )
}
"""Every character, in the order of the keys; who plays one is known by its id."""

NAME = {i: Short(option.short or option.text, option.text) for i, option in CHARACTER.items()}
KIND = {i: RIDER if i.startswith("br") else HOBBIT for i in CHARACTER}
LARGEST, SMALLEST = 8, 2


@lru_cache(maxsize=256)
def others_first(players: tuple[str, ...], seat: str, *extra: Option) -> Options:
    """Return the other players in the order round the table from ``seat``, ``extra``, then everybody else."""
    here = players.index(seat) + 1 if seat in players else 0
    others = [p for p in players[here:] + players[:here] if p != seat]
    rest = [c for c in CHARACTER if c not in others]
    return Options((*(CHARACTER[p] for p in others), *extra, *(CHARACTER[c] for c in rest)))


@lru_cache(maxsize=256)
def line_up(number: int) -> tuple[str, ...]:
    """Return the usual line-up: Hobbits and Riders in turns.

    >>> line_up(3)
    ('frodo', 'br1', 'sam')
    """
    hobbits = [c for c in CHARACTER if KIND[c] == HOBBIT]
    riders = [c for c in CHARACTER if KIND[c] == RIDER]
    return tuple((riders if at % 2 else hobbits)[at // 2] for at in range(number))
