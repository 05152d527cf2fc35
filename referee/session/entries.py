"""Entries: the record of a session, one for each accepted thing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from referee.errors import Malformed
from referee.session.extra import check_extra

KINDS = ("start", "answer", "correct", "concede", "void", "pause", "unpause", "leave", "note")
"""``start`` is the first entry of every game; ``void`` takes earlier entries back; ``leave`` puts a game away.

``note`` stands in no game, but in a chain of its own beside one (docs/journal.md); readers keep and verify it.
"""


NOTHING: Mapping[str, Any] = MappingProxyType({})
"""An ``extra`` without members."""


class Entry(NamedTuple):
    """One accepted thing.

    ``seq``      0 for the start, then one more each
    ``kind``     one of `KINDS`
    ``edition``  edition of the rulebook that judged it
    ``ask``      key of the question answered
    ``rule``     rule that question stands for
    ``seat``     seat that was asked, or that conceded
    ``by``       seat whose button it was, where that is known
    ``answer``   the answer as a JSON value; for other kinds what they need: settings, path and value, voided entries
    ``mode``     "", "override", "reroll", or "corrected": in place of the throw that the entry before takes back
    ``group``    ``seq`` of the first entry accepted in the same stroke (a bundle), None if it came alone
    ``source``   where it came from (keys, judge at the keys, box-dice, panel with role and pass, drive)
    ``at``       monotonic time, s; comparable only within one run of the station
    ``wall``     wall clock, s since 1970 UTC; 0 where there is none. No rule reads it
    ``result``   what followed: ``{"rulings": [{result, headline, rules}], "over": {reason, winners}}``, or None
    ``extra``    what not every entry has, by name (`referee.session.extra`); what nobody here knows is kept
    """

    seq: int
    kind: str
    edition: str
    ask: str = ""
    rule: str = ""
    seat: str = ""
    by: str = ""
    answer: Any = None
    mode: str = ""
    group: int | None = None
    source: str = ""
    at: float = 0.0
    wall: float = 0.0
    result: Any = None
    extra: Mapping[str, Any] = NOTHING

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object, every field by its name; an ``extra`` without members is left out."""
        values = self._asdict()
        if not self.extra:
            del values["extra"]
        return values

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Entry:
        """Return the entry an object describes. Raises Malformed naming the field that is not what it must be."""
        if not fields.keys() >= _NAMES:
            raise Malformed(f"an entry lacks {next(name for name in FIELDS if name not in fields)!r}")
        values = {name: fields[name] for name in FIELDS}
        for name in ("kind", "edition", "ask", "rule", "seat", "by", "mode", "source"):
            if type(values[name]) is not str:
                raise Malformed(f"{name}: expected text, got {type(values[name]).__name__}")
        for name in ("seq", "group"):
            if type(values[name]) is not int and (name != "group" or values[name] is not None):
                raise Malformed(f"{name}: expected a whole number, got {type(values[name]).__name__}")
        for name in ("at", "wall"):
            if type(values[name]) not in (int, float) or not math.isfinite(values[name]):
                raise Malformed(f"{name}: expected seconds, got {type(values[name]).__name__}")
            values[name] = float(values[name])
        if values["kind"] not in KINDS:
            raise Malformed(f"kind: expected one of {', '.join(KINDS)}; got {values['kind'][:40]!r}")
        if "extra" in fields:
            values["extra"] = check_extra(fields["extra"], fields["answer"])
        return cls(**values)


FIELDS = Entry._fields[:-1]
"""The fields every entry has."""
_NAMES = frozenset(FIELDS)


class Recorder(Protocol):
    """Where a session writes; `referee.journal.Journal` is one. Returns only once what it took is durable.

    Raises JournalError with nothing written.
    """

    def begin(self, book: str, start: Entry) -> int:
        """Write the start of a game and return the game's number."""

    def append(self, game: int, entries: Sequence[Entry]) -> None:
        """Write entries of one stroke, all or none."""


class Archive(Recorder, Protocol):
    """A recorder that can be read again."""

    def entries(self, game: int) -> Iterable[Entry]:
        """Return the entries of a game, checked, in order. Raises JournalDamaged or JournalError."""


class Notebook(Protocol):
    """Where notes beside a game are written; `referee.journal.notes.Notes` is one. What is taken back keeps them.

    ``game``  its number, 0 before the first
    """

    game: int

    def add(self, extra: Mapping[str, Any], *, seat: str, source: str, at: float) -> None:
        """Write one. Returns once it is durable; raises JournalError with nothing written."""

    def read(self) -> Sequence[Entry]:
        """Return all of this game, the oldest first. Raises JournalDamaged or JournalError."""


def withheld(entries: Iterable[Entry]) -> int | None:
    """Return the number of the first answer in secret that nobody may be told yet, None if there is none.

    A game that is over or was left keeps no secret.
    """
    first: int | None = None
    for entry in entries:
        first = withheld_after(entry, first)
    return first


def withheld_after(entry: Entry, first: int | None) -> int | None:
    """Return what `withheld` says with one entry more; ``first``: what it says without."""
    over = isinstance(entry.result, dict) and entry.result.get("over")
    if "opened" in entry.extra or entry.kind == "leave" or over:
        return None
    return entry.seq if first is None and "sealed" in entry.extra else first
