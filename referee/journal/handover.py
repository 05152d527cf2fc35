"""A game as a text that fits a few QR codes: its answers alone.

Questions, rulings and hashes come out again when the answers are given again. Times, and where the faces of a throw
came from, stay behind.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Sequence
from typing import Any, Final

from referee.errors import Malformed, OtherEdition
from referee.rulebook import Book
from referee.session import Entry, Load, given_again, withheld
from referee.session.chain import canonical

MOST: Final = 2**20
"""Bytes of the longest game that is unpacked."""

_TOLD: Final = ("answer", "seat", "by", "mode", "group")
_KEPT: Final = ("sealed", "opened", "corrected")
"""Members of ``extra`` without which answers cannot be given again."""


def pack(book: Book, entries: Sequence[Entry]) -> str:
    """Return a game as letters of base64url; of one with answers in secret the part before these."""
    rows = []
    for entry in entries[: withheld(entries)]:
        extra = {name: entry.extra[name] for name in _KEPT if name in entry.extra}
        row = [entry.kind, *(getattr(entry, name) for name in _TOLD), extra]
        while row[-1] in ("", None, {}):
            row.pop()
        rows.append(row)
    text = canonical([book.id, book.edition, rows])
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(text: str, load: Load) -> Sequence[Entry]:
    """Return the entries of a game that was packed, judged here.

    Raises Malformed, UnknownGame, OtherEdition, or as `given_again`.
    """
    try:
        book_id, edition, rows = json.loads(_inflated(text))
        recorded = [_entry(seq, edition, row) for seq, row in enumerate(rows)]
    except (ValueError, TypeError, RecursionError, zlib.error, binascii.Error) as fault:
        raise Malformed("these codes are not a whole game: scan each code that the other phone shows") from fault
    book = load(book_id)
    if edition != book.edition:
        raise OtherEdition(
            f"the game was begun under edition {edition} of {book.title}; this referee has {book.edition}"
        )
    return given_again(book, recorded)


def _inflated(text: str) -> bytes:
    packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    inflate = zlib.decompressobj()
    data = inflate.decompress(packed, MOST)
    if not inflate.eof:
        raise ValueError("too long, or cut off")
    return data


def _entry(seq: int, edition: str, row: list[Any]) -> Entry:
    kind, *rest = row
    told = dict(zip((*_TOLD, "extra"), rest, strict=False))
    blank = Entry(seq, kind, edition, source="panel").as_json()
    return Entry.from_json(blank | {name: value for name, value in told.items() if value not in (None, {})})
