"""Text files from outside, read with a bound: a path may name anything, ``/dev/zero`` too."""

from __future__ import annotations

from pathlib import Path

MOST = 2**20
"""Bytes of the longest text file that is read whole: a configuration, a list of passes."""


def text(path: Path) -> str:
    """Return a text file of at most `MOST` bytes. Raises OSError, or ValueError saying what was expected."""
    with path.open("rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"expected a file of at most {MOST} bytes")
    return data.decode("utf-8")
