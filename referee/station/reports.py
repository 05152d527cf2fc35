"""The report of a finished game for the panel, written by a process of its own, so that no key waits."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final, TypeAlias

import referee
from referee.errors import StationError
from referee.files.players import beside

PATIENCE: Final = 300.0
"""Seconds a report may take; on a Raspberry Pi a long game takes half a minute."""
KEPT: Final = 2
"""Reports kept: with names of players, and without."""

Wanted: TypeAlias = tuple[int, int, tuple[tuple[str, str], ...]]
"""Which report: the game, its last entry, and who plays, by seat."""

_logger = logging.getLogger(__name__)


class Reports:
    """Has one report written at a time and keeps the latest; to be called from any thread."""

    def __init__(self, journal: Path) -> None:
        """``journal``: path of the journal the games are in."""
        self._journal = journal
        self._players = beside(journal.resolve())
        self._lock = threading.Lock()
        self._reports: dict[Wanted, bytes] = {}
        self._writer: threading.Thread | None = None

    def report(self, game: int, last: int, *, anonymous: bool = False) -> bytes:
        """Return the report of a game up to entry ``last``, empty while it is being written; returns at once.

        ``anonymous``: without the names of players; with them, it is written anew when one is changed or erased.
        Raises StationError if it could not be written; asking again begins again.
        """
        with self._lock:
            wanted = game, last, () if anonymous else tuple(self._players.names(game).items())
            written = self._reports.get(wanted)
            if written or (self._writer is not None and self._writer.is_alive()):
                return written or b""
            if written is not None:
                del self._reports[wanted]
                raise StationError("the report could not be written; the station's log says why")
            self._reports = dict([*self._reports.items()][1 - KEPT :]) | {wanted: b""}
            self._writer = threading.Thread(target=self._write, args=(wanted,), name="report", daemon=True)
            self._writer.start()
            return b""

    def _write(self, wanted: Wanted) -> None:
        game, _, players = wanted
        command = ["nice", "-n", "15", sys.executable, "-P", "-m", "referee", "report", str(game)]
        paths = (str(Path(referee.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
        try:
            done = subprocess.run(  # noqa: S603 - our own command
                [*command, "--journal", self._journal, *([] if players else ["--anonymous"])],
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
                self._reports[wanted] = done.stdout
