"""How far a long command has come: a line on the terminal that goes at the end, and nothing in pipes and files."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 0.5
"""Seconds after which a command that still works says how far it has come."""
AGAIN = 0.1
"""Seconds between two times that it says so."""


class Line:
    """The line on the terminal. It moves no cursor but back to the line's begin, which every terminal can."""

    def __init__(self) -> None:
        self._width = 0

    def write(self, text: str) -> None:
        """Put this in place of what stands there."""
        shown = text[: shutil.get_terminal_size().columns - 1]
        print(f"\r{shown:{self._width or 1}}", end="", file=sys.stderr, flush=True)  # noqa: T201
        self._width = len(shown)

    def clear(self) -> None:
        """Take away what stands there, before anything else is printed."""
        if self._width:
            print(f"\r{'':{self._width}}\r", end="", file=sys.stderr, flush=True)  # noqa: T201
        self._width = 0


LINE = Line()


def progress(what: str, items: Sequence[T], clock: Callable[[], float] = time.monotonic) -> Iterator[T]:
    """Yield the items of a long command; at a terminal, say meanwhile how many are done."""
    due = clock() + PATIENCE
    try:
        for done, item in enumerate(items):
            if sys.stderr.isatty() and clock() >= due:
                LINE.write(f"{done} of {len(items)} {what}")
                due = clock() + AGAIN
            yield item
    finally:
        LINE.clear()


def watching(what: str) -> Callable[[Sequence[T]], Iterator[T]]:
    """Return what yields items and says how many are done."""
    return partial(progress, what)
