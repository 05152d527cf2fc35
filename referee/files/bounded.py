"""Read files from outside with a size limit: a path may name anything, ``/dev/zero`` too."""

from __future__ import annotations

import re
from pathlib import Path

MOST = 2**20
"""Bytes of the longest text file that is read whole: a configuration, a list of passes."""

SHOWN = 200
"""Letters of a value that are shown in a message."""


_UNSEEN = r"[\s\u200b-\u200f\u2060\ufeff]+"
_ENDS = re.compile(f"^{_UNSEEN}|{_UNSEEN}$")


def trimmed(path: str) -> str:
    r"""Return a path from outside without what an editor left unseen at its ends.

    >>> trimmed("\ufeff/evenings/friday.db\r")
    '/evenings/friday.db'
    """
    return _ENDS.sub("", path)


def names_a_file(path: Path) -> bool:
    """Whether a path from outside can be that of a file: it ends in a name."""
    return path.name not in ("", "..")


def shown(value: object) -> str:
    """Return what a value from outside is, for a message: Python shows neither huge numbers nor deep nesting."""
    try:
        words = repr(value)
    except (ValueError, RecursionError):
        return "a value that is too large to show"
    return words if len(words) <= SHOWN else f"{words[:SHOWN]}..."


def data(path: Path) -> bytes:
    """Return a file of at most `MOST` bytes. Raises OSError, or ValueError saying what was expected."""
    with path.open("rb") as file:
        read = file.read(MOST + 1)
    if len(read) > MOST:
        raise ValueError(f"expected a file of at most {MOST} bytes")
    return read


def text(path: Path) -> str:
    """Return a text file that a program wrote, in UTF-8. Raises OSError, or ValueError saying what was expected."""
    return data(path).decode("utf-8")


def why(fault: OSError | ValueError) -> str:
    """Return why a file could not be read, without its path: whoever says so has named it."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
