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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from referee.files import durable

_logger = logging.getLogger(__name__)

FAILED: Final = 3
"""So many starts in a row that failed lead to the safe mode."""

BARE: Final = 2
"""So many starts of the safe mode in a row that failed as well: from then on the journal is not opened."""

STOOD: Final = 30.0
"""Seconds after which a start has succeeded: longer than the watchdog of the service waits."""

_LONGEST: Final = 4096
"""Bytes of the file; a longer one is treated as damaged."""


@dataclass(frozen=True)
class Past:
    """What is known of the starts before this one.

    ``failed``  failed normal starts in a row
    ``safe``    failed starts of safe mode in a row
    ``why``     how the last of them ended, "" if nobody could say: killed, or without power
    ``asked``   the question that stood when the last one had taken the game up, "" if it had not come so far
    """

    failed: int = 0
    safe: int = 0
    why: str = ""
    asked: str = ""


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
        """Whether the next start has to be a safe one."""
        return self.past.failed >= FAILED

    @property
    def bare(self) -> bool:
        """Whether even the safe mode failed, so that the journal should be left alone."""
        return self.failing and self.past.safe >= BARE

    def begin(self) -> None:
        """Count a start that may come to nothing."""
        safe = self.past.safe + 1 if self.failing else 0
        failed = self.past.failed if self.failing else self.past.failed + 1
        self._write(replace(self.past, failed=failed, safe=safe))

    def again(self) -> None:
        """Count a normal start tried from the safe mode."""
        self._write(replace(self._now, failed=max(FAILED, self._now.failed), safe=0))

    def asking(self, question: str) -> None:
        """Note which question is pending."""
        self._write(replace(self._now, asked=question))

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

    def stood(self, *, safe: bool = False) -> None:
        """Take it that this start has succeeded. ``safe``: it was one of the safe mode, so the next one is, too."""
        if safe:
            self._write(replace(self._now, safe=0))
        else:
            self._remove()

    def _read(self) -> Past:
        try:
            if not self.path.is_file():  # a pipe would be waited for
                return Past()
            with self.path.open("rb") as file:
                fields = json.loads(file.read(_LONGEST))
            past = Past(**fields)
        except (OSError, ValueError, TypeError, RecursionError):
            return Past()
        kinds = {name: type(value) for name, value in asdict(Past()).items()}
        if any(type(value) is not kinds[name] for name, value in asdict(past).items()):
            return Past()
        return past if min(past.failed, past.safe) >= 0 else Past()

    def _write(self, now: Past) -> None:
        self._now = now
        if not self._ours:
            return
        short = replace(now, why=now.why[:400], asked=now.asked[:400])
        try:
            durable.replace(self.path, json.dumps(asdict(short)) + "\n", 0o644)
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

    def __init__(self, stood: Callable[[bool], None], place: Callable[[], object], now: float) -> None:
        """``place`` tells where the table is; ``stood`` hears whether it has moved on from there."""
        self._stood = stood
        self._place = place
        self._from = place()
        self._until: float | None = now + STOOD
        self._moved = False

    def again(self, now: float) -> None:
        """Watch another start, from here."""
        self._from, self._until, self._moved = self._place(), now + STOOD, False

    def deadline(self) -> float | None:
        """Return when `due` is wanted, None: never."""
        return self._until

    def due(self, now: float) -> None:
        """Look where the table is now."""
        if not self._moved and self._place() != self._from:
            self._until, self._moved = None, True
            self._stood(True)
        elif self._until is not None and now >= self._until:
            self._until = None
            self._stood(False)
