"""The journal of a box as its outbox: what was written after an entry, and whether it has an entry at all."""

from __future__ import annotations

from typing import Any, Protocol

from referee.errors import JournalDamaged
from referee.hall.uplink.messages import MOST_BYTES, MOST_ENTRIES, Entries
from referee.journal import Journal
from referee.journal.chain import canonical, walk
from referee.journal.proof import check_seals
from referee.journal.sequence import Place

_BATCH = MOST_BYTES // 2
"""Bytes of entries sent in one message, unless a single one is longer. The rest is room for seals."""


class Outbox(Protocol):
    """What the box's side of the uplink needs of a journal. Each method raises JournalError if it cannot be read."""

    def end(self) -> Place | None:
        """Return the entry written last."""

    def order(self, place: Place) -> int | None:
        """Return the number of the link before an entry; None if the journal has no such entry."""

    def after(self, place: Place | None) -> Entries | None:
        """Return what follows an entry, or begins the journal; None at the end."""

    def refill(self, batch: Entries) -> None:
        """Write what was lost, at the end of the journal. Raises JournalDamaged unless it is what was there."""


class JournalOutbox:
    """The outbox of a real journal. Only `refill` writes, so a journal open for reading does for all else."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def end(self) -> Place | None:
        """Return the entry written last."""
        return self._journal.end()

    def order(self, place: Place) -> int | None:
        """Return the number of the link before an entry; None if the journal has no such entry."""
        return self._journal.order(place)

    def place(self, game: int, digest: str) -> Place | None:
        """Return the entry of a game with that hash. Raises JournalError."""
        return self._journal.place(game, digest)

    def after(self, place: Place | None) -> Entries | None:
        """Return what follows an entry, or begins the journal; None at the end. Raises JournalError."""
        run = self._journal.following(place.game, place.seq) if place else self._journal.following(0, -1)
        if run is None:
            return None
        records: list[dict[str, Any]] = []
        size = 0
        for record in self._journal.records(run.game, run.first, min(run.last, run.first + MOST_ENTRIES - 1)):
            size += len(canonical(record))
            if records and size > _BATCH:
                break
            records.append(record)
        last = run.first + len(records) - 1
        return Entries(run.game, tuple(records), tuple(self._journal.seals(run.game, run.first, last)))

    def refill(self, batch: Entries) -> None:
        """Write what was lost, at the end of the journal. Raises JournalDamaged or JournalError, nothing written."""
        first = batch.entries[0].get("seq")
        start = first == 0 or type(first) is not int
        before = (-1, "") if start else self._journal.head(batch.game)
        walked = list(walk(batch.game, batch.entries, before))
        check_seals(batch.game, walked, batch.seals, linked=True)
        if any(chained.link is not None for chained in walked[1:]):
            raise JournalDamaged(f"game {batch.game}: expected entries of one run")
        self._journal.refill(batch.game, walked, batch.seals)
