"""What the hall received from the boxes: one set of tables, append-only.

The journal of a box is one sequence (`referee.journal.sequence`), so what the hall has of it is a *branch*: its
entries in their order, counted from 1 (``at``). Where a journal was set back and went on otherwise, another branch
leaves the first at an entry, its fork; where it was begun anew, a branch begins with no other. So all that was ever
received stays, and what differs stands side by side.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.hall import store
from referee.hall.uplink import intake_schema
from referee.hall.uplink.messages import MOST_BYTES, MOST_ENTRIES, Entries
from referee.journal.chain import Chained, canonical
from referee.journal.seal import Seal

_NODE: Final = "branch, at, game, seq, hash, link, first"
_INSERT: Final = f"INSERT INTO entries (box, {_NODE}, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
_BRANCHES: Final = "SELECT branch FROM branches WHERE"
_FORKED: Final = """\
SELECT key, hash FROM branches JOIN boxes USING (box) JOIN entries ON branches.parent = entries.branch
AND branches.fork = entries.at WHERE parent IS NOT NULL"""
_NEWEST: Final = "GROUP BY key, hash ORDER BY max(branches.branch) DESC"
_TELL: Final = """\
INSERT INTO incidents (box, kind, text) SELECT ?, ?, ?
WHERE (SELECT count(*) FROM incidents WHERE box = ?) < ? ON CONFLICT DO NOTHING"""
_SEAL: Final = "INSERT INTO seals (box, hash, signature) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
MOST_ARRIVALS: Final = 1000
"""Entries that are read at once."""
MOST_INCIDENTS: Final = 1000
"""Incidents of one box that are noted."""


class Node(NamedTuple):
    """An entry in its branch. ``link``: number of the link before it; ``first``: hash of its game's entry 0."""

    branch: int
    at: int
    game: int
    seq: int
    hash: str
    link: int
    first: str


class Arrival(NamedTuple):
    """An entry as it came. ``number``: counts all that came; ``key``: of its box; ``first``: as in `Node`."""

    number: int
    key: str
    hash: str
    first: str
    record: dict[str, Any]


