"""The journal: every accepted entry of every game, durable before `Journal.append` returns.

SQLite in WAL mode with ``synchronous=FULL``: one commit, one fsync of the log, for each stroke. One station writes,
guarded by a lock beside the file that ends with its process; any number of readers may look on. Nothing in it is ever
updated or deleted, and triggers refuse both. Where a turn or a game ends, the commit holds a seal
(`referee.journal.seal`).
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from referee.errors import JournalDamaged, JournalError
from referee.journal import schema, seal
from referee.journal.chain import canonical, link, walk
from referee.journal.database import Database, Waiting
from referee.session.entries import FIELDS, Entry

_COLUMNS = ("game", *FIELDS, "prev", "hash")
_NAMES = ", ".join(f'"{name}"' for name in _COLUMNS)
_INSERT = f"INSERT INTO entries ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - our own names
_SELECT = f"SELECT {_NAMES} FROM entries WHERE game = ? ORDER BY seq"  # noqa: S608
_SEAL = "INSERT INTO seals (game, seq, key, signature) VALUES (?, ?, ?, ?)"
_SEALS = "SELECT seq, key, signature FROM seals WHERE game = ? ORDER BY seq"
_TAIL = "SELECT seq, hash FROM entries WHERE game = ? ORDER BY seq DESC LIMIT 1"
_GAMES = """\
SELECT games.game, book, games.edition, ruling, began, last.kind, last.result, last.seq, last.hash FROM games
LEFT JOIN entries AS last ON last.game = games.game
AND last.seq = (SELECT seq FROM entries WHERE game = games.game ORDER BY seq DESC LIMIT 1)"""
_GOING = """(last.kind IS NULL OR substr(last.result, 1, 8) != '{"over":')"""
_OPEN = f"(last.kind IS NULL OR last.kind != 'leave' AND {_GOING})"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game in a journal. ``began``: wall clock, s since 1970; ``head``: hash of its last entry.

    ``over``: it has ended; ``open``: it has not, nor was it put away.
    """

    game: int
    book: str
    edition: str
    ruling: str | None
    began: float
    entries: int
    head: str
    over: bool
    open: bool


