"""Failed starts, counted in a small file beside the journal, so that a station in a crash loop can say so.

The time of day plays no part, since a Raspberry Pi may have no clock: what counts is how many starts *in a row*
failed. A damaged file counts as none, and if it cannot be written, that is logged.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from referee.files import durable

_logger = logging.getLogger(__name__)

FAILED: Final = 3
"""So many starts in a row that failed lead to the safe mode, until somebody has the box try again."""

_LONGEST: Final = 4096
"""Bytes of the file; a longer one is treated as damaged."""


class StartAgain(Exception):
    """Somebody wants the station to start anew, from its safe mode."""


def until_over(run: Callable[[ExitStack], None]) -> None:
    """Run a station, with the parts that it puts on a stack, and another one each time that its safe mode is left."""
    over = False
    while not over:
        with suppress(StartAgain), ExitStack() as parts:
            run(parts)
            over = True


class Starts:
    """The file of one journal. ``failed``: starts in a row before this one; ``why``: how the last of them ended."""

    def __init__(self, journal: Path) -> None:
        journal = Path(os.path.realpath(journal))  # links that lead in a circle are no fault here
        self.path = journal.with_name(journal.name + ".starts")
        self.failed, self.why = self._read()
        self._ours = True

    @property
    def failing(self) -> bool:
        """Whether this start has to be a safe one."""
        return self.failed >= FAILED

    def begin(self) -> None:
        """Count a start that may come to nothing; a safe one does not count."""
        if not self.failing:
            self._write(self.failed + 1, self.why)

    def again(self) -> None:
        """Let the next start be a normal one."""
        self._write(FAILED - 1 if self.failing else 0)

    def fell(self, why: str) -> None:
        """Note how this start ends."""
        self._write(self.failed + (not self.failing), why)

    def withdraw(self) -> None:
        """Take it that this was no start after all."""
        self._write(self.failed, self.why)

    def leave(self) -> None:
        """The journal, and so this file, is another station's: put it back as it was and touch it no more."""
        self.withdraw()
        self._ours = False

    def stood(self) -> None:
        """Take it that this start has succeeded. After a safe one the next is safe, too."""
        if not self.failing:
            self._write(0)

    def _read(self) -> tuple[int, str]:
        try:
            if not self.path.is_file():  # a pipe would be waited for
                return 0, ""
            with self.path.open("rb") as file:
                past = json.loads(file.read(_LONGEST))
            failed, why = past["failed"], past["why"]
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return 0, ""
        sound = type(failed) is int and failed >= 0 and isinstance(why, str)
        return (failed, why) if sound else (0, "")

    def _write(self, failed: int, why: str = "") -> None:
        if not self._ours:
            return
        try:
            if failed:
                text = json.dumps({"failed": failed, "why": why[:400]}) + "\n"
                durable.replace(self.path, text, 0o644)
            else:
                durable.remove(self.path)
        except OSError as error:
            _logger.warning("starts cannot be counted: %s", error)
