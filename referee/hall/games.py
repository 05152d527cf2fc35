"""The entries of games as boxes send them: the hall says up to where it has each, and the box goes on from there.

A game is named by the hash of its entry 0; the notes beside it are another one, which say of which match it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, and_, func, select

from referee.errors import WHOLE, JournalDamaged, Malformed
from referee.hall.store import ENTRIES, REQUESTS, SAID, Store
from referee.session.chain import canonical, walk
from referee.session.wish import PLAYERS, Have

PAGE: Final = 64  # entries of one answer at most
_HASH: Final = re.compile("[0-9a-f]{64}")
SAY: Final = ("match", "slip")
"""Members of a note that name the match of its game; what the last slip of a game says counts."""


class Game(NamedTuple):
    """A game of a match. ``head``: the entry that its slip follows, "" without one; ``notes``: those beside it."""

    box: str
    game: str
    round: int
    players: tuple[int, ...]
    head: str
    notes: str


class Games:
    """Entries by box and game."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, box: str, game: str, after: int, body: bytes) -> Future[tuple[bool, Have]]:
        """Keep entries that follow number ``after``, -1 for none; return whether they do, and what is there then.

        ``body``: JSON Lines. Raises Malformed.
        """
        records = _records(body)
        if records and after < 0 and records[0].get("hash") != game:
            raise Malformed("expected a game named by the hash of its first entry")

        def work(db: Connection) -> tuple[bool, Have]:
            have = self.have(db, box, game)
            follow = after == have.last and (not records or records[0].get("prev") == have.hash)
            if not records or not follow:
                return follow, have
            number = records[0].get("game")
            try:
                chained = list(walk(number if type(number) is int else 0, records, (have.last, have.hash)))
            except JournalDamaged as fault:
                raise Malformed(f"entries: {fault}") from None
            rows = [
                self._of(box, game=game, number=each.entry.seq, hash=each.hash, line=canonical(record))
                for each, record in zip(chained, records, strict=True)
            ]
            if self._store.insert(db, ENTRIES, rows) != len(rows):
                raise JournalDamaged(f"game {game:.10}: entries were written by two halls at once")
            said = [self._of(box, notes=game, **each) for each in _said(records)]
            if said:
                self._store.insert(db, SAID, said)
            return True, Have(game, chained[-1].entry.seq, chained[-1].hash)

        return self._store.write(work)

    def have(self, db: Connection, box: str, game: str) -> Have:
        """Return what there is of a game of a box."""
        where = self._mine(box, game)
        query = select(ENTRIES.c.number, ENTRIES.c.hash).where(*where).order_by(ENTRIES.c.number.desc()).limit(1)
        row = db.execute(query).one_or_none()
        return Have(game, -1, "") if row is None else Have(game, *row)

    def totals(self, db: Connection) -> dict[str, int]:
        """Return how many entries there are of each box that has sent any."""
        query = select(ENTRIES.c.box, func.count()).where(ENTRIES.c.event == self._store.event)
        return {row[0]: row[1] for row in db.execute(query.group_by(ENTRIES.c.box))}

    def total(self, db: Connection, box: str) -> int:
        """Return how many entries there are of a box."""
        query = select(func.count()).where(ENTRIES.c.event == self._store.event, ENTRIES.c.box == box)
        return int(db.execute(query).scalar_one())

    def page(
        self, db: Connection, box: str, game: str, after: int, most: int | None = PAGE
    ) -> Sequence[dict[str, Any]]:
        """Return entries of a game of a box that follow number ``after``; ``most``: of them, None: all."""
        where = *self._mine(box, game), ENTRIES.c.number > after
        query = select(ENTRIES.c.line).where(*where).order_by(ENTRIES.c.number).limit(most)
        return [json.loads(line) for line in db.execute(query).scalars()]

    def played(self, db: Connection) -> list[Game]:
        """Return the games of matches, those of a box in their order, by their last slip, or what was said first."""
        of = and_(ENTRIES.c.event == SAID.c.event, ENTRIES.c.box == SAID.c.box, ENTRIES.c.hash == SAID.c.of)
        query = select(SAID, ENTRIES.c.game).join(ENTRIES, of).where(SAID.c.event == self._store.event)
        done = select(REQUESTS.c.request).where(REQUESTS.c.event == self._store.event, REQUESTS.c.refused == "")
        taken = set(db.execute(done).scalars())
        found: dict[tuple[str, str], Game] = {}
        for row in db.execute(query.order_by(SAID.c.what, SAID.c.chain, SAID.c.number)):  # "match" first
            game, slip = (row.box, row.game), row.what == "slip"
            if slip and row.note not in taken:
                continue
            if slip or game not in found:
                players = tuple(map(int, row.players.split()))
                found[game] = Game(*game, row.round, players, row.of if slip else "", row.notes)
        return list(found.values())

    def _mine(self, box: str, game: str) -> tuple[Any, ...]:
        return ENTRIES.c.event == self._store.event, ENTRIES.c.box == box, ENTRIES.c.game == game

    def _of(self, box: str, **members: object) -> dict[str, object]:
        return {"event": self._store.event, "box": box, **members}


def _records(body: bytes) -> list[dict[str, Any]]:
    try:
        records = [json.loads(line) for line in body.splitlines()]
    except (ValueError, RecursionError):
        raise Malformed("expected JSON Lines") from None
    if not all(isinstance(each, dict) for each in records):
        raise Malformed("expected an object on each line")
    return records


def _said(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what notes say of the matches of their games; nothing of those that say nonsense."""
    rows = []
    for record in records:
        extra = record.get("extra")
        what = next((each for each in SAY if each in extra), "") if isinstance(extra, dict) else ""
        if not what or not isinstance(extra, dict):
            continue
        match, of = extra[what], extra.get("of")
        if not isinstance(match, dict) or not isinstance(of, dict):
            continue
        number, players, digest = match.get("round"), match.get("players"), str(of.get("hash"))
        if not isinstance(players, list) or not 0 < len(players) <= PLAYERS or not _HASH.fullmatch(digest):
            continue
        if all(type(each) is int and 0 < each < WHOLE for each in (number, *players)):
            chain = record["game"] if type(record.get("game")) is int else 0
            at = {"note": record["hash"], "chain": chain, "number": record["seq"], "what": what, "of": digest}
            rows.append({**at, "round": number, "players": " ".join(map(str, sorted(players)))})
    return rows
