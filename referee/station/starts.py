"""Failed starts, counted in a small file beside the journal, so that a station in a crash loop can say so.

The time of day plays no part, since a Raspberry Pi may have no clock: what counts is how many starts *in a row*
failed. A start succeeds once the station has run for `STOOD` seconds, once an answer was accepted, or when it was
asked to stop; then the file is removed. It is written whole or not at all. A damaged file counts as none, and if it
cannot be written, that is logged.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from referee.files import durable

_logger = logging.getLogger(__name__)

FAILED: Final = 3
"""So many starts in a row that failed lead to the safe mode, until somebody has the box try again."""

STOOD: Final = 30.0
"""Seconds after which a start has succeeded: longer than the watchdog of the service waits."""

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


@dataclass(frozen=True)
class Past:
    """How many starts before this one failed in a row; ``why``: how the last ended, "" if nobody could say."""

    failed: int = 0
    why: str = ""


class Starts:
    """The file of one journal."""

    def __init__(self, journal: Path) -> None:
        journal = Path(os.path.realpath(journal))  # links that lead in a circle are no fault here
        self.path = journal.with_name(journal.name + ".starts")
        self.past = self._read()
        self._now = self.past
        self._ours = True

    @property
    def failing(self) -> bool:
        """Whether this start has to be a safe one."""
        return self.past.failed >= FAILED

    def begin(self) -> None:
        """Count a start that may come to nothing; a safe one does not count."""
        if not self.failing:
            self._write(replace(self.past, failed=self.past.failed + 1))

    def again(self) -> None:
        """Let the next start be a normal one."""
        if self.failing:
            self._write(Past(FAILED - 1))
        else:
            self._remove()

    def fell(self, why: str) -> None:
        """Note how this start ends."""
        self._write(replace(self._now, why=why))

    def withdraw(self) -> None:
        """Take it that this was no start after all: nothing is known but what was known before."""
        if self.past == Past():
            self._remove()
        else:
            self._write(self.past)

    def leave(self) -> None:
        """The journal, and so this file, is another station's: put it back as it was and touch it no more."""
        self.withdraw()
        self._ours = False

    def stood(self) -> None:
        """Take it that this start has succeeded. After a safe one the next is safe, too."""
        if not self.failing:
            self._remove()

    def _read(self) -> Past:
        try:
            if not self.path.is_file():  # a pipe would be waited for
                return Past()
            with self.path.open("rb") as file:
                past = Past(**json.loads(file.read(_LONGEST)))
        except (OSError, ValueError, TypeError, RecursionError):
            return Past()
        sound = type(past.failed) is int and past.failed >= 0 and isinstance(past.why, str)
        return past if sound else Past()

    def _write(self, now: Past) -> None:
        self._now = now
        if not self._ours:
            return
        try:
            durable.replace(self.path, json.dumps(asdict(replace(now, why=now.why[:400]))) + "\n", 0o644)
        except OSError as error:
            _logger.warning("starts cannot be counted: %s", error)

    def _remove(self) -> None:
        self._now = Past()
        if not self._ours:
            return
        try:
            durable.remove(self.path)
        except OSError as error:
            _logger.warning("starts cannot be counted: %s", error)


class Trial:
    """Watches whether a start succeeds: it has run for `STOOD` seconds, or an answer was accepted."""

    def __init__(self, stood: Callable[[], None], place: Callable[[], object], now: float) -> None:
        """``place`` tells where the table is; ``stood`` is called once, when it has moved on, or time has passed."""
        self._stood = stood
        self._place = place
        self._from = place()
        self._until: float | None = now + STOOD

    def deadline(self) -> float | None:
        """Return when `due` is wanted, None: never."""
        return self._until

    def due(self, now: float) -> None:
        """Look where the table is now."""
        if self._until is not None and (now >= self._until or self._place() != self._from):
            self._until = None
            self._stood()
