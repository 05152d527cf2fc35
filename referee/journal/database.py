"""The SQLite file of a journal: opening it, writing a stroke as one commit, and its errors in our words."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from referee.errors import JournalBusy, JournalDamaged, JournalError, JournalNewer
from referee.files import durable
from referee.journal import lock

T = TypeVar("T")

VERSION = 1
"""Version of the schema; a journal of another one is not opened."""

APPLICATION = 0x52454652

_STATEMENTS = (
    """\
CREATE TABLE games (
    game INTEGER PRIMARY KEY, book TEXT NOT NULL, edition TEXT NOT NULL, ruling TEXT, began REAL NOT NULL
) STRICT""",
    """\
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, kind TEXT NOT NULL, edition TEXT NOT NULL,
    ask TEXT NOT NULL, rule TEXT NOT NULL, seat TEXT NOT NULL, by TEXT NOT NULL, answer TEXT NOT NULL,
    mode TEXT NOT NULL, "group" INTEGER, source TEXT NOT NULL, at REAL NOT NULL, wall REAL NOT NULL,
    result TEXT NOT NULL, extra TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID""",
    "CREATE TRIGGER games_keep BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    "CREATE TRIGGER games_stay BEFORE DELETE ON games BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END",
    """\
CREATE TRIGGER games_once BEFORE INSERT ON games WHEN EXISTS (SELECT 1 FROM games WHERE game = NEW.game)
BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    """\
CREATE TRIGGER entries_keep BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    """\
CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
    """\
CREATE TRIGGER entries_once BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE game = NEW.game AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END""",
)

_PATIENCE = 2.0
"""How long to wait for another program that writes the file, s."""

_SETTLED_NS = 11_000_000
"""How long ago a folder must have changed, ns, before its time of change tells the next change from that one: a tick
of the kernel, which has 100 to 1000 a second."""

_WORDS = {
    sqlite3.SQLITE_FULL: "Disk is full. Free some space, then press again.",
    sqlite3.SQLITE_READONLY: "Disk is read-only. Fix it, then press again.",
    sqlite3.SQLITE_IOERR: "Disk error. Press again; if it stays, replace the disk.",
    sqlite3.SQLITE_BUSY: "Journal in use. Stop the other program, press again.",
    sqlite3.SQLITE_CORRUPT: "The journal is damaged. Restart the box.",
}
"""What the table reads when an answer could not be written."""

Waiting: TypeAlias = Callable[[], AbstractContextManager[object]]
"""What is entered while something is written."""


