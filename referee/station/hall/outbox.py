"""What of the journal the hall does not have: the journal is the only outbox, and the hall says where it stands.

A game is known by the hash of its entry 0; the notes beside it are another one. Nothing is remembered of what was
sent: who asks learns what the hall has, and goes on from there. A hall that was restored is filled again like that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from referee.journal import Journal
from referee.session.chain import canonical
from referee.session.wish import KINDS, Have

ENTRIES: Final = 64  # entries of one call at most
BYTES: Final = 65_536  # bytes of one call, unless a single entry is longer
NONE: Final = -1  # what is the last entry of a game of which there is none


@dataclass(frozen=True, slots=True)
class Part:
    """Entries of a game that follow entry ``after``. None of them: the hall is asked what it has."""

    game: str
    after: int
    entries: tuple[bytes, ...]

    @property
    def body(self) -> bytes:
        """They as JSON Lines."""
        return b"".join(line + b"\n" for line in self.entries)


@dataclass(frozen=True, slots=True)
class Act:
    """What a table says to the desk. ``id``: hash of its note in the journal; ``kind``: one of `KINDS`."""

    id: str
    kind: str
    members: Mapping[str, Any]

    @property
    def body(self) -> bytes:
        """It as it is sent."""
        return canonical({**self.members, "id": self.id, "kind": self.kind}).encode("ascii")


@dataclass(slots=True)
class _Chain:
    """``first``: hash of its entry 0; ``has``: the last entry that the hall has, None: it was not asked.

    ``other``: the hall has another entry; ``read``: up to where it was looked for acts
    """

    number: int
    first: str
    last: int
    head: str
    has: int | None = None
    other: bool = False
    read: int = 0


@dataclass(slots=True)
class Outbox:
    """Whose journal, and from which game on: what was played before the box was added is nobody's business.

    ``most``  entries of a call; fewer where calls take too long
    ``acts``  what the table ever said to the desk, the oldest first
    """

    journal: Journal
    since: int
    most: int = ENTRIES
    acts: list[Act] = field(default_factory=list)
    _chains: dict[int, _Chain] = field(default_factory=dict)

    def look(self) -> None:
        """See what was written. Raises JournalError."""
        for each in self.journal.games():
            if each.game < self.since:
                continue
            if each.game not in self._chains:
                (start,) = self.journal.records(each.game, 0, 0)
                self._chains[each.game] = _Chain(each.game, start["hash"], 0, start["hash"])
            chain = self._chains[each.game]
            chain.last, chain.head = each.entries - 1, each.head
            if each.notes and chain.read < chain.last:
                for record in self.journal.records(chain.number, chain.read + 1, chain.last):
                    extra = record.get("extra", {})
                    self.acts += [Act(record["hash"], kind, extra[kind]) for kind in KINDS if kind in extra]
                chain.read = chain.last

    def next(self) -> Part | None:
        """Return what to send, the newest game first; None where the hall has everything. Raises JournalError."""
        for chain in sorted(self._chains.values(), key=lambda each: -each.number):
            if chain.other or chain.has == chain.last:
                continue
            if chain.has is None:
                return Part(chain.first, chain.last, ())
            return Part(chain.first, chain.has, self._entries(chain, chain.has + 1))
        return None

    def _entries(self, chain: _Chain, first: int) -> tuple[bytes, ...]:
        lines: list[bytes] = []
        size = 0
        for record in self.journal.records(chain.number, first, min(chain.last, first + self.most - 1)):
            line = canonical(record).encode("ascii")
            size += len(line)
            if lines and size > BYTES:
                break
            lines.append(line)
        return tuple(lines)

    def take(self, have: Have) -> bool:
        """The hall has a game so far.

        Return False where this box has another entry there: its journal was set back, or copied. What follows of
        that game is not sent. A game that is not of this journal changes nothing. Raises JournalError.
        """
        chain = next((each for each in self._chains.values() if each.first == have.game), None)
        if chain is None:
            return True
        chain.other = have.last > chain.last or (have.last > NONE and self._hash(chain, have.last) != have.hash)
        chain.has = have.last
        return not chain.other

    @property
    def others(self) -> list[str]:
        """The games of which the hall has other entries, by the hash of entry 0."""
        return [each.first for each in self._chains.values() if each.other]

    @property
    def total(self) -> int:
        """How many entries there are of the event, but for games of which the hall has others."""
        return sum(each.last + 1 for each in self._chains.values() if not each.other)

    def _hash(self, chain: _Chain, seq: int) -> str:
        if seq == chain.last:
            return chain.head
        return "".join(str(record["hash"]) for record in self.journal.records(chain.number, seq, seq))

    def ask(self) -> None:
        """Ask of every game what the hall has: it may be another one, or restored."""
        for chain in self._chains.values():
            chain.has, chain.other = None, False

    def name(self, number: int) -> str:
        """Return the hash of entry 0 of a game of this journal, "" where it was not seen."""
        chain = self._chains.get(number)
        return "" if chain is None else chain.first

    def slower(self) -> None:
        """A call has taken too long: send less at once."""
        self.most = max(1, self.most // 4)

    def faster(self) -> None:
        """A call was in time: send more at once."""
        self.most = min(ENTRIES, self.most * 2)
