"""Numbers as people say them in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

IS: Final[Mapping[str, str]] = {
    "draft": "is a draft",
    "published": "is published and has not started",
    "started": "has started",
    "ended": "has ended",
}
"""How a round is, by its state."""


def listed(words: Iterable[str]) -> str:
    """Return words as a sentence lists them.

    >>> listed(["1"]), listed(["1", "2"]), listed(["1", "2", "3"])
    ('1', '1 and 2', '1, 2 and 3')
    """
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def named_tables(numbers: Iterable[int]) -> str:
    """Return the tables of these numbers in words.

    >>> named_tables([3]), named_tables([1, 2, 3])
    ('table 3', 'tables 1, 2 and 3')
    """
    words = [str(number) for number in numbers]
    return f"table{'s' if len(words) > 1 else ''} {listed(words)}"
