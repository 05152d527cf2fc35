"""A journal in memory: real entries, hashes, links and seals, without a file, so that a test can have hundreds."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

from nacl.signing import SigningKey

from referee.errors import JournalDamaged
from referee.hall.uplink.copies import RecordCopies
from referee.hall.uplink.messages import Entries
from referee.journal.chain import digest, ends, first_link, next_link
from referee.journal.seal import Seal, Signer
from referee.journal.sequence import Place
from referee.session import Entry

BATCH = 7
"""Entries of one message: few, so that short journals need many."""


def signer(seed: int) -> Signer:
    """Return the key of a box."""
    return Signer(SigningKey(random.Random(seed).randbytes(32)))


@dataclass
class MemoryCopies:
    """The copies of a record on a box without a disk; `opened` is what a box that starts has of them."""

    stores: dict[int, MemoryJournal] = field(default_factory=dict)

    def opened(self) -> RecordCopies:
        return RecordCopies(list(self.stores), lambda term: self.stores.setdefault(term, MemoryJournal(signer(0))))


@dataclass(frozen=True)
class Written:
    """An entry where it was written. ``order``: number of the link before it."""

    place: Place
    order: int
    record: dict[str, Any]
    seal: Seal | None


@dataclass
class MemoryJournal:
    """See the module. It is a `referee.hall.uplink.outbox.Outbox`."""

    signer: Signer
    log: list[Written] = field(default_factory=list)
    _at: dict[str, int] = field(default_factory=dict)

    def copy(self, length: int) -> MemoryJournal:
        """Return a copy of its first entries, as an older image of the same card has them."""
        log = self.log[:length]
        return MemoryJournal(self.signer, log, {each.place.hash: at for at, each in enumerate(log)})

    def write(self, game: int, kind: str, answer: Any, *, over: bool = False) -> None:
        """Write an entry of a game; 0: a new game."""
        self.put(game, Entry(0, kind, "1", answer=answer, result={"over": {"winners": []}} if over else None))

    def put(self, game: int, entry: Entry) -> Place:
        """Write an entry as the next one of a game, with whatever number that has; a start begins a new game."""
        last = self.log[-1] if self.log else None
        if entry.kind == "start":
            game = 1 + max((each.place.game for each in self.log), default=0)
        tail = next((each.place for each in reversed(self.log) if each.place.game == game), Place(game, -1, ""))
        link, order = None, last.order if last else 0
        if last is None:
            link = first_link([])
        elif last.place.game != game:
            link = next_link(order + 1, *last.place)
        entry = replace(entry, seq=tail.seq + 1)
        now = digest(game, entry, tail.hash, link)
        record = entry.as_json() | {"game": game, "prev": tail.hash, "hash": now}
        needs_seal = link is not None or entry.kind in ("start", "leave") or ends(record)
        seal = self.signer.seal(game, entry.seq, now) if needs_seal else None
        place = Place(game, entry.seq, now)
        self._append(Written(place, order + (link is not None), _with(record, link), seal))
        return place

    def play(self, chance: random.Random) -> None:
        """Write something a table might: a new game, an answer, the end of a game, or another game taken up again."""
        games = sorted({each.place.game for each in self.log})
        if not games or chance.random() < 0.05:
            answer = {"book": "skirmish", "ruling": None, "settings": {"lot": chance.getrandbits(32)}}
            self.write(0, "start", answer)
            return
        game = self.log[-1].place.game if chance.random() < 0.95 else chance.choice(games)
        self.write(game, "answer", [chance.getrandbits(32)], over=chance.random() < 0.05)

    def batches(self) -> list[Entries]:
        """Return the messages that carry all of it."""
        batches: list[Entries] = []
        end = None
        while batch := self.after(end):
            batches.append(batch)
            end = Place(batch.game, batch.entries[-1]["seq"], batch.entries[-1]["hash"])
        return batches

    # -- the outbox ----------------------------------------------------------------------------------------------

    def end(self) -> Place | None:
        """See Outbox."""
        return self.log[-1].place if self.log else None

    def order(self, place: Place) -> int | None:
        """See Outbox."""
        at = self._at.get(place.hash)
        return None if at is None or self.log[at].place != place else self.log[at].order

    def place(self, game: int, digest: str) -> Place | None:
        """See Store."""
        at = self._at.get(digest)
        return None if at is None else self.log[at].place

    def after(self, place: Place | None) -> Entries | None:
        """See Outbox."""
        start = 0 if place is None else self._at[place.hash] + 1
        run = self.log[start : start + BATCH]
        run = [each for each in run if each.order == run[0].order]
        if not run:
            return None
        seals = tuple(each.seal for each in run if each.seal is not None)
        return Entries(run[0].place.game, tuple(each.record for each in run), seals)

    def refill(self, batch: Entries) -> None:
        """See Outbox."""
        seals = {seal.seq: seal for seal in batch.seals}
        for record in batch.entries:
            last = self.log[-1] if self.log else None
            order = last.order if last else 0
            link = record.get("link")
            before = (link.get("hash", "") if link else record["prev"]) if last else ""
            if before != (last.place.hash if last else ""):
                raise JournalDamaged(f"expected what follows {last}")
            place = Place(batch.game, record["seq"], record["hash"])
            self._append(Written(place, order + (link is not None), dict(record), seals.get(record["seq"])))

    def _append(self, written: Written) -> None:
        self._at[written.place.hash] = len(self.log)
        self.log.append(written)


def _with(record: dict[str, Any], link: Any) -> dict[str, Any]:
    return record if link is None else record | {"link": link}
