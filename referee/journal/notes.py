"""Notes beside a game, such as its clocks: no rulebook reads them, and undo does not remove them.

They form a chain like that of a game; each names the entry of its game that it followed. Notes before the first
game belong to game 0 and follow nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.journal.file import Journal, beside
from referee.session import Entry

EDITION: Final = "1"
"""Edition of the notes: what is in them, and what it means."""


class Notes:
    """The notes beside one game of a journal. It is a `referee.session.Notebook`."""

    def __init__(self, journal: Journal, game: int, *, wall: Callable[[], float] = time.time) -> None:
        """``game``: 0 before the first; ``wall``: the time of day, s since 1970; it is only recorded."""
        self._journal = journal
        self.game = game
        self._wall = wall

    def add(self, extra: Mapping[str, Any], *, seat: str = "", source: str = "", at: float = 0.0) -> None:
        """Write a note; the first one begins the chain. Raises JournalError with no note written."""
        of = self._of()
        chain = self._journal.notes_beside(self.game)
        if chain is None:
            start = Entry(0, "start", EDITION, answer=beside(self.game), source=source, at=at, wall=self._wall())
            chain = self._journal.begin(start.answer["book"], start)
        last, _ = self._journal.head(chain)
        note = Entry(
            last + 1, "note", EDITION, seat=seat, source=source, at=at, wall=self._wall(), extra={**of, **extra}
        )
        self._journal.append(chain, [note])

    def _of(self) -> dict[str, Any]:
        """Return which entry of the game a note follows; nothing before the first game."""
        if not self.game:
            return {}
        seq, head = self._journal.head(self.game)
        return {"of": {"game": self.game, "seq": seq, "hash": head}}

    def read(self) -> list[Entry]:
        """Return all notes, the oldest first, their chain checked. Raises JournalDamaged or JournalError."""
        chain = self._journal.notes_beside(self.game)
        return [] if chain is None else self._journal.entries(chain)[1:]
