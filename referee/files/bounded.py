"""Files from outside: a path may name anything, ``/`` and ``/dev/zero`` too. Text is read with a bound."""

from __future__ import annotations

from pathlib import Path

MOST = 2**20
"""Bytes of the longest text file that is read whole: a configuration, a list of passes."""


def names_a_file(path: Path) -> bool:
    """Whether a path from outside can be that of a file: it ends in a name."""
    return path.name not in ("", "..")


def text(path: Path) -> str:
    """Return a text file of at most `MOST` bytes. Raises OSError, or ValueError saying what was expected."""
    with path.open("rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"expected a file of at most {MOST} bytes")
    return data.decode("utf-8")
