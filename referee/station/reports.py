"""The report of a finished game for the panel, written by a process of its own, so that no key waits."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

import referee
from referee.errors import StationError

PATIENCE: Final = 300.0
"""Seconds a report may take; on a Raspberry Pi a long game takes half a minute."""

_logger = logging.getLogger(__name__)


class Reports:
    """Has one report written at a time and keeps the latest; to be called from any thread."""

    def __init__(self, journal: Path) -> None:
        """``journal``: path of the journal the games are in."""
        self._journal = journal
        self._lock = threading.Lock()
        self._wanted: tuple[int, int] | None = None
        self._report = b""
        self._writer: threading.Thread | None = None

    def report(self, game: int, last: int) -> bytes:
        """Return the report of a game up to entry ``last``, empty while it is being written; returns at once.

        Raises StationError if it could not be written; asking again begins again.
        """
        with self._lock:
            if self._writer is not None and self._writer.is_alive():
                return b""
            if self._wanted != (game, last):
                self._wanted, self._report = (game, last), b""
                self._writer = threading.Thread(target=self._write, args=(game,), name="report", daemon=True)
                self._writer.start()
            elif not self._report:
                self._wanted = None
                raise StationError("the report could not be written; the station's log says why")
            return self._report

    def _write(self, game: int) -> None:
        command = ["nice", "-n", "15", sys.executable, "-P", "-m", "referee", "report", str(game)]
        paths = (str(Path(referee.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
        try:
            done = subprocess.run(  # noqa: S603 - our own command
                [*command, "--journal", self._journal],
                capture_output=True,
                timeout=PATIENCE,
                check=True,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            )
        except (OSError, subprocess.SubprocessError) as error:
            because = (
                error.stderr.decode(errors="replace") if isinstance(error, subprocess.CalledProcessError) else ""
            )
            _logger.error("the report of game %s was not written: %s %s", game, error, because)
        else:
            with self._lock:
                self._report = done.stdout
