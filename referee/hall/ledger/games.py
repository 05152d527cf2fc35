"""The entries of games as boxes send them: the hall says up to where it has each, and the box goes on from there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, select

from referee.errors import JournalDamaged, Malformed
from referee.hall.ledger.store import ENTRIES, Store
from referee.journal.chain import canonical, walk
from referee.wish import Have

PAGE: Final = 64
"""Entries of one answer at most."""


class Put(NamedTuple):
    """What is there after a call. ``fits``: whether the entries followed; else the box goes on from ``have``."""

    fits: bool
    have: Have


class Games:
    """Entries by box and game; a game is named by the hash of its entry 0."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, box: str, game: str, after: int, body: bytes) -> Future[Put]:
        """Keep entries that follow number ``after``, -1 for none. ``body``: JSON Lines. Raises Malformed."""
        records = _records(body)
        if records and after < 0 and records[0].get("hash") != game:
            raise Malformed("expected a game named by the hash of its first entry")

        def work(db: Connection) -> Put:
            have = self.have(db, box, game)
            if after != have.last:
                return Put(False, have)
            if not records:
                return Put(True, have)
            if records[0].get("prev") != have.hash:
                return Put(False, have)
            number = records[0].get("game")
            try:
                chained = list(walk(number if type(number) is int else 0, records, (have.last, have.hash)))
            except JournalDamaged as fault:
                raise Malformed(f"entries: {fault}") from None
            rows = [
                self._of(box, game, number=each.entry.seq, hash=each.hash, line=canonical(record))
                for each, record in zip(chained, records, strict=True)
            ]
            if self._store.insert(db, ENTRIES, rows) != len(rows):
                raise JournalDamaged(f"game {game:.10}: entries were written by two halls at once")
            return Put(True, Have(game, chained[-1].entry.seq, chained[-1].hash))

        return self._store.write(work)

    def have(self, db: Connection, box: str, game: str) -> Have:
        """Return what there is of a game of a box."""
        where = ENTRIES.c.event == self._store.event, ENTRIES.c.box == box, ENTRIES.c.game == game
        query = select(ENTRIES.c.number, ENTRIES.c.hash).where(*where).order_by(ENTRIES.c.number.desc()).limit(1)
        row = db.execute(query).one_or_none()
        return Have(game, -1, "") if row is None else Have(game, *row)

    def total(self, db: Connection, box: str) -> int:
        """Return how many entries there are of a box."""
        query = select(func.count()).where(ENTRIES.c.event == self._store.event, ENTRIES.c.box == box)
        return int(db.execute(query).scalar_one())

    def page(self, db: Connection, box: str, game: str, after: int) -> Sequence[dict[str, Any]]:
        """Return entries of a game of a box that follow number ``after``."""
        where = ENTRIES.c.event == self._store.event, ENTRIES.c.box == box, ENTRIES.c.game == game
        query = select(ENTRIES.c.line).where(*where, ENTRIES.c.number > after).order_by(ENTRIES.c.number).limit(PAGE)
        return [json.loads(line) for line in db.execute(query).scalars()]

    def _of(self, box: str, game: str, **members: object) -> dict[str, object]:
        return {"event": self._store.event, "box": box, "game": game, **members}


def _records(body: bytes) -> list[dict[str, Any]]:
    try:
        records = [json.loads(line) for line in body.splitlines()]
    except (ValueError, RecursionError):
        raise Malformed("expected JSON Lines") from None
    if not all(isinstance(each, dict) for each in records):
        raise Malformed("expected an object on each line")
    return records
