"""A limit on the log records that strangers can cause."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from referee.web.pace import Pace

LOGGERS: Final = (
    "asyncio",
    "uvicorn.error",
    "referee.web.pairing",
    "referee.web.pair_endpoint",
    "referee.web.passes",
)
RATE: Final = 0.2
BURST: Final = 50
"""Records a second, and at once, of one logger; a record with a traceback has some kilobytes."""


class LogLimit(logging.Filter):
    """Passes that many records; the first one after a gap says how many were dropped."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._pace = Pace(RATE, BURST)
        self._dropped = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a record."""
        if not self._pace.allows(self._clock()):
            self._dropped += 1
            return False
        if self._dropped:
            record.msg, record.args = f"{record.getMessage()} ({self._dropped} more were dropped)", ()
            self._dropped = 0
        return True
