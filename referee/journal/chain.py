"""The chain: every entry carries a hash of itself and of the entry before it, and every game follows the one before.

Inside a game, ``prev`` is the hash of the entry before. Where the journal goes on with another game than before, the
entry also carries a *link*: its number, and the entry that was written last. So all that a journal holds is one
sequence, and nothing but its end can be taken out of it unseen (`referee.journal.proof`). That the end was not cut
off, or everything written anew, no chain can show: a head noted elsewhere has to be compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from referee.errors import JournalDamaged, Malformed
from referee.session.entries import Entry

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


class Chained(NamedTuple):
    """An entry with its hash. ``link``: what it carries where the journal goes on with another game, else None."""

    entry: Entry
    hash: str
    link: Mapping[str, Any] | None


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, ASCII. Raises ValueError or TypeError."""
    return _encode(value)


def digest(game: int, entry: Entry, prev: str, link: Mapping[str, Any] | None = None) -> str:
    """Return the hash of an entry: SHA-256, in hex, of its canonical JSON with the game and the hash before it.

    ``link`` is part of it where there is one, so that entries without are hashed as they always were.
    """
    value = entry.as_json() | {"game": game, "prev": prev}
    return sha256(canonical(value if link is None else value | {"link": link}).encode("ascii")).hexdigest()


def first_link(games: Sequence[tuple[int, int, str, int]]) -> dict[str, Any]:
    """Return the first link of a journal.

    ``games``: those begun before there were links, each its number, entries, head and seals. They are put into one
    hash, so that none of them is changed or taken away unseen from here on.
    """
    return {"link": 1, "games": len(games), "heads": sha256(canonical(games).encode("ascii")).hexdigest()}


def next_link(link: int, game: int, seq: int, head: str) -> dict[str, Any]:
    """Return link number ``link``, which follows entry ``seq`` of a game, whose hash is ``head``."""
    return {"link": link, "game": game, "seq": seq, "hash": head}


def walk(game: int, records: Iterable[Mapping[str, Any]], after: tuple[int, str] = (-1, "")) -> Iterator[Chained]:
    """Yield each recorded entry with its hash. Raises JournalDamaged naming the first that does not hold.

    ``after``: number and hash of the entry that the first one follows, where they do not begin with the game.
    """
    seq, prev = after[0] + 1, after[1]
    for record in records:
        where = f"game {game}, entry {seq}"
        if record.get("game") != game:
            raise JournalDamaged(f"{where}: belongs to game {record.get('game')!r}")
        if record.get("seq") != seq:
            raise JournalDamaged(f"{where}: is missing; entry {record.get('seq')!r} is in its place")
        try:
            link = _link(record["link"]) if "link" in record else None
            entry = Entry.from_json(record)
            now = digest(game, entry, prev, link)
        except (Malformed, TypeError, ValueError, RecursionError) as fault:
            raise JournalDamaged(f"{where}: {getattr(fault, 'text', fault)}") from fault
        if (entry.kind == "start") != (seq == 0):
            raise JournalDamaged(f"{where}: a game has exactly one start entry, and it is the first")
        if record.get("prev") != prev:
            raise JournalDamaged(f"{where}: does not follow entry {seq - 1}")
        if record.get("hash") != now:
            raise JournalDamaged(f"{where}: was changed; its hash does not match")
        yield Chained(entry, now, link)
        prev, seq = now, seq + 1


def ends(record: Mapping[str, Any]) -> bool:
    """Whether a game is over or put away after an entry."""
    result = record["result"]
    return record["kind"] == "leave" or bool(isinstance(result, dict) and result.get("over"))


_LINKS = {1: {"link": int, "games": int, "heads": str}, 2: {"link": int, "game": int, "seq": int, "hash": str}}
"""The members of a first link and of a later one."""


def _link(value: Any) -> Mapping[str, Any]:
    """Return a link that was read. Raises Malformed."""
    if isinstance(value, dict) and type(value.get("link")) is int and value["link"] >= 1:
        members = _LINKS[min(value["link"], 2)]
        if set(value) == set(members) and all(type(value[name]) is kind for name, kind in members.items()):
            return value
    raise Malformed("link: expected the number of the link and the entry it follows")
