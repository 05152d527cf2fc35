"""The hall's record on its way to the boxes: to each one message at a time, and again if it is not answered."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from referee.hall.uplink.copies import CHAIN, Store
from referee.hall.uplink.messages import Copy, Entries, Record, Refill
from referee.journal.sequence import Place

BATCHES: Final = 16
"""Most messages' worth of the record that are kept in memory."""


@dataclass(slots=True)
class Copying:
    """``record``: of the hall; ``term``: of the hall; ``patience``: how long a box may take to answer, s."""

    record: Store
    term: int
    patience: float
    ends: dict[str, Place | None] = field(default_factory=dict)
    """What each box said that it holds of this record, by key; None: nothing, or another record."""
    _asked: dict[int, float] = field(default_factory=dict)
    """When each connection was sent something that it has not answered yet."""
    _apart: set[int] = field(default_factory=set)
    """Connections of boxes whose copy of this term goes on otherwise than the record."""
    _end: Place | None = None
    _batches: dict[Place | None, Entries | None] = field(default_factory=dict)
    """What was read of the record as it is now, by the entry that it follows: two hundred boxes lack the same."""

    def look(self) -> None:
        """See what was written. Raises JournalError."""
        before, self._end = self._end, self.record.end()
        if self._end != before:
            self._batches.clear()

    def next(self, number: int, key: str, now: float) -> Record | Refill | None:
        """Return what to send to a connection, None for nothing now. Raises JournalError."""
        if self._end is None or number in self._apart or now - self._asked.get(number, -1e9) <= self.patience:
            return None
        if key not in self.ends:
            self._asked[number] = now
            return Refill(self._end.hash)
        here = self.ends[key]
        if here is not None and here.seq >= self._end.seq:
            return None
        batch = self._after(here)
        if batch is None:
            return None
        self._asked[number] = now
        return Record(batch.entries, batch.seals)

    def _after(self, here: Place | None) -> Entries | None:
        if here not in self._batches:
            if len(self._batches) >= BATCHES:
                self._batches.clear()
            self._batches[here] = self.record.after(here)
        return self._batches[here]

    def take(self, number: int, key: str, copy: Copy) -> str:
        """A box said what it holds; return what people must know of it, "" for nothing. Raises JournalError."""
        self._asked.pop(number, None)
        end = copy.end
        here = self.record.place(CHAIN, end.hash) if end else None
        self.ends[key] = here
        if end is None or here == end:
            return ""
        if copy.latest >= self.term:
            self._apart.add(number)
            return f"holds entry {end.seq} of term {copy.latest} ({end.hash[:16]}), which the record here lacks"
        return f"held entry {end.seq} of term {copy.latest} ({end.hash[:16]}), which the record does not contain"

    def closed(self, number: int) -> None:
        """Forget a connection."""
        self._asked.pop(number, None)
        self._apart.discard(number)

    def holders(self, seq: int, among: Collection[str]) -> int:
        """Return how many of these boxes hold the record up to an entry."""
        ends = (self.ends.get(key) for key in among)
        return sum(end is not None and end.seq >= seq for end in ends)
