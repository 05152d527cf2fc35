"""What is counted, and how a failure is told."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from tests.components import MEMORY

FOLDER = MEMORY
"""Where the stations of a run keep their journals: a disk that syncs would be most of the time."""


class Broken(AssertionError):
    """Something happened that must not. ``after``: the input after which it did."""

    def __init__(self, why: str, after: object = b"") -> None:
        super().__init__(why)
        self.after = after


@dataclass
class Tally:
    """What a run has seen, counted as it goes.

    ``inputs``    what was fed; each is then judged to be one of the next two
    ``refused``   what was turned away, or passed over as nothing
    ``accepted``  what was valid and did what it says
    ``compared``  how often the state was held against what it was before
    """

    inputs: int = 0
    refused: int = 0
    accepted: int = 0
    compared: int = 0


class Ear(logging.Handler):
    """Hears every record that a program's fault leaves in the log: an error, or a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info or record.levelno >= logging.ERROR:
            self.faults.append(record.getMessage() + (f": {record.exc_info[1]!r}" if record.exc_info else ""))


def expect(holds: object, why: str, after: object) -> None:
    """Raise Broken unless it holds."""
    if not holds:
        raise Broken(why, after)