class Journal:
    """A journal file, open for writing (``Journal(path)``) or only for reading (``Journal(path, write=False)``).

    To be used by one thread at a time. It is a `referee.session.Recorder` and `Archive`. ``waiting`` is entered while
    a stroke is written: whoever shows something can show that the disk is slow.
    """

    def __init__(self, path: str | os.PathLike[str], *, write: bool = True, waiting: Waiting = nullcontext) -> None:
        """Open it, and make it where it is to be written and does not exist.

        Raises JournalBusy if another station writes it, JournalDamaged if the file is none, JournalError otherwise.
        """
        self._db = Database(Path(os.path.realpath(path)), write=write, waiting=waiting)
        self.path = self._db.path
        self._tails: dict[int, tuple[int, str]] = {}
        self._signer: seal.Signer | None = None
        self._signing = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it and let another station write it."""
        self._db.close()

    def warm(self) -> None:
        """Have the key at hand before the first stroke that needs it; from any thread. Raises JournalError."""
        with self._signing:
            if self._signer is None:
                self._signer = seal.signer(self.path.absolute().parent)

    # -- writing -------------------------------------------------------------------------------------------------

    def begin(self, book: str, start: Entry) -> int:
        """Write the start of a game and return its number. Raises JournalError with nothing written."""
        ruling = start.answer.get("ruling") if isinstance(start.answer, dict) else None
        with self._db.writing(), self._db.stroke():
            row = (book, start.edition, ruling, start.wall)
            row_id = self._db.execute("INSERT INTO games (book, edition, ruling, began) VALUES (?, ?, ?, ?)", row)
            game = int(row_id.lastrowid or 0)
            tail = self._insert(game, [start], (-1, ""))
            self._seal(game, tail)
        self._tails = {game: tail}
        return game

    def append(self, game: int, entries: Sequence[Entry], *, seal: bool = False) -> None:
        """Write entries of one stroke as one commit, sealed if asked. Raises JournalError with nothing written."""
        with self._db.writing():
            tail = self._tails.pop(game, None) or self._read_tail(game)
            if len(entries) == 1 and not seal:
                with self._db.whole():
                    tail = self._insert(game, entries, tail)
            else:
                with self._db.stroke():
                    tail = self._insert(game, entries, tail)
                    if seal:
                        self._seal(game, tail)
        self._tails = {game: tail}  # of the game that is played; those before it are read when they are taken up

    def _insert(self, game: int, entries: Sequence[Entry], tail: tuple[int, str]) -> tuple[int, str]:
        seq, prev = tail
        for entry in entries:
            if entry.seq != seq + 1:
                raise JournalError(f"{self.path}: game {game} stands at entry {seq}, so {entry.seq} cannot follow")
            seq, now = entry.seq, link(game, entry, prev)
            values = entry.as_json() | {"answer": canonical(entry.answer), "result": canonical(entry.result)}
            self._db.execute(_INSERT, (game, *values.values(), prev, now))
            prev = now
        return seq, prev

    def _seal(self, game: int, tail: tuple[int, str]) -> None:
        self.warm()
        assert self._signer is not None
        new = self._signer.seal(game, *tail)
        self._db.execute(_SEAL, (game, new.seq, new.key, new.signature))

    def _read_tail(self, game: int) -> tuple[int, str]:
        tail = self._db.execute(_TAIL, (game,)).fetchone()
        if tail is None:
            raise JournalError(f"{self.path}: there is no game {game}")
        return int(tail[0]), str(tail[1])

    # -- reading -------------------------------------------------------------------------------------------------

    def records(self, game: int) -> Iterator[dict[str, Any]]:
        """Yield the rows of a game as JSON objects, unchecked. Raises JournalDamaged or JournalError."""
        with self._db.reading():
            for row in self._db.execute(_SELECT, (game,)):
                record = dict(zip(_COLUMNS, row, strict=True))
                for name in ("answer", "result"):
                    record[name] = self._parsed(record, name)
                yield record

    def entries(self, game: int) -> list[Entry]:
        """Return the entries of a game, its chain checked. Raises JournalDamaged or JournalError."""
        entries = [entry for entry, _ in walk(game, self.records(game))]
        if not entries:
            raise JournalError(f"{self.path}: there is no game {game}")
        return entries

    def seals(self, game: int) -> list[seal.Seal]:
        """Return the seals of a game, unchecked, in order; none in a journal of version 1."""
        with self._db.reading():
            if self.version < 2:
                return []
            return [seal.Seal(*row) for row in self._db.execute(_SEALS, (game,))]

    @property
    def version(self) -> int:
        """The version of the file's schema."""
        return self._db.version

    def examine(self) -> None:
        """Check the file below the records: its pages and tables. Raises JournalDamaged or JournalError."""
        with self._db.reading():
            for table in ("entries", "seals")[: self.version]:
                sql = f"SELECT game, seq FROM {table} WHERE game NOT IN (SELECT game FROM games)"  # noqa: S608
                stray = self._db.execute(sql).fetchone()
                if stray is not None:
                    text = f"game {stray[0]}, entry {stray[1]}: belongs to no listed game"
                    raise JournalDamaged(f"{self.path}: {text}")
            result = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if result != "ok":
                raise JournalDamaged(f"{self.path}: {' '.join(str(result).split())}")
            try:
                schema.check(self._db.connection)
            except JournalDamaged as fault:
                raise JournalDamaged(f"{self.path}: {fault}") from None

    def games(self) -> list[Recorded]:
        """Return every game, oldest first."""
        return self._recorded("ORDER BY games.game")

    def latest(self, book: str | None = None, *, only_open: bool = False) -> Recorded | None:
        """Return the game that began last (of that book; that is still open), None if there is none."""
        wanted = f"WHERE ? IN ('', book) AND {_OPEN if only_open else True}"
        rows = self._recorded(f"{wanted} ORDER BY games.game DESC LIMIT 1", book or "")
        return rows[0] if rows else None

    def unfinished(self, most: int) -> list[Recorded]:
        """Return the whole games that were left before their end, newest first, at most so many."""
        return self._recorded(f"WHERE ruling IS NULL AND {_GOING} ORDER BY games.game DESC LIMIT ?", most)

    def game(self, game: int) -> Recorded:
        """Return one game. Raises JournalError if there is none of that number."""
        rows = self._recorded("WHERE games.game = ?", game)
        if not rows:
            raise JournalError(f"{self.path}: there is no game {game}")
        return rows[0]

    def _recorded(self, which: str, *values: object) -> list[Recorded]:
        with self._db.reading():
            # All at once: a question that is left half answered would keep SQLite from beginning its log anew.
            return [self._listed(row) for row in self._db.execute(f"{_GAMES} {which}", values).fetchall()]

    def _listed(self, row: tuple[Any, ...]) -> Recorded:
        game, book, edition, ruling, began, kind, result, seq, head = row
        if kind is None:
            raise JournalDamaged(f"{self.path}: game {game}, entry 0: is missing")
        over = result.startswith('{"over":')
        return Recorded(game, book, edition, ruling, began, seq + 1, head, over, kind != "leave" and not over)

    def _parsed(self, record: dict[str, Any], name: str) -> Any:
        text = record[name]
        try:
            value = json.loads(text)
            if canonical(value) == text:
                return value
        except (ValueError, RecursionError):
            pass
        raise JournalDamaged(
            f"game {record['game']}, entry {record['seq']}: its {name} is not JSON as it was written"
        )
