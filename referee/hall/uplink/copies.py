"""The copy of the hall's record on a box: of each event the box ever played in, beside its journal.

A copy is a journal itself: sealed, append-only, each message of it durable before it is told to the hall. Where a
rebuilt hall goes on otherwise than the copy does, another one is begun; the first one stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from referee.errors import JournalDamaged, JournalError
from referee.hall.uplink.messages import Copy, Entries, Record
from referee.hall.uplink.outbox import JournalOutbox
from referee.journal import Journal
from referee.journal.sequence import Place

FOLDER: Final = "records"
"""Beside the journal of the box."""
CHAIN: Final = 1
"""Number of the record's chain, the only one in its journal."""
MOST: Final = 100_000
"""Entries of a record that are copied."""
_NONE: Final = Copy(0, 0, None)


class Store(Protocol):
    """What is needed of a journal that holds a copy. Each method raises JournalError."""

    def end(self) -> Place | None:
        """Return the entry written last."""

    def place(self, game: int, digest: str) -> Place | None:
        """Return the entry with that hash."""

    def after(self, place: Place | None) -> Entries | None:
        """Return what follows an entry, or begins the journal; None at the end."""

    def refill(self, batch: Entries) -> None:
        """Write entries at the end. Raises JournalDamaged unless they hold."""


def latest_term(records: Iterable[Mapping[str, Any]], before: int = 0) -> int:
    """Return the last term that entries of a record name. ``before``: the one before them."""
    for record in records:
        term = record.get("extra", {}).get("term")
        if isinstance(term, dict) and type(term.get("number")) is int:
            before = term["number"]
    return before


def rank(copy: Copy) -> tuple[int, int]:
    """Return what orders copies: a later term is better, then more entries."""
    return copy.latest, copy.end.seq if copy.end else -1


def follows(record: Record, end: Place | None) -> bool:
    """Whether entries go on after that entry; None: begin the record."""
    first = record.entries[0]
    return (first.get("seq"), first.get("prev")) == ((end.seq + 1, end.hash) if end else (0, ""))


def everything(store: Store) -> Iterator[Mapping[str, Any]]:
    """Yield all entries of a copy."""
    place = None
    while batch := store.after(place):
        yield from batch.entries
        place = Place(CHAIN, batch.entries[-1]["seq"], batch.entries[-1]["hash"])


@dataclass(slots=True)
class _Copy:
    """``begun``: term of the hall from which its first entry came; ``latest``: the last term in it."""

    begun: int
    store: Store
    latest: int = field(init=False)

    def __post_init__(self) -> None:
        self.latest = latest_term(everything(self.store))

    def state(self) -> Copy:
        return Copy(0, self.latest, self.store.end())


class RecordCopies:
    """The copies of one event."""

    def __init__(self, begun: Iterable[int], opened: Callable[[int], Store]) -> None:
        """``begun``: terms in which those that are there were begun; ``opened``: opens or makes the one of a term."""
        self._opened = opened
        self._copies = [_Copy(term, opened(term)) for term in sorted(begun)]

    def state(self) -> Copy:
        """Return what there is of the copy that is written now."""
        return self._copies[-1].state() if self._copies else _NONE

    def best(self) -> Copy:
        """Return what there is of the best copy, which is given to a hall that is being rebuilt."""
        return max((each.state() for each in self._copies), key=rank, default=_NONE)

    def following(self, after: str) -> Record | None:
        """Return what follows an entry in the best copy, None for nothing. ``after``: its hash, "" for the start."""
        best = max(self._copies, key=lambda each: rank(each.state()), default=None)
        place = best.store.place(CHAIN, after) if best and after else None
        batch = best.store.after(place) if best and (place or not after) else None
        return None if batch is None else Record(batch.entries, batch.seals)

    def take(self, record: Record, term: int) -> None:
        """Write what follows the end of the copy; what does not is passed over. ``term``: of the hall it is from.

        Raises JournalDamaged for entries that do not hold, JournalError.
        """
        copy = self.state()
        anew = copy.end is not None and follows(record, None) and term > max(self._copies[-1].begun, copy.latest)
        if not anew and not follows(record, copy.end):
            return
        if record.entries[-1].get("seq", 0) >= MOST:
            raise JournalDamaged(f"expected a record of at most {MOST} entries")
        if anew or not self._copies:
            self._copies.append(_Copy(term, self._opened(term)))
        copies = self._copies[-1]
        copies.store.refill(Entries(CHAIN, record.entries, record.seals))
        copies.latest = latest_term(record.entries, copies.latest)


@contextmanager
def on_disk(folder: Path, event: str) -> Iterator[RecordCopies]:
    """Open the copies of an event, for one thread. ``folder``: of the box's journal. Raises JournalError."""
    name, place = re.compile(rf"{event[:32]}-(\d{{1,16}})\.db"), folder / FOLDER
    with ExitStack() as journals:

        def opened(term: int) -> Store:
            return JournalOutbox(journals.enter_context(Journal(place / f"{event[:32]}-{term}.db")))

        try:
            place.mkdir(exist_ok=True)
            there = [name.fullmatch(path.name) for path in place.iterdir()]
        except OSError as fault:
            raise JournalError(f"{place}: copies of the hall's record cannot be kept: {fault.strerror}") from fault
        yield RecordCopies([int(match[1]) for match in there if match], opened)