class Intake:
    """The tables, open for writing, for one thread. Each method raises JournalError if the database fails."""

    def __init__(self, path: Path) -> None:
        """Open them. ``path``: where the file is, or would be if the event were not kept elsewhere."""
        self._tables = store.tables(path, intake_schema.SCHEMA, store.File(intake_schema.prepare))

    def close(self) -> None:
        """Close it; what was not committed is gone."""
        self._tables.close()

    def commit(self) -> None:
        """Make all that was written since the last commit durable, or nothing of it."""
        self._tables.commit()

    def rollback(self) -> None:
        """Forget all that was written since the last commit."""
        self._tables.rollback()

    # -- boxes ---------------------------------------------------------------------------------------------------

    def admit(self, key: str, *, allowed: bool = True) -> None:
        """Let a box in from now on, or no more. ``key``: its public key, in hex."""
        self._tables.write("INSERT INTO boxes (key) VALUES (?) ON CONFLICT DO NOTHING", key)
        self._tables.write("INSERT INTO admissions (box, allowed) VALUES (?, ?)", self._box(key), int(allowed))
        self.commit()

    def admitted_keys(self) -> list[str]:
        """Return the keys of all boxes that are let in, in the order in which they were first."""
        keys = [str(key) for (key,) in self._tables.rows("SELECT key FROM boxes ORDER BY box")]
        return [key for key in keys if self.admitted(key)]

    def admitted(self, key: str) -> bool:
        """Whether a box is let in."""
        sql = "SELECT allowed FROM admissions JOIN boxes USING (box) WHERE key = ? ORDER BY admission DESC LIMIT 1"
        return bool(self._value(sql, key))

    def tell(self, key: str, kind: str, text: str) -> bool:
        """Note what people must know of an admitted box; return whether it was not noted before."""
        box = self._box(key)
        return self._tables.write(_TELL, box, kind, text[:500], box, MOST_INCIDENTS) > 0

    def incidents(self) -> list[tuple[str, str, str]]:
        """Return all that was noted: key of the box, kind and text, the oldest first."""
        rows = self._tables.rows("SELECT key, kind, text FROM incidents JOIN boxes USING (box) ORDER BY incident")
        return [(str(key), str(kind), str(text)) for key, kind, text in rows]

    # -- what was received ---------------------------------------------------------------------------------------

    def find(self, key: str, digest: str) -> Node | None:
        """Return the entry of a box with that hash, which may be any text that somebody sent."""
        return self._node("box = ? AND hash = ?", self._box(key), digest) if digest.isalnum() else None

    def ends(self, key: str) -> list[Node]:
        """Return the last entry of every branch of a box, the newest branch first."""
        branches = self._tables.rows("SELECT branch FROM branches WHERE box = ? ORDER BY branch DESC", self._box(key))
        ends = [self._node("branch = ? ORDER BY at DESC LIMIT 1", branch) for (branch,) in branches]
        return [end for end in ends if end is not None]

    def tail(self, node: Node, game: int) -> Node | None:
        """Return the last entry of a game up to that entry of its branch."""
        for branch, most in self._lineage(node):
            tail = self._node("branch = ? AND game = ? AND at <= ? ORDER BY at DESC LIMIT 1", branch, game, most)
            if tail is not None:
                return tail
        return None

    def following(self, key: str, node: Node | None) -> list[Node]:
        """Return every entry that follows one, or with which a journal begins; more than one: a fork, or anew."""
        if node is None:
            begun = self._tables.rows(f"{_BRANCHES} box = ? AND parent IS NULL", self._box(key))
            first = [(branch, 1) for (branch,) in begun]
        else:
            forked = self._tables.rows(f"{_BRANCHES} parent = ? AND fork = ?", node.branch, node.at)
            first = [(branch, node.at + 1) for branch in (node.branch, *(branch for (branch,) in forked))]
        nodes = [self._node("branch = ? AND at = ?", *place) for place in first]
        return [each for each in nodes if each is not None]

    def leads_to(self, node: Node, later: Node) -> bool:
        """Whether an entry is another one, or stands before it in its branch or in one that this left."""
        return any(branch == node.branch and node.at <= most for branch, most in self._lineage(later))

    def forks(self, key: str) -> list[Node]:
        """Return every entry of a box that several others follow, the newest fork first."""
        places = self._tables.rows(f"{_FORKED} AND branches.box = ? {_NEWEST}", self._box(key))
        return [node for node in (self.find(key, digest) for _, digest in places) if node is not None]

    def forked(self) -> list[tuple[str, str]]:
        """Return the same for all boxes: key, and hash of the entry."""
        return [(str(key), str(digest)) for key, digest in self._tables.rows(f"{_FORKED} {_NEWEST}")]

    def add(self, key: str, parent: Node | None, batch: Sequence[tuple[Chained, Mapping[str, Any]]]) -> Node:
        """Write checked entries of one run after an entry, or as the beginning of a journal; return the last."""
        box = self._box(key)
        branch, at = (0, 0) if parent is None else (parent.branch, parent.at)
        if parent is None or self._node("branch = ? AND at = ?", branch, at + 1) is not None:
            fork = (None, 0) if parent is None else (branch, at)
            self._tables.write("INSERT INTO branches (box, parent, fork) VALUES (?, ?, ?)", box, *fork)
            branch = int(self._value("SELECT max(branch) FROM branches"))
        game = batch[0][1]["game"]
        tail = self.tail(parent, game) if parent is not None else None
        first = tail.first if tail is not None else batch[0][0].hash
        link = parent.link if parent is not None else 0
        rows = []
        for place, (chained, record) in enumerate(batch, at + 1):
            link = chained.link["link"] if chained.link is not None else link
            node = Node(branch, place, game, chained.entry.seq, chained.hash, link, first)
            rows.append((box, *node, canonical(record)))
        self._tables.write_all(_INSERT, rows)
        return node

    def add_seals(self, key: str, digests: Mapping[int, str], seals: Sequence[Seal]) -> None:
        """Write checked seals. ``digests``: the hashes of the entries that they seal, by number."""
        box = self._box(key)
        for seal in seals:
            self._tables.write(_SEAL, box, digests[seal.seq], seal.signature)

    def newest(self) -> int:
        """Return the number of the entry that came last, 0 if none did."""
        return int(self._value("SELECT max(entry) FROM entries") or 0)

    def arrivals(self, after: int) -> list[Arrival]:
        """Return what came after an entry of that number, in the order in which it came; not all of it at once."""
        return self._arrivals("entry > ? ORDER BY entry LIMIT ?", after, MOST_ARRIVALS)

    def notes(self, key: str = "") -> list[Arrival]:
        """Return every note beside a game in the order in which they came: those of one box, or of all boxes."""
        of, values = ("box = ? AND ", (self._box(key),)) if key else ("", ())
        arrivals = self._arrivals(f"{of}record LIKE ? ORDER BY entry", *values, '%"kind":"note"%')
        return [each for each in arrivals if each.record["kind"] == "note"]

    def _arrivals(self, where: str, *values: object) -> list[Arrival]:
        sql = f"SELECT entry, key, hash, first, record FROM entries JOIN boxes USING (box) WHERE {where}"  # noqa: S608
        rows = self._tables.rows(sql, *values)
        return [Arrival(number, key, digest, first, json.loads(text)) for number, key, digest, first, text in rows]

    # -- what can be given back ----------------------------------------------------------------------------------

    def games(self, end: Node) -> list[Node]:
        """Return the last entry of every game and of all notes up to an entry of a branch, in their order."""
        numbers: set[int] = set()
        for branch, most in self._lineage(end):
            rows = self._tables.rows("SELECT DISTINCT game FROM entries WHERE branch = ? AND at <= ?", branch, most)
            numbers |= {game for (game,) in rows}
        tails = [self.tail(end, game) for game in sorted(numbers)]
        return [tail for tail in tails if tail is not None]

    def records(self, tail: Node, since: int = 0) -> list[dict[str, Any]]:
        """Return the entries of a game up to one, from the number ``since`` on, as its journal has them."""
        texts: list[str] = []
        for branch, most in self._lineage(tail):
            sql = "SELECT record FROM entries WHERE branch = ? AND game = ? AND at <= ? AND seq >= ? ORDER BY at DESC"
            texts += [text for (text,) in self._tables.rows(sql, branch, tail.game, most, since)]
        return [json.loads(text) for text in reversed(texts)]

    def seal(self, key: str, tail: Node) -> Seal | None:
        """Return the last seal of a game under an entry or before it; None if there is none."""
        sql = (
            "SELECT entries.seq, seals.signature FROM entries JOIN seals ON seals.hash = entries.hash"
            " WHERE seals.box = ? AND branch = ? AND game = ? AND at <= ? ORDER BY at DESC LIMIT 1"
        )
        for branch, most in self._lineage(tail):
            for seq, signature in self._tables.rows(sql, self._box(key), branch, tail.game, most):
                return Seal(seq, key, signature)
        return None

    def batch(self, key: str, node: Node) -> Entries:
        """Return entries of one run from this one on, with their seals, no more than one message holds."""
        sql = "SELECT seq, hash, record FROM entries WHERE branch = ? AND at >= ? AND link = ? ORDER BY at LIMIT ?"
        rows = self._tables.rows(sql, node.branch, node.at, node.link, MOST_ENTRIES)
        records: list[dict[str, Any]] = []
        seals: list[Seal] = []
        size = 0
        for seq, digest, text in rows:
            size += len(text)
            if records and size > MOST_BYTES // 2:
                break
            records.append(json.loads(text))
            signature = self._value("SELECT signature FROM seals WHERE box = ? AND hash = ?", self._box(key), digest)
            if signature is not None:
                seals.append(Seal(seq, key, signature))
        return Entries(node.game, tuple(records), tuple(seals))

    def _lineage(self, node: Node) -> list[tuple[int, int]]:
        """Return the branches an entry belongs to, its own first, each with the last entry it shares."""
        lineage = [(node.branch, node.at)]
        while True:
            parent, fork = self._tables.rows("SELECT parent, fork FROM branches WHERE branch = ?", lineage[-1][0])[0]
            if parent is None:
                return lineage
            lineage.append((parent, fork))

    # -- the tables ----------------------------------------------------------------------------------------------

    def _box(self, key: str) -> int:
        if not key.isalnum():  # PostgreSQL compares no text with a NUL in it, and fails
            return 0
        return int(self._value("SELECT box FROM boxes WHERE key = ?", key) or 0)

    def _node(self, where: str, *values: object) -> Node | None:
        rows = self._tables.rows(f"SELECT {_NODE} FROM entries WHERE {where}", *values)  # noqa: S608 - our own words
        return Node(*rows[0]) if rows else None

    def _value(self, sql: str, *values: object) -> Any:
        rows = self._tables.rows(sql, *values)
        return rows[0][0] if rows else None
