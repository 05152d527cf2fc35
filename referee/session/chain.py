"""The hash chain of a game: every entry carries a hash of itself and of the entry before it.

So no entry can be changed, inserted, moved or removed from the middle unnoticed. A chain cannot show that its end was
cut off, or that all of it was rewritten: compare a head noted elsewhere, or the copy at the hall.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from referee.errors import JournalDamaged, Malformed
from referee.session.entries import Entry

_quote = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


class Chained(NamedTuple):
    """An entry with its hash."""

    entry: Entry
    hash: str


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, ASCII. Raises ValueError or TypeError."""
    return "null" if value is None else _encode(value)


def json_members(entry: Entry) -> tuple[str, str, str]:
    """Return answer, result and extra of an entry in canonical JSON."""
    return canonical(entry.answer), canonical(entry.result), canonical(entry.extra) if entry.extra else "{}"


def digest(game: int, entry: Entry, prev: str, members: tuple[str, str, str] | None = None) -> str:
    """Return the hash of an entry: SHA-256, in hex, of its canonical JSON with the game and the hash before it.

    ``members``: its `json_members`, where they are known.
    """
    seq, kind, edition, ask, rule, seat, by, _, mode, group, source, at, wall, *_ = entry
    answer, result, extra = members or json_members(entry)
    beside = "" if extra == "{}" else f'"extra":{extra},'
    text = (
        f'{{"answer":{answer},"ask":{_quote(ask)},"at":{at!r},"by":{_quote(by)},"edition":{_quote(edition)},{beside}'
        f'"game":{game},"group":{"null" if group is None else group},"kind":{_quote(kind)},"mode":{_quote(mode)},'
        f'"prev":{_quote(prev)},"result":{result},"rule":{_quote(rule)},"seat":{_quote(seat)},"seq":{seq},'
        f'"source":{_quote(source)},"wall":{wall!r}}}'
    )
    return sha256(text.encode("ascii")).hexdigest()


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
            entry = Entry.from_json(record)
            now = digest(game, entry, prev)
        except (Malformed, TypeError, ValueError, RecursionError) as fault:
            raise JournalDamaged(f"{where}: {getattr(fault, 'text', fault)}") from fault
        if (entry.kind == "start") != (seq == 0):
            raise JournalDamaged(f"{where}: a game has exactly one start entry, and it is the first")
        if record.get("prev") != prev:
            raise JournalDamaged(f"{where}: does not follow entry {seq - 1}")
        if record.get("hash") != now:
            raise JournalDamaged(f"{where}: was changed; its hash does not match")
        yield Chained(entry, now)
        prev, seq = now, seq + 1


def ends(record: Mapping[str, Any]) -> bool:
    """Whether a game is over or put away after an entry."""
    result = record["result"]
    return record["kind"] == "leave" or bool(isinstance(result, dict) and result.get("over"))
