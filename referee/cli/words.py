"""What people type: a slip is answered with what was meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Return the question after the known name that is nearest, "" if none is near.

    >>> did_you_mean("odd", ["log", "odds"]), did_you_mean("sing", ["log", "odds"])
    ("; did you mean 'odds'?", '')
    """
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
