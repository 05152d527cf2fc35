"""Where the hall keeps what it keeps: files of SQLite in the folder of the event, or a database of PostgreSQL.

One line decides: the file `STORE` in the folder holds the address of the database. Without it, it is SQLite.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

from referee.errors import BadSetting, ConfigError, JournalError, StationError
from referee.files import bounded, durable
from referee.hall.store.sqlite import File as File
from referee.hall.store.sqlite import SqliteTables as SqliteTables
from referee.hall.store.tables import Schema as Schema
from referee.hall.store.tables import Tables as Tables
from referee.journal import Journal, schema
from referee.journal.tables import Tables as JournalTables

STORE: Final = "store"
"""The address of the database, readable by its owner only: it may hold a password."""
RECORD: Final = "hall.db"
"""The file of the record, where it is one."""
MARK: Final = "hall.mark"
"""What lies in its place where the record is in a database: how new that was when it was last opened."""
_KEPT: Final = ("games", "entries", "seals", "links", "extras")
_RECORD: Final = Schema("record", schema.VERSION, schema.columns(), {}, _KEPT)


def address(folder: Path) -> str | None:
    """Return the address of the database that an event is in, None for SQLite. Raises ConfigError, JournalError."""
    path = folder / STORE
    if not path.exists():
        return None
    try:
        text = bounded.text(path).strip()
    except (OSError, ValueError) as fault:
        raise JournalError(f"{path} cannot be read: {fault}") from fault
    if not text.startswith(("postgresql://", "postgres://")):
        raise ConfigError(f"{path}: expected one line like postgresql://user@host/database")
    return text


def choose(folder: Path, text: str) -> None:
    """Have an event in a database from now on. Raises BadSetting, ConfigError, JournalError, StationError.

    An event that has begun elsewhere stays there.
    """
    if not text.startswith(("postgresql://", "postgres://")):
        raise ConfigError("--store: expected an address like postgresql://user@host/database")
    _postgres("session").servers(text)
    if (folder / RECORD).exists():
        raise BadSetting(f"{folder} has an event in {RECORD}; leave --store out, or name another folder")
    if address(folder) not in (None, text):
        raise BadSetting(f"{folder} has an event in another database: see {folder / STORE}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        durable.replace(folder / STORE, f"{text}\n", 0o600)
    except OSError as fault:
        raise JournalError(f"{folder / STORE} cannot be written: {fault.strerror}") from fault


def has_event(folder: Path) -> bool:
    """Whether an event was begun in a folder."""
    return (folder / RECORD).exists() or (folder / MARK).exists()


def journal(path: Path, *, write: bool = True) -> Journal:
    """Open the journal of the record. ``path``: of the file. Raises as `Journal` does, StoreAway, ConfigError."""
    database = address(path.parent)
    if database is None:
        return Journal(path, write=write)
    opened: JournalTables = _postgres("postgres").PostgresTables(database, path, _RECORD, write=write)
    return Journal(opened)


def tables(path: Path, made_of: Schema, file: File) -> Tables:
    """Open a set of tables. ``path``, ``file``: of SQLite. Raises JournalError, StoreAway, ConfigError."""
    database = address(path.parent)
    if database is None:
        return SqliteTables(path, file)
    opened: Tables = _postgres("postgres").PostgresTables(database, path, made_of)
    return opened


def _postgres(module: str) -> ModuleType:
    try:
        return import_module(f"referee.hall.store.{module}")
    except ModuleNotFoundError as fault:
        if fault.name != "psycopg":
            raise
        raise StationError(
            "a store in PostgreSQL needs psycopg; install this project with its extra `hall-postgres`: "
            'pip install ".[hall,hall-postgres]"'
        ) from fault
