"""Somebody who saw what was accepted, and compares it with what the journal on the disk holds afterwards."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from referee.session.chain import canonical
from referee.station.virtual.bench import Bench

Answer = tuple[int, int, str]
"""Game, number of the entry, and its answer as canonical JSON."""


def losses(accepted: set[Answer], journal: Path) -> tuple[int, int]:
    """Return how many accepted answers are not in the journal, and how many entries of it nobody saw accepted."""
    db = sqlite3.connect(journal)
    try:
        recorded = [(game, seq, answer) for game, seq, answer in db.execute("SELECT game, seq, answer FROM entries")]
    finally:
        db.close()
    return len(accepted - {*recorded}), len(recorded) - len(accepted & {*recorded})


class Witness:
    """Sees every answer that the station says it has accepted, and counts the presses that led there."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._presses = bench.presses
        self.accepted: set[Answer] = set()
        self.doubled = 0
        self.look()

    def look(self) -> None:
        """See what the session holds now. A stroke more than keys were pressed was taken twice."""
        session = self._bench.console.table.session
        if session is None or session.game_id is None:
            return
        seen = {(session.game_id, entry.seq, canonical(entry.answer)): entry for entry in session.entries}
        strokes = len(
            {seen[key].seq if seen[key].group is None else seen[key].group for key in seen.keys() - self.accepted}
        )
        if self.accepted:
            self.doubled += max(0, strokes - (self._bench.presses - self._presses))
        if strokes:
            self._presses = self._bench.presses
        self.accepted |= seen.keys()

    def losses(self, journal: Path) -> tuple[int, int]:
        """Return how many answers were lost, and how many were taken twice."""
        lost, more = losses(self.accepted, journal)
        return lost, self.doubled + more
