"""What the seams share: how a part is run, and how a failure is told."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SHM = Path("/dev/shm")
FOLDER = SHM if SHM.is_dir() else None
"""Where the stations of a run keep their journals: a disk that syncs would be most of the time."""


class Broken(AssertionError):
    """Something happened that must not. ``given``: the input after which it did."""

    def __init__(self, why: str, given: object = b"") -> None:
        super().__init__(why)
        self.given = given


class Counted(NamedTuple):
    """What a part has seen: inputs, and those of them that were valid and taken."""

    inputs: int
    taken: int


Part = Callable[[random.Random, int], Counted]
"""Feeds so many inputs, drawn with that chance, to a seam. Raises Broken, or whatever the seam raised."""


class Ear(logging.Handler):
    """Hears every record that a program's fault leaves in the log: an error, or a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info or record.levelno >= logging.ERROR:
            self.faults.append(record.getMessage() + (f": {record.exc_info[1]!r}" if record.exc_info else ""))


def expect(holds: object, why: str, given: object) -> None:
    """Raise Broken unless it holds."""
    if not holds:
        raise Broken(why, given)
