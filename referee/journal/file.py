"""The journal: every accepted entry of every game, durable before `Journal.append` returns.

SQLite in WAL mode with ``synchronous=FULL``: one commit, one fsync of the log, for each stroke. One station writes,
guarded by a lock beside the file that ends with its process; any number of readers may look on. Nothing in it is ever
updated or deleted, and triggers refuse both. Where a turn or a game ends, the commit holds a seal
(`referee.journal.seal`).
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self, TypeAlias

from referee.errors import JournalBusy, JournalDamaged, JournalError, JournalNewer
from referee.files import durable
from referee.journal import lock, schema, seal
from referee.journal.chain import canonical, link, walk
from referee.session.entries import FIELDS, Entry

_COLUMNS = ("game", *FIELDS, "prev", "hash")
_NAMES = ", ".join(f'"{name}"' for name in _COLUMNS)
_INSERT = f"INSERT INTO entries ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - our own names
_SELECT = f"SELECT {_NAMES} FROM entries WHERE game = ? ORDER BY seq"  # noqa: S608
_SEAL = "INSERT INTO seals (game, seq, key, signature) VALUES (?, ?, ?, ?)"
_SEALS = "SELECT seq, key, signature FROM seals WHERE game = ? ORDER BY seq"
_TAIL = "SELECT seq, hash FROM entries WHERE game = ? ORDER BY seq DESC LIMIT 1"
_PATIENCE = 2.0
"""How long to wait for another program that writes the file, s."""

_WORDS = {
    sqlite3.SQLITE_FULL: "The disk is full. Make room, then press again.",
    sqlite3.SQLITE_READONLY: "The disk cannot be written. Mend that, then press again.",
    sqlite3.SQLITE_IOERR: "The disk fails. Press again; if this stays, change the disk.",
    sqlite3.SQLITE_BUSY: "Another program holds the journal. End it, press again.",
    sqlite3.SQLITE_CORRUPT: "The journal is damaged. Switch the box off and on.",
}
"""What the table reads when an answer could not be written."""

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


Waiting: TypeAlias = Callable[[], AbstractContextManager[object]]
"""What is entered while something is written."""


class Journal:
    """A journal file, open for writing (``Journal(path)``) or only for reading (``Journal(path, write=False)``).

    To be used by one thread at a time. It is a `referee.session.Recorder` and `Archive`. ``waiting`` is entered while
    a stroke is written: whoever shows something can show that the disk is slow.
    """

    def __init__(self, path: str | os.PathLike[str], *, write: bool = True, waiting: Waiting = nullcontext) -> None:
        """Open it, and make it where it is to be written and does not exist.

        Raises JournalBusy if another station writes it, JournalDamaged if the file is none, JournalError otherwise.
        """
        self.path = Path(os.path.realpath(path))  # SQLite puts its log beside the file a link points to
        self._waiting = waiting
        self._tails: dict[int, tuple[int, str]] = {}
        self._places: dict[Path, int] = {}
        self._signer: seal.Signer | None = None
        self._signing = threading.Lock()
        self._lock = lock.taken(self.path) if write else None
        try:
            self._db = self._connected(write=write)
            if write:
                self._present()
        except BaseException:
            if self._lock is not None:
                self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it and let another station write it."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def warm(self) -> None:
        """Have the key at hand before the first stroke that needs it; from any thread. Raises JournalError."""
        with self._signing:
            if self._signer is None:
                self._signer = seal.signer(self.path.absolute().parent)

    # -- writing -------------------------------------------------------------------------------------------------

    def begin(self, book: str, start: Entry) -> int:
        """Write the start of a game and return its number. Raises JournalError with nothing written."""
        ruling = start.answer.get("ruling") if isinstance(start.answer, dict) else None
        with self._faults(_WORDS), self._stroke():
            row = (book, start.edition, ruling, start.wall)
            made = self._db.execute("INSERT INTO games (book, edition, ruling, began) VALUES (?, ?, ?, ?)", row)
            game = int(made.lastrowid or 0)
            tail = self._insert(game, [start], (-1, ""))
            self._seal(game, tail)
        self._tails = {game: tail}
        return game

    def append(self, game: int, entries: Sequence[Entry], *, seal: bool = False) -> None:
        """Write entries of one stroke as one commit, sealed if asked. Raises JournalError with nothing written."""
        with self._faults(_WORDS):
            tail = self._tails.pop(game, None) or self._read_tail(game)
            if len(entries) == 1 and not seal:
                with self._whole():
                    tail = self._insert(game, entries, tail)
            else:
                with self._stroke():
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
        made = self._signer.seal(game, *tail)
        self._db.execute(_SEAL, (game, made.seq, made.key, made.signature))

    def _read_tail(self, game: int) -> tuple[int, str]:
        found = self._db.execute(_TAIL, (game,)).fetchone()
        if found is None:
            raise JournalError(f"{self.path}: there is no game {game}")
        return int(found[0]), str(found[1])

    @contextmanager
    def _stroke(self) -> Iterator[None]:
        with self._whole():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Write only where the next start will look, and leave nothing of a stroke on the disk that failed."""
        self._present()
        try:
            with self._waiting():
                yield
        except sqlite3.Error as fault:
            if _code(fault) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):  # then nothing was written at all
                self._forget()
            raise

    def _present(self) -> None:
        """Raise JournalError if somebody took the files away: SQLite would write on into what nobody can open."""
        for path in (self.path, self._wal()):
            try:
                found = path.stat()
            except OSError as fault:
                found, why = None, fault.strerror
            if found is None or self._places.setdefault(path, found.st_ino) != found.st_ino:
                why = "it has been replaced by another file" if found else why
                raise JournalError(
                    f"{path} was taken away while it was written: {why}",
                    "The journal is gone. Put it back, then press again.",
                )

    def _forget(self) -> None:
        """Write over a stroke in the log that was told as not written.

        If the disk failed in the sync, the stroke stands in the log whole; the next one would be written over it, but
        after a power cut before that it would count. So a commit that changes nothing takes its place at once. If
        the disk refuses that too, that is how it stays.
        """
        with suppress(sqlite3.Error):
            self._db.execute(f"PRAGMA user_version = {schema.VERSION}")

    # -- reading -------------------------------------------------------------------------------------------------

    def records(self, game: int) -> Iterator[dict[str, Any]]:
        """Yield the rows of a game as JSON objects, unchecked. Raises JournalDamaged or JournalError."""
        with self._reading():
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
        with self._reading():
            if self.version < 2:
                return []
            return [seal.Seal(*row) for row in self._db.execute(_SEALS, (game,))]

    @property
    def version(self) -> int:
        """The version of the file's schema."""
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def examine(self) -> None:
        """Check the file below the records: its pages and tables. Raises JournalDamaged or JournalError."""
        with self._reading():
            for table in ("entries", "seals")[: self.version]:
                sql = f"SELECT game, seq FROM {table} WHERE game NOT IN (SELECT game FROM games)"  # noqa: S608
                stray = self._db.execute(sql).fetchone()
                if stray is not None:
                    text = f"game {stray[0]}, entry {stray[1]}: belongs to no game that is listed"
                    raise JournalDamaged(f"{self.path}: {text}")
            found = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if found != "ok":
                raise JournalDamaged(f"{self.path}: {' '.join(str(found).split())}")
            try:
                schema.check(self._db)
            except JournalDamaged as fault:
                raise JournalDamaged(f"{self.path}: {fault}") from None

    def games(self) -> list[Recorded]:
        """Return every game, oldest first."""
        return self._recorded("ORDER BY games.game")

    def latest(self, book: str | None = None, *, only_open: bool = False) -> Recorded | None:
        """Return the game that began last (of that book; that is still open), None if there is none."""
        wanted = f"WHERE ? IN ('', book) AND {_OPEN if only_open else True}"
        found = self._recorded(f"{wanted} ORDER BY games.game DESC LIMIT 1", book or "")
        return found[0] if found else None

    def unfinished(self, most: int) -> list[Recorded]:
        """Return the whole games that were left before their end, newest first, at most so many."""
        return self._recorded(f"WHERE ruling IS NULL AND {_GOING} ORDER BY games.game DESC LIMIT ?", most)

    def game(self, game: int) -> Recorded:
        """Return one game. Raises JournalError if there is none of that number."""
        found = self._recorded("WHERE games.game = ?", game)
        if not found:
            raise JournalError(f"{self.path}: there is no game {game}")
        return found[0]

    def _recorded(self, which: str, *values: object) -> list[Recorded]:
        with self._reading():
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

    # -- the file ------------------------------------------------------------------------------------------------

    def _connected(self, *, write: bool) -> sqlite3.Connection:
        if not write and not self.path.is_file():
            raise JournalError(f"{self.path}: there is no journal")
        uri = f"{self.path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}"
        if not write and not os.access(self.path.parent, os.W_OK, effective_ids=True) and not self._wal().exists():
            uri += "&immutable=1"  # on a read-only medium SQLite cannot keep its shared memory beside the file
        if write:
            durable.begin(self.path)
        with self._faults():
            db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE, check_same_thread=False)
            try:
                # A damaged text must reach the check that names its entry.
                db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
                if write:
                    self._prepare(db)
                    assert self._lock is not None
                    lock.mark(self._lock, self.path)
                else:
                    self._identify(db)
            except BaseException:
                db.close()
                raise
        return db

    def _wal(self) -> Path:
        return self.path.with_name(self.path.name + "-wal")

    def _prepare(self, db: sqlite3.Connection) -> None:
        fresh = schema.empty(db)
        if not fresh:
            self._identify(db)  # before anything is changed in what may be somebody else's
        mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise JournalError(f"{self.path}: this file system keeps no write-ahead log (mode {mode!r})")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        if fresh:
            schema.make(db)
        else:
            schema.upgrade(db)

    def _identify(self, db: sqlite3.Connection) -> None:
        if db.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION:
            raise JournalError(f"{self.path} is a database, but no journal of the referee")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > schema.VERSION:
            raise JournalNewer(
                f"{self.path} was written by a later referee (journal version {version}, not {schema.VERSION})"
            )
        if version < 1:
            raise JournalDamaged(f"{self.path}: there never was a journal of version {version}")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Tell what cannot have been written by us as damage."""
        with self._faults():
            try:
                yield
            except (TypeError, AttributeError) as fault:
                raise JournalDamaged(f"{self.path}: holds what no journal holds: {fault}") from fault

    @contextmanager
    def _faults(self, words: Mapping[int, str] = MappingProxyType({})) -> Iterator[None]:
        """Tell SQLite's faults in our own words; ``words``: what the table reads, by SQLite's code."""
        try:
            yield
        except UnicodeDecodeError as fault:  # also of SQLite's own message, where that quotes what is damaged
            raise JournalDamaged(f"{self.path}: holds what no journal holds: {fault}") from fault
        except sqlite3.Error as fault:
            code = _code(fault)
            said = f"{self.path}: {fault}", words.get(code, "")
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise JournalBusy(*said) from fault
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise JournalDamaged(*said) from fault
            raise JournalError(*said) from fault


def _code(fault: sqlite3.Error) -> int:
    """Return SQLite's primary result code."""
    return int(getattr(fault, "sqlite_errorcode", 0)) & 0xFF
