"""The tables of an event, in SQLite or PostgreSQL, and the one thread that writes them.

What comes while a transaction is written goes into the next one together, so that a slow disk delays each by two
commits at most. An answer is given when the transaction is durable. `Store.write` is for what changes something or
must be true at the moment of a change; `Store.read` sees what is durable.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DataError, SQLAlchemyError

from referee.errors import ConfigError, Malformed, StoreAway

METADATA: Final = sa.MetaData()
DIGEST: Final = sa.String(64)
WHO: Final = sa.String(100)


def _key(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def _value(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _table(name: str, *columns: sa.Column[Any] | sa.Index) -> sa.Table:
    return sa.Table(name, METADATA, _key("event", sa.String(32)), *columns)


EVENTS: Final = _table("events", _value("key", DIGEST))  # ``key``: of the proof of (revision, head), in hex; a secret
ACTS: Final = _table(
    "acts", _key("revision", sa.BigInteger), _value("request", WHO), _value("head", DIGEST), _value("body", sa.Text)
)
"""``request``: what asked for it, `REQUESTS`; ``head``: hash of it and of what went before; ``body``: JSON."""
REQUESTS: Final = _table(
    "requests",
    *(_key("request", WHO), _value("revision", sa.BigInteger), _value("refused", sa.Text)),
    *(_value("who", WHO), _value("at", sa.BigInteger)),
)
"""The answer to each request: revision of its last act, or 0 and why it was refused. ``who`` asked, and when, ms."""
ENTRIES: Final = _table(
    "entries",
    *(_key("box", DIGEST), _key("game", DIGEST), _key("number", sa.Integer), _value("hash", DIGEST)),
    *(_value("line", sa.Text), sa.Index("entry_of", "event", "box", "hash")),
)
"""Entries of games, by box, hash of the game's entry 0, and number; the notes beside a game are another one."""
SAID: Final = _table(
    "said",
    *(_key("box", DIGEST), _key("note", DIGEST), _value("chain", sa.Integer), _value("number", sa.Integer)),
    *(_value("notes", DIGEST), _value("what", sa.String(10)), _value("of", DIGEST)),
    *(_value("round", sa.BigInteger), _value("players", sa.String(200))),
)
"""Which match a game is of, as a note beside it says.

``note``   its hash; ``chain``, ``number``: where it stands in the journal of the box, and among the ``notes``
``what``   match or slip; ``of``: hash of the game's entry that it follows; ``players``: numbers, the lowest first
"""
NAMES: Final = _table("names", _key("kind", sa.String(10)), _key("number", sa.Integer), _value("name", sa.Text))
"""Names of players, and that of the event; nothing else in the store has any."""
BOXES: Final = _table("boxes", _key("box", DIGEST), _value("allowed", sa.Integer), _value("state", sa.Text))
"""``box``: hash of its token; ``state``: what its board shows, JSON, the newest, for other halls of the event."""
CODES: Final = _table("codes", _value("code", WHO), _value("until", sa.BigInteger), _value("tries", sa.Integer))
"""The code that adds a box, until when it holds, ms, and how many tries are left."""
DOUBTS: Final = _table(
    "doubts",
    _key("revision", sa.BigInteger),
    _key("head", DIGEST),
    _value("box", DIGEST),
    _value("since", sa.BigInteger),
)
"""Records that a box has seen and this one does not have."""

T = TypeVar("T")
Work = Callable[[sa.Connection], T | Exception]
"""Reads and writes within a transaction. What it raises undoes what it wrote, and nothing else; a fault that it
returns is raised, too, and what it wrote stays."""
_logger = logging.getLogger(__name__)


def sqlite(path: Path) -> str:
    """Return the address of a file."""
    return f"sqlite:///{path}"


