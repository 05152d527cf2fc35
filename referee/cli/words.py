"""What people type: the beginning of a name is enough where it means one, and a slip is answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def beginning(word: str, known: Iterable[str]) -> list[str]:
    """Return the name that a word is, else the names it begins.

    >>> beginning("re", ["report", "replay"]), beginning("log", ["log", "login"]), beginning("", ["log"])
    (['report', 'replay'], ['log'], [])
    """
    names = list(known)
    return [word] if word in names else [name for name in names if word and name.startswith(word)]


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Return the question after the known name that is nearest, "" if none is near.

    >>> did_you_mean("odd", ["log", "odds"]), did_you_mean("sing", ["log", "odds"])
    ("; did you mean 'odds'?", '')
    """
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
