"""The hall's record: the acts of an event in a sealed chain of a journal of its own.

Entry 0 is of the kind ``start`` and the book ``tournament``, with the public half of the event key. Each other one is
a ``note`` with one thing in ``extra``: an act; a term, which says whose key seals what follows; or a box that is let
in, or no more. What is done together is one commit, sealed at its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from referee.errors import JournalDamaged, JournalError, JournalNewer, Malformed
from referee.hall.event_key import FILE, EventKey, fresh, save
from referee.hall.event_key import read as read_key
from referee.hall.store import RECORD, journal
from referee.hall.uplink.copies import CHAIN
from referee.hall.uplink.rebuild import Chain
from referee.hall.uplink.term import Term, certify
from referee.journal import seal
from referee.journal.chain import first_link, walk
from referee.journal.export import Checking, export
from referee.journal.proof import check_seals
from referee.session import Entry
from referee.tournament.acts import Act, read_act

BOOK: Final = "tournament"
"""What stands in the place of a rulebook's id."""
EDITION: Final = "1"


class Record:
    """The record of one event, open for writing. Only one hall at a time may write it."""

    chain: Final = CHAIN

    def __init__(
        self, path: Path, *, wall: Callable[[], float] = time.time, least: int = 1, unheard: Sequence[str] = ()
    ) -> None:
        """Open it; begin it where there is none, and the next term where another hall wrote it last.

        ``wall``: the time of day, s since 1970; it is only recorded. ``least``: number of a new term at least;
        ``unheard``: keys of boxes that may have had more of the record.
        Raises JournalBusy if another hall writes it, JournalDamaged if the file is none, JournalError otherwise.
        """
        self._wall = wall
        self.journal = journal(path)
        try:
            self._folder = self.journal.path.parent
            self.signer = seal.signer(self._folder)
            self.event = self._event() if self.journal.games() else self._begin()
            notes = self._notes()
            self.terms = [_term(entry.extra) for entry in notes if "term" in entry.extra]
            self.published = _latest_publication(notes)
            """Number of the entry with the latest publication, 0 before the first."""
            if not self.terms or self.terms[-1].hall != self.signer.public:
                self._take_over(least, unheard)
        except BaseException:
            self.journal.close()
            raise

    def close(self) -> None:
        """Close it and let another hall write it."""
        self.journal.close()

    @property
    def term(self) -> Term:
        """The term of this hall."""
        return self.terms[-1]

    def append(self, acts: Sequence[Act]) -> None:
        """Write acts as one sealed commit, durable when this returns. Raises JournalError with nothing written."""
        self._write([(act.who, {"act": act.as_json()}) for act in acts])

    def acts(self) -> list[Act]:
        """Return all acts in order, the chain checked. Raises JournalError: damaged, or of a later release."""
        notes = self._notes()
        self.published = _latest_publication(notes)
        return [self._act(entry) for entry in notes if not entry.extra.keys() & {"term", "box"}]

    def admit(self, key: str, *, allowed: bool = True) -> None:
        """Write that a box is let in, or no more. ``key``: its public key, in hex. Raises JournalError."""
        self._write([("", {"box": {"key": key, "allowed": allowed}})])

    def boxes(self) -> list[str]:
        """Return the keys of the boxes that are let in. Raises JournalError."""
        return admitted(entry.extra for entry in self._notes())

    def _notes(self) -> list[Entry]:
        return self.journal.entries(CHAIN)[1:]

    def _write(self, extras: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        (last, _), wall = self.journal.head(CHAIN), self._wall()
        entries = [
            Entry(last + number, "note", EDITION, by=by, wall=wall, extra=extra)
            for number, (by, extra) in enumerate(extras, 1)
        ]
        self.journal.append(CHAIN, entries, seal=True)
        self.published = max((entry.seq for entry in entries if _publishes(entry.extra)), default=self.published)

    def _take_over(self, least: int, unheard: Sequence[str]) -> None:
        key = read_key(self._folder / FILE)
        if key.signer.public != self.event:
            raise JournalError(f"{self._folder / FILE}: expected the key of this event")
        number = max(least, self.terms[-1].number + 1 if self.terms else 1)
        term = certify(key.signer, number, self.signer.public)
        self._write([("", {"term": term._asdict() | {"unheard": list(unheard)}})])
        self.terms.append(term)

    def _begin(self) -> str:
        path = self._folder / FILE
        key = read_key(path) if path.exists() else fresh()
        save(self._folder, key)
        answer: dict[str, object] = {"book": BOOK, "settings": {}, "ruling": None, "repeat": False}
        event = key.signer.public
        self.journal.begin(BOOK, Entry(0, "start", EDITION, answer=answer, wall=self._wall(), extra={"event": event}))
        return event

    def _event(self) -> str:
        first = next(self.journal.records(CHAIN, 0, 0), {})
        event = first.get("extra", {}).get("event")
        if first.get("answer", {}).get("book") != BOOK or not isinstance(event, str):
            raise JournalError(f"{self.journal.path}: expected the record of an event with an event key")
        return event

    def _act(self, entry: Entry) -> Act:
        try:
            return read_act(entry.extra.get("act"))
        except Malformed as fault:
            where = f"{self.journal.path}: entry {entry.seq}"
            raise JournalNewer(f"{where}: expected an act that this release knows: {fault.text}") from None


def admitted(extras: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the keys of the boxes that are let in after all these entries, in the order in which they were first."""
    boxes = {each["box"]["key"]: each["box"]["allowed"] for each in extras if "box" in each}
    return [key for key, allowed in boxes.items() if allowed]


def _latest_publication(notes: Iterable[Entry]) -> int:
    return max((entry.seq for entry in notes if _publishes(entry.extra)), default=0)


def _publishes(extra: Mapping[str, Any]) -> bool:
    return bool(extra.get("act", {}).get("act") == "round published")


def _term(extra: Mapping[str, Any]) -> Term:
    try:
        return Term(*(extra["term"][name] for name in Term._fields))
    except (KeyError, TypeError) as fault:
        raise JournalDamaged(f"expected a term in the record: {fault}") from fault


def exported(path: Path, watch: Checking = iter) -> Iterator[str]:
    """Yield the lines of the event file; a hall may write the record meanwhile. ``watch``: as for `export`.

    Raises JournalError.
    """
    with journal(path, write=False) as opened:
        if [each.book for each in opened.games()] != [BOOK]:
            raise JournalError(f"{path}: expected the record of an event")
        yield from export(opened, CHAIN, watch=watch)


def proved(event: str, chain: Chain) -> Chain:
    """Return what holds of a record that a box had: up to its last seal. ``event``: public half of the event key.

    Raises JournalDamaged naming what does not hold.
    """
    walked = list(walk(CHAIN, chain.entries))
    last = max((seal.seq for seal in chain.seals), default=-1)
    if not 0 <= last < len(walked) or walked[0].link != first_link([]) or walked[0].entry.extra.get("event") != event:
        raise JournalDamaged("expected a sealed record of this event")
    walked = walked[: last + 1]
    check_seals(CHAIN, walked, chain.seals, linked=True)
    terms = {chained.entry.seq: _term(chained.entry.extra) for chained in walked if "term" in chained.entry.extra}
    numbers = [term.number for term in terms.values()]
    if 1 not in terms or numbers != sorted(set(numbers)) or not all(term.holds(event) for term in terms.values()):
        raise JournalDamaged("expected terms that the event key certified, one after the other")
    for each in chain.seals:
        term = terms[max(seq for seq in terms if seq <= max(1, each.seq))]
        if each.key != term.hall:
            raise JournalDamaged(f"seal of entry {each.seq}: expected one by the hall of term {term.number}")
    return Chain(chain.entries[: last + 1], chain.seals)


def rebuild(folder: Path, key: EventKey, chain: Chain, least: int, unheard: Sequence[str]) -> None:
    """Write a proved record into an empty folder, and begin the next term. Raises JournalError."""
    path = folder / RECORD
    with journal(path) as empty:
        if empty.games():
            raise JournalError(f"{path}: expected a folder without an event")
        save(folder, key)
        empty.refill(CHAIN, list(walk(CHAIN, chain.entries)), chain.seals)
        for public in dict.fromkeys(each.key for each in chain.seals):
            seal.publish(folder, public)
    Record(path, least=least, unheard=unheard).close()