class Store:
    """One event in a database. ``key``: of the event, for the proof of what the record has."""

    def __init__(self, address: str, event_: str = "event", *, key: str = "") -> None:
        """Open it, and begin the event where there is none. ``address``: `sqlite`, or postgresql://user@host/database.

        ``key``: that of a new event, in hex, "": one is made. Raises ConfigError, StoreAway.
        """
        self.event = event_
        self._engine = _engine(address)
        self._work: queue.SimpleQueue[tuple[Work[Any], Future[Any]] | None] = queue.SimpleQueue()
        self.ended: list[Callable[[bool], None]] = []
        """What is called on the writing thread after each transaction, with whether it is durable."""
        try:
            with self._engine.begin() as db:
                self._lock(db)
                METADATA.create_all(db)
                self.insert(db, EVENTS, [{"event": event_, "key": key or secrets.token_hex(32)}])
                self.key = bytes.fromhex(
                    db.execute(sa.select(EVENTS.c.key).where(EVENTS.c.event == event_)).scalar_one()
                )
        except SQLAlchemyError as fault:
            self._engine.dispose()
            raise _away(fault) from fault
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what has come, and close it."""
        self._work.put(None)
        self._thread.join()
        self._engine.dispose()

    def write(self, work: Work[T]) -> Future[T]:
        """Have something written; the result comes when it is durable. It raises what ``work`` does, or StoreAway."""
        future: Future[T] = Future()
        self._work.put((work, future))
        return future

    def wipe(self) -> None:
        """Leave no byte of a deleted name in the database's files; a server's log keeps it. Raises StoreAway."""
        file = self._engine.dialect.name == "sqlite"
        try:
            raw = self._engine.raw_connection()
            try:
                if not file:
                    setattr(raw.driver_connection, "autocommit", True)  # noqa: B010 - psycopg's
                cursor = raw.cursor()
                for each in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)") if file else ("VACUUM FULL names",):
                    cursor.execute(each)
                busy = file and cursor.fetchall()[0][0]
            finally:
                raw.detach()
                raw.close()
        except (SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error) as fault:
            raise StoreAway(f"names cannot be erased: {fault}") from fault
        if busy:
            raise StoreAway("names cannot be erased: another program reads the database. Close it")

    def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Return what a query finds. Raises StoreAway."""
        try:
            with self._engine.connect().execution_options(reads=True) as db:
                return work(db)
        except SQLAlchemyError as fault:
            raise _away(fault) from fault

    def insert(self, db: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> int:
        """Insert rows whose keys are not there yet; return how many there were."""
        dialect = import_module(f"sqlalchemy.dialects.{self._engine.dialect.name}")
        statement = dialect.insert(table).on_conflict_do_nothing().returning(*table.primary_key.columns)
        return len(db.execute(statement, rows).all())

    def _lock(self, db: sa.Connection) -> None:
        """Let one transaction after the other write an event; SQLite does so by itself."""
        if self._engine.dialect.name == "postgresql":
            db.execute(sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:event, 0))"), {"event": self.event})

    def _run(self) -> None:
        while True:
            batch = [self._work.get()]
            with suppress(queue.Empty):
                while batch[-1] is not None and len(batch) < 256:
                    batch.append(self._work.get_nowait())
            works = [each for each in batch if each is not None]
            if works:
                self._commit(works)
            if len(works) < len(batch):
                return

    def _commit(self, batch: list[tuple[Work[Any], Future[Any]]]) -> None:
        told: list[Callable[[], None]] = []
        try:
            with self._engine.begin() as db:
                self._lock(db)
                for work, future in batch:
                    told.append(_done(db, work, future))
        except SQLAlchemyError as fault:
            _logger.warning("nothing was written: %s", _away(fault))  # without what was to be written: names
            for listener in self.ended:
                listener(False)
            for _, future in batch:
                future.set_exception(_away(fault))
            return
        for listener in self.ended:
            listener(True)
        for tell in told:
            tell()


def _done(db: sa.Connection, work: Work[Any], future: Future[Any]) -> Callable[[], None]:
    """Do a work, and return what says so once it is durable. A fault of the database is the whole transaction's."""
    try:
        with db.begin_nested():
            value = work(db)
    except (DataError, OverflowError, UnicodeError):  # of what was sent alone: others of the batch are written
        return partial(future.set_exception, Malformed("expected text and numbers that a database can keep"))
    except SQLAlchemyError:
        raise
    except Exception as fault:  # noqa: BLE001 - whoever asked gets it
        return partial(future.set_exception, fault)
    return partial(future.set_exception if isinstance(value, Exception) else future.set_result, value)


def _away(fault: SQLAlchemyError) -> StoreAway:
    return StoreAway(f"the event's database: {getattr(fault, 'orig', None) or fault}")


def _engine(address: str) -> sa.Engine:
    if address.startswith("sqlite:///"):
        engine = sa.create_engine(address)
        sa.event.listen(engine, "connect", _prepare)
        sa.event.listen(engine, "begin", _begin)
        return engine
    try:
        import psycopg  # noqa: PLC0415 - the extra of those who have a server
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415

        conninfo_to_dict(address)
    except ModuleNotFoundError as fault:
        raise ConfigError("--store needs psycopg: install the extra hall-postgres") from fault
    except psycopg.ProgrammingError as fault:
        raise ConfigError(f"--store: expected an address like postgresql://user@host/database: {fault}") from fault
    if not address.startswith(("postgresql://", "postgres://")):
        raise ConfigError("--store: expected an address like postgresql://user@host/database")
    # libpq reads the address itself, which may name several servers
    return sa.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(address), pool_pre_ping=True)


def _prepare(connection: Any, _record: object) -> None:
    """Leave transactions to `_begin`, and have what is answered on the disk."""
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(db: sa.Connection) -> None:
    """Begin a transaction that will write as one that does: SQLite never lets a reader become a writer in time."""
    db.exec_driver_sql("BEGIN" if db.get_execution_options().get("reads") else "BEGIN IMMEDIATE")