class Database:
    """A journal's file and its lock. ``path``: resolved, as SQLite puts its log beside the file a link points to."""

    def __init__(self, path: Path, *, write: bool, waiting: Waiting) -> None:
        """Open it, and make it where it is to be written and does not exist.

        Raises JournalBusy if another station writes it, JournalDamaged if the file is none, JournalError otherwise.
        """
        self.path = path
        self._folder = str(path.parent)
        self._files = str(path), f"{path}-wal"
        self._unchanged: tuple[int, int] | None = None
        self._waiting = waiting
        self._places: dict[str, int] = {}
        self._lock = lock.acquire(path) if write else None
        try:
            self.connection = self._connected(write=write)
            if write:
                self._present()
        except BaseException:
            if self._lock is not None:
                self._lock.close()
            raise

    def close(self) -> None:
        """Close it and let another station write it."""
        self.connection.close()
        if self._lock is not None:
            self._lock.close()

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Execute one statement. Raises sqlite3.Error; `reading` and `commit` tell it in our own words."""
        return self.connection.execute(sql, values)

    def commit(self, work: Callable[[], T], *, many: bool) -> T:
        """Write a stroke as one commit, all or none, only where the next start will look; ``many``: statements.

        Tells SQLite's faults in our own words, with what the table reads of each, and leaves nothing of a stroke on
        the disk that failed.
        """
        self._present()
        try:
            with self._waiting():
                if many:
                    self.connection.execute("BEGIN IMMEDIATE")
                result = work()
                if many:
                    self.connection.execute("COMMIT")
        except BaseException as fault:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if not isinstance(fault, sqlite3.Error):
                raise
            if _code(fault) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):  # then nothing was written at all
                self._forget()
            raise self._told(fault, _WORDS) from fault
        return result

    def _present(self) -> None:
        """Raise JournalError if somebody took the files away: SQLite would write on into what nobody can open.

        Nobody did while their folder is the same and nothing in it was made, named or removed.
        """
        try:
            found = os.stat(self._folder)  # noqa: PTH116 - at every answer
            folder = found.st_ino, found.st_mtime_ns
        except OSError:
            folder = None
        if folder is not None and folder == self._unchanged:
            return
        for path in self._files:
            try:
                place = os.stat(path).st_ino  # noqa: PTH116
            except OSError as fault:
                place, why = None, fault.strerror
            if place is None or self._places.setdefault(path, place) != place:
                why = "it has been replaced by another file" if place else why
                raise JournalError(
                    f"{path} was removed while it was in use: {why}",
                    "The journal is missing. Put it back, then press again.",
                )
        # A folder that changed just now may change again without a later time.
        settled = folder is not None and time.time_ns() - folder[1] > _SETTLED_NS
        self._unchanged = folder if settled else None

    def _forget(self) -> None:
        """Write over a stroke in the log that was told as not written.

        If the disk failed in the sync, the stroke stands in the log whole; the next one would be written over it, but
        after a power cut before that it would count. So a commit that changes nothing takes its place at once. If
        the disk refuses that too, that is how it stays.
        """
        with suppress(sqlite3.Error):
            self.connection.execute(f"PRAGMA user_version = {VERSION}")

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
        fresh = _empty(db)
        if not fresh:
            self._identify(db)  # before anything is changed in what may be somebody else's
        mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise JournalError(f"{self.path}: this file system does not support a write-ahead log (mode {mode!r})")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        if fresh:
            make_tables(db)

    def _identify(self, db: sqlite3.Connection) -> None:
        if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            what = "is a database, but not" if self.path.stat().st_size else "is empty: expected"
            raise JournalError(f"{self.path} {what} a referee journal")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            raise JournalNewer(
                f"{self.path} was written by another release: expected version {VERSION}, got {version}"
            )

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Tell what cannot have been written by us as damage."""
        with self._faults():
            try:
                yield
            except (TypeError, AttributeError) as fault:
                raise JournalDamaged(f"{self.path}: not a valid journal: {fault}") from fault

    def examine(self) -> None:
        """Check the pages of the file, and its tables. Raises JournalDamaged, sqlite3.Error."""
        result = self.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if result != "ok":
            raise JournalDamaged(f"{self.path}: {' '.join(str(result).split())}")
        try:
            _check(self.connection)
        except JournalDamaged as fault:
            raise JournalDamaged(f"{self.path}: {fault}") from None

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Tell SQLite's faults in our own words."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as fault:
            raise self._told(fault) from fault

    def _told(self, fault: Exception, words: Mapping[int, str] = MappingProxyType({})) -> JournalError:
        """Return a fault of SQLite in our own words; ``words``: what the table reads, by SQLite's code."""
        if not isinstance(fault, sqlite3.Error):  # of SQLite's own message, too, where that quotes what is damaged
            return JournalDamaged(f"{self.path}: not a valid journal: {fault}")
        code = _code(fault)
        text = f"{self.path}: {fault}", words.get(code, "")
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return JournalBusy(*text)
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return JournalDamaged(*text)
        return JournalError(*text)


def _code(fault: sqlite3.Error) -> int:
    """Return SQLite's primary result code."""
    return int(getattr(fault, "sqlite_errorcode", 0)) & 0xFF


def _empty(db: sqlite3.Connection) -> bool:
    """Whether nothing has been made in the file yet."""
    return not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def make_tables(db: sqlite3.Connection) -> None:
    """Make the tables of an empty file, all or none."""
    marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}"
    db.executescript(f"BEGIN IMMEDIATE; {'; '.join(_STATEMENTS)}; {marks}; COMMIT")


def _check(db: sqlite3.Connection) -> None:
    """Raise JournalDamaged unless the file has exactly the tables and triggers of a journal."""
    present = {str(row[0]) for row in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    triggers = {text for text in _STATEMENTS if text.startswith("CREATE TRIGGER")}
    there = len(triggers & present)
    if there != len(triggers):
        raise JournalDamaged(f"{there} of the {len(triggers)} triggers that refuse changes are in place")
    if present != set(_STATEMENTS):
        raise JournalDamaged("the tables are not those of a journal")
