"""A recorded game outside its journal: one JSON object a line, to be sent along, kept, and judged again.

The first line names the game, how many entries follow and the hash of the last; every further line is one entry as
the journal holds it, hash included. So a file that was cut short or changed is told from one that comes out
otherwise under the rulebook of today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from referee.errors import JournalDamaged, Malformed
from referee.journal import Journal
from referee.jsonl import ByteLines, lines, parse
from referee.rulebook import Book
from referee.session import Entry, Session, judged_again
from referee.session.chain import canonical, walk

FORMAT = 1
"""Version of the format; a file of another version is not read."""


@dataclass(frozen=True)
class Export:
    """A game read from an export, its chain checked. ``head``: hash of its last entry."""

    game: int
    book: str
    head: str
    entries: tuple[Entry, ...]


def export(journal: Journal, game: int) -> Iterator[str]:
    """Yield the lines of a game, the chain checked on the way. Raises JournalDamaged or JournalError."""
    held = list(journal.records(game))
    walked = list(walk(game, held))
    if not walked:
        journal.entries(game)  # says that there is no such game
    start, head = walked[0][0], walked[-1][1]
    began = start.answer if isinstance(start.answer, dict) else {}
    told = {"type": "game", "format": FORMAT, "game": game, "edition": start.edition}
    yield canonical(began | told | {"entries": len(held), "head": head})
    for record in held:
        yield canonical(record | {"type": "entry"})


def read(stream: ByteLines) -> Export:
    """Return the game an export holds. Raises Malformed or JournalDamaged, naming the line or the entry."""
    numbered = enumerate(lines(stream), 1)
    head = _object(*next(numbered, (1, b"")))
    if head.get("type") != "game" or head.get("format") != FORMAT:
        raise Malformed(f"line 1: expected an export of format {FORMAT}")
    game, book, count = head.get("game"), head.get("book"), head.get("entries")
    if type(game) is not int or type(book) is not str or type(count) is not int:
        raise Malformed("line 1: expected the number of the game, the id of its book and how many entries follow")
    walked = list(walk(game, (_object(number, line) for number, line in numbered)))
    if len(walked) != count:
        raise JournalDamaged(f"game {game}: {count} entries were written, {len(walked)} are here")
    last = walked[-1][1] if walked else ""
    if last != head.get("head"):
        raise JournalDamaged(f"game {game}: the first line names another last entry than the one that is here")
    return Export(game, book, last, tuple(entry for entry, _ in walked))


def replay(exported: Export, load: Callable[[str], Book]) -> Session:
    """Judge an exported game again; return the session at its end.

    Raises UnknownGame, Diverged naming the first entry that comes out otherwise, JournalDamaged.
    """
    return judged_again(load(exported.book), exported.entries)


def plain_log(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield a game as its entries tell it, for one that cannot be judged again any more."""
    for entry in entries:
        rulings = (entry.result or {}).get("rulings", ())
        told = "; ".join(str(ruling.get("headline")) for ruling in rulings)
        said = f"{entry.ask or entry.kind}: {canonical(entry.answer)}"
        yield f"{entry.seq:>5}  {entry.seat:<10}  {said}  {told}".rstrip()


def _object(number: int, line: bytes | None) -> dict[str, object]:
    try:
        return parse(line)
    except Malformed as fault:
        raise Malformed(f"line {number}: {fault.text}", fault.code) from None
