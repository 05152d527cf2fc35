"""Notes beside a game: clocks, and whatever else no rulebook reads and no undo takes back.

They are a chain like that of a game, with seals and links; each names the entry of its game that it followed.
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
        """``wall``: the time of day, s since 1970; it is only recorded."""
        self._journal = journal
        self._game = game
        self._wall = wall

    def add(self, extra: Mapping[str, Any], *, seat: str = "", source: str = "", at: float = 0.0) -> None:
        """Write a note, sealed; the first one begins the chain. Raises JournalError with no note written."""
        seq, head = self._journal.head(self._game)
        chain = self._journal.notes_beside(self._game)
        if chain is None:
            start = Entry(0, "start", EDITION, answer=beside(self._game), source=source, at=at, wall=self._wall())
            chain = self._journal.begin(start.answer["book"], start)
        of = {"game": self._game, "seq": seq, "hash": head}
        last, _ = self._journal.head(chain)
        note = Entry(
            last + 1, "note", EDITION, seat=seat, source=source, at=at, wall=self._wall(), extra={"of": of, **extra}
        )
        self._journal.append(chain, [note], seal=True)

    def read(self) -> list[Entry]:
        """Return all notes, the oldest first, their chain checked. Raises JournalDamaged or JournalError."""
        chain = self._journal.notes_beside(self._game)
        return [] if chain is None else self._journal.entries(chain)[1:]
