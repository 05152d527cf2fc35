"""What a spare box is sent of the game that it goes on with: parts, until all of it is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from referee.errors import JournalDamaged, Malformed
from referee.hall.uplink.messages import Takeover
from referee.journal.chain import Chained, walk
from referee.journal.sequence import Place
from referee.session import Entry

MOST: Final = 20_000
"""Entries of a game that is taken over: many times the longest game."""


@dataclass(frozen=True)
class Taken:
    """A game that is whole; its members are those of `Takeover`."""

    number: int
    old: str
    last: Place
    entries: tuple[Entry, ...]
    clocks: tuple[Mapping[str, Any], ...]


@dataclass(slots=True)
class Taking:
    """The parts so far."""

    _walked: list[Chained] = field(default_factory=list)

    def take(self, part: Takeover) -> Taken | None:
        """Take a part; return the game once it is whole. Raises Malformed for what does not hold."""
        if part.entries[0].get("seq") == 0:
            self._walked.clear()
        before = (self._walked[-1].entry.seq, self._walked[-1].hash) if self._walked else (-1, "")
        try:
            self._walked += walk(part.last.game, part.entries, before)
        except JournalDamaged as fault:
            self._walked.clear()
            raise Malformed(f"takeover: {fault}") from fault
        if len(self._walked) > MOST:
            self._walked.clear()
            raise Malformed(f"takeover: expected a game of at most {MOST} entries")
        end = self._walked[-1]
        if (end.entry.seq, end.hash) != part.last[1:]:
            return None
        entries = tuple(each.entry for each in self._walked)
        self._walked.clear()
        return Taken(part.number, part.old, part.last, entries, part.clocks)
