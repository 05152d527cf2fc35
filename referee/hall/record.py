"""The hall's record: the acts of an event in a sealed chain of a journal of its own.

Entry 0 is of the kind ``start`` and the book ``tournament``; each other one is a ``note`` with an act in ``extra``.
What is done together is one commit, sealed at its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.errors import JournalError, JournalNewer, Malformed
from referee.journal import Journal
from referee.journal.export import export
from referee.session import Entry
from referee.tournament.acts import Act, read_act

BOOK: Final = "tournament"
"""What stands in the place of a rulebook's id."""
EDITION: Final = "1"


class Record:
    """The record of one event, open for writing. Only one hall at a time may write it."""

    def __init__(self, path: Path, *, wall: Callable[[], float] = time.time) -> None:
        """Open it; begin it where there is none. ``wall``: the time of day, s since 1970; it is only recorded.

        Raises JournalBusy if another hall writes it, JournalDamaged if the file is none, JournalError otherwise.
        """
        self._wall = wall
        self.journal = Journal(path)
        try:
            chains = [each.game for each in self.journal.games() if each.book == BOOK]
            self.chain = chains[0] if chains else self._begin()
        except BaseException:
            self.journal.close()
            raise

    def close(self) -> None:
        """Close it and let another hall write it."""
        self.journal.close()

    def identity(self) -> str:
        """Return the hash of entry 0, by which boxes know this event."""
        return str(next(self.journal.records(self.chain, 0, 0))["hash"])

    def append(self, acts: Sequence[Act]) -> None:
        """Write acts as one sealed commit, durable when this returns. Raises JournalError with nothing written."""
        last, _ = self.journal.head(self.chain)
        entries = [
            Entry(last + number, "note", EDITION, by=act.who, wall=self._wall(), extra={"act": act.as_json()})
            for number, act in enumerate(acts, 1)
        ]
        self.journal.append(self.chain, entries, seal=True)

    def acts(self) -> list[Act]:
        """Return all acts in order, the chain checked. Raises JournalError: damaged, or of a later release."""
        _, *notes = self.journal.entries(self.chain)
        return [self._act(entry) for entry in notes]

    def _begin(self) -> int:
        if self.journal.games():
            raise JournalError(f"{self.journal.path}: expected the record of an event, got games of a box")
        answer: dict[str, object] = {"book": BOOK, "settings": {}, "ruling": None, "repeat": False}
        return self.journal.begin(BOOK, Entry(0, "start", EDITION, answer=answer, wall=self._wall()))

    def _act(self, entry: Entry) -> Act:
        try:
            return read_act(entry.extra.get("act"))
        except Malformed as fault:
            where = f"{self.journal.path}: entry {entry.seq}"
            raise JournalNewer(f"{where}: expected an act that this release knows: {fault.text}") from None


def exported(path: Path) -> Iterator[str]:
    """Yield the lines of the event file; a hall may write the record meanwhile. Raises JournalError."""
    with Journal(path, write=False) as journal:
        chains = [each.game for each in journal.games() if each.book == BOOK]
        if not chains:
            raise JournalError(f"{path}: expected the record of an event")
        yield from export(journal, chains[0])
