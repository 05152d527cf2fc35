"""A recorded game as JSON Lines, to send, keep, and judge again.

The first line names the game, the number of entries and the hash of the last one; each entry follows as the journal
holds it, with its hash. So a damaged file is not mistaken for one that the installed rulebook judges differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.errors import JournalDamaged, Malformed
from referee.files.jsonl import BoundedLines, ByteLines, lines, parse
from referee.journal import Journal
from referee.session import Entry, Load, Session, judged_again, withheld
from referee.session.chain import canonical, walk
from referee.session.entries import FIELDS

FORMAT = 1
"""Version of the format; a file of another one is not read."""

MOST = 64 * 2**20
"""Bytes of the longest export that is read: some 80,000 entries, many times the longest game."""

_MEMBERS = {*FIELDS, "game", "prev", "hash", "type"}
_SOME = {"extra"}
"""Members that only some entries have."""


@dataclass(frozen=True)
class Export:
    """A game read from an export, its chain checked. ``head``: hash of its last entry."""

    game: int
    book: str
    head: str
    entries: tuple[Entry, ...]


def export(journal: Journal, game: int, players: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the lines of a game, the chain checked on the way. Raises JournalDamaged or JournalError.

    Of a game in which answers are a secret still, it is the part before these.

    ``players``: who plays, by seat; named in the first line alone, which no hash covers.
    """
    records = list(journal.records(game))
    walked = list(walk(game, records))
    if not walked:
        journal.entries(game)  # says that there is no such game
    end = withheld(chained.entry for chained in walked)
    records, walked = records[:end], walked[:end]
    counts = {"format": FORMAT, "game": game, "entries": len(records), "head": walked[-1].hash}
    named: dict[str, object] = {"players": dict(players)} if players else {}
    yield canonical(_listing(walked[0].entry) | named | counts | {"type": "game"})
    for record in records:
        yield canonical(record | {"type": "entry"})


def read(stream: ByteLines) -> Export:
    """Return the game an export holds. Raises Malformed or JournalDamaged, naming the line or the entry."""
    every = enumerate(lines(BoundedLines(stream, MOST)), 1)
    numbered = ((number, line) for number, line in every if line is None or line.strip())
    head = _object(*next(numbered, (1, b"")))
    version = head.get("format")
    if head.get("type") != "game" or type(version) is not int or version != FORMAT:
        raise Malformed(f"line 1: expected an export of format {FORMAT}")
    game, book, count = head.get("game"), head.get("book"), head.get("entries")
    if type(game) is not int or type(book) is not str or type(count) is not int:
        raise Malformed("line 1: expected the number of the game, the id of its book and how many entries follow")
    records = [_object(number, line) for number, line in numbered]
    walked = list(walk(game, records))
    if len(walked) != count:
        raise JournalDamaged(f"game {game}: {count} entries were written, {len(walked)} are here")
    last = walked[-1].hash if walked else ""
    if last != head.get("head"):
        raise JournalDamaged(f"game {game}: the first line names a different last entry")
    if walked:
        _same(game, head, walked[0].entry)
    for seq, record in enumerate(records):
        if record.get("type") != "entry" or set(record) - _SOME != _MEMBERS:
            raise JournalDamaged(f"game {game}, entry {seq}: has unknown fields")
    return Export(game, book, last, tuple(chained.entry for chained in walked))


def replay(exported: Export, load: Load) -> Session:
    """Judge an exported game again; return the session at its end.

    Raises UnknownGame, Diverged naming the first entry that comes out otherwise, JournalDamaged.
    """
    return judged_again(load(exported.book), exported.entries)


def plain_log(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield a game as its entries tell it, for one that cannot be judged again any more."""
    for entry in entries:
        yield f"{entry.seq:>5}  {entry.seat:<10}  {plain_words(entry)}"


def _rulings(entry: Entry) -> Sequence[Mapping[str, Any]]:
    rulings: Sequence[Mapping[str, Any]] = (entry.result or {}).get("rulings", ())
    return rulings


def plain_words(entry: Entry) -> str:
    """Return what an entry says, and the headlines of its rulings."""
    headlines = "; ".join(str(ruling.get("headline")) for ruling in _rulings(entry))
    what = dict(entry.extra) if entry.kind == "note" else "in secret" if "sealed" in entry.extra else entry.answer
    return f"{entry.ask or entry.kind}: {canonical(what)}  {headlines}".rstrip()


def _listing(start: Entry) -> dict[str, object]:
    """Return what the first line repeats from the start of the game."""
    began = start.answer if isinstance(start.answer, dict) else {}
    return began | {"edition": start.edition}


def _same(game: int, head: dict[str, object], start: Entry) -> None:
    for name, value in _listing(start).items():
        if name not in head or head[name] != value:
            raise JournalDamaged(f"game {game}: the first line says of {name} what entry 0 does not")


def _object(number: int, line: bytes | None) -> dict[str, object]:
    try:
        return parse(line)
    except Malformed as fault:
        raise Malformed(f"line {number}: {fault.text}", fault.code) from None
