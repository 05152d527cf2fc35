"""A damaged file in the folder of an event: what is lost with it, what is not, and how the event goes on.

The record cannot be spared: another hall takes it from the boxes. What else is damaged can be set aside.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import JournalDamaged, JournalError
from referee.files import durable

ASIDE: Final = ".damaged"
"""What a file that was set aside has behind its name."""
_LOG: Final = ("-wal", "-shm")
"""What SQLite keeps beside a file; with another file they would be worth nothing."""


class Loss(NamedTuple):
    """What a damaged file means for the event."""

    lost: str
    left: str
    way: str


SPARED: Final = "Start the hall again with --set-aside: the file is renamed, and the hall goes on without it."
LOSSES: Final = {
    "hall.db": Loss(
        "the hall's own copy of the record: players by number, pairings, results",
        "the copies of the record on the boxes, what they played, and the names in names.db",
        "Rebuild the event from the boxes: referee hall --rebuild {folder}/event.key --box-port 8470 --folder NEW. "
        "Copy names.db into the new folder before you start it again. Or put back a copy of hall.db",
    ),
    "names.db": Loss(
        "the names of players and clubs, and that of the event",
        "the record: numbers, pairings, results. The boxes go on",
        SPARED + " Then paste the list of players again on Players, in the order of their numbers.",
    ),
    "intake.db": Loss(
        "what the page Boxes listed under What to look into, and what came from boxes that do not come back",
        "the record and the names. The boxes have what they played, and send all of it again",
        SPARED,
    ),
}


def fault(path: Path, error: Exception, *, damaged: bool = False) -> JournalError:
    """Return what people are told of a fault of SQLite. ``damaged``: it is sure that the file does not hold."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if damaged or isinstance(error, UnicodeDecodeError) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return of(path, str(error))
    return JournalError(f"{path}: {error}")


def of(path: Path, why: str) -> JournalDamaged:
    """Return what people are told of a damaged file, one of `LOSSES`."""
    loss = LOSSES[path.name]
    return JournalDamaged(
        f"{path} is damaged: {why}. Lost with it: {loss.lost}. Not lost: {loss.left}. "
        f"{loss.way.format(folder=path.parent)}"
    )


def check(db: sqlite3.Connection, path: Path) -> None:
    """See that every page of a file can be read. Raises JournalDamaged, sqlite3.Error."""
    (result,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise of(path, str(result).replace("\n", " "))


def set_aside(path: Path) -> Path:
    """Rename a file, with what SQLite has beside it; return its new name. Raises JournalError, nothing is lost."""
    taken = [path.with_name(f"{path.name}{ASIDE}-{number}") for number in range(1, 1000)]
    new = next(each for each in taken if not each.exists())
    try:
        for log in _LOG:  # first: with a new file of this name they would be read as its own
            beside = path.with_name(path.name + log)
            if beside.exists():
                beside.rename(new.with_name(new.name + log))
        path.rename(new)
        durable.sync(path.parent)
    except OSError as error:
        raise JournalError(f"{path} cannot be set aside: {error.strerror}") from error
    return new


def forget(path: Path) -> None:
    """Overwrite and remove what was set aside of a file that must not outlive the event. Raises OSError."""
    for each in sorted(path.parent.glob(f"{path.name}{ASIDE}-*")):
        with each.open("r+b") as file:
            file.write(b"\0" * each.stat().st_size)
            file.flush()
            os.fsync(file.fileno())
        durable.remove(each)
