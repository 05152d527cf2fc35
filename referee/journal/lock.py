"""The lock beside a journal: one station writes, and a journal that existed and is gone is noticed."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from typing import IO

from referee.errors import JournalBusy, JournalError, JournalGone
from referee.files import durable

_BEGUN = b"begun\n"
"""What the lock file says once the journal has been made."""


def acquire(journal: Path) -> IO[bytes]:
    """Take the lock of a journal until the file returned is closed; make its folder where there is none.

    Raises JournalBusy if another station has it, JournalError if nothing can be written there, if the file has more
    than one name, or if the journal has been made before and is gone or empty.
    """
    path = journal.with_name(journal.name + ".lock")
    try:
        durable.folder(journal.absolute().parent)
        lock = durable.shared(path)
    except OSError as fault:
        raise JournalError(f"{journal} cannot be written: {fault.strerror}") from fault
    try:
        _check(lock, journal)
    except BaseException:
        lock.close()
        raise
    return lock


def _check(lock: IO[bytes], journal: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        raise JournalBusy(f"{journal} is in use by another station{_where(journal)}") from fault
    names, size = (journal.stat().st_nlink, journal.stat().st_size) if journal.is_file() else (1, 0)
    if names > 1:  # each name would have a lock of its own
        raise JournalError(
            f"{journal} has {names} names (hard links), so two stations could write it at once:"
            " remove the others, or put a copy in its place"
        )
    if not size and _marked(lock):
        state = "empty" if journal.exists() else "missing"
        raise JournalGone(
            f"{journal} is {state}, but it had games: put it back, or remove {journal.name}.lock to start a new one"
        )


def mark(lock: IO[bytes], journal: Path) -> None:
    """Note, durably, that the journal has been made. Raises JournalError."""
    if _marked(lock):
        return
    try:
        lock.write(_BEGUN)
        lock.flush()
        os.fsync(lock.fileno())
    except OSError as fault:
        raise JournalError(f"{journal} cannot be written: {fault.strerror}") from fault


def reached_at(journal: Path, address: str) -> None:
    """Note beside a journal where the panel of its station is, for who starts a second one by mistake."""
    with contextlib.suppress(OSError):
        _address(journal).write_text(address, encoding="utf-8")


def _where(journal: Path) -> str:
    try:
        return f", whose panel was last at {_address(journal).read_text(encoding='utf-8')}"
    except (OSError, UnicodeDecodeError):
        return ""


def _address(journal: Path) -> Path:
    return journal.with_name(journal.name + ".address")


def _marked(lock: IO[bytes]) -> bool:
    lock.seek(0)
    return bool(lock.read(1))
