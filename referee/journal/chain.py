"""The chain: every entry carries a hash of itself and of the entry before it, from the start of its game.

It proves that no recorded entry was changed, reordered, inserted or taken out of the middle after it was written. It
cannot prove that the last entries were not cut off, nor that the whole game was not written anew: for that a head
noted elsewhere (on the score sheet, say) has to be compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from referee.errors import JournalDamaged, Malformed
from referee.session.entries import Entry

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, ASCII. Raises ValueError or TypeError."""
    return _encode(value)


def link(game: int, entry: Entry, prev: str) -> str:
    """Return the hash of an entry: SHA-256, in hex, of its canonical JSON with the game and the hash before it."""
    return sha256(canonical(entry.as_json() | {"game": game, "prev": prev}).encode("ascii")).hexdigest()


def walk(game: int, records: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Entry, str]]:
    """Yield each recorded entry with its hash. Raises JournalDamaged naming the first that does not hold."""
    prev, seq = "", 0
    for record in records:
        where = f"game {game}, entry {seq}"
        if record.get("game") != game:
            raise JournalDamaged(f"{where}: belongs to game {record.get('game')!r}")
        if record.get("seq") != seq:
            raise JournalDamaged(f"{where}: is missing; entry {record.get('seq')!r} is in its place")
        try:
            entry = Entry.from_json(record)
            now = link(game, entry, prev)
        except (Malformed, TypeError, ValueError, RecursionError) as fault:
            raise JournalDamaged(f"{where}: {getattr(fault, 'text', fault)}") from fault
        if (entry.kind == "start") != (seq == 0):
            raise JournalDamaged(f"{where}: a game has exactly one start entry, and it is the first")
        if record.get("prev") != prev:
            raise JournalDamaged(f"{where}: does not follow entry {seq - 1}")
        if record.get("hash") != now:
            raise JournalDamaged(f"{where}: was changed; its hash does not match")
        yield entry, now
        prev, seq = now, seq + 1
