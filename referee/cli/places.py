"""Find the journal that a command means, and the game in it."""

from __future__ import annotations

import errno
import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import BadSetting, JournalError, StationError
from referee.files.bounded import names_a_file, trimmed

if TYPE_CHECKING:
    from referee.journal import Journal, Recorded


def journal_path() -> Path:
    """Return where the journal lies: $REFEREE_JOURNAL, else in the XDG state directory. Raises BadSetting."""
    named = trimmed(os.environ.get("REFEREE_JOURNAL", ""))
    if named:
        if not names_a_file(Path(named)):
            raise BadSetting(f"$REFEREE_JOURNAL: expected a file, got {named!r}")
        return Path(named)
    state = trimmed(os.environ.get("XDG_STATE_HOME", ""))
    # The XDG specification has relative paths ignored.
    base = Path(state) if state and Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "referee" / "journal.db"


def lacking(what: str, fault: ImportError, extra: str, package: str = "") -> StationError:
    """Return the fault that names what is not installed. ``what``: with its verb; ``package``: of Debian's."""
    on_a_box = f"the package {package}, or " if package else ""
    return StationError(
        f'{what} {fault.name}; install {on_a_box}this project with its extra `{extra}`: pip install ".[{extra}]"'
    )


def named_journal(options: Namespace) -> Path | None:
    """Return the journal that the command line or the environment names, None if neither does. Raises BadSetting."""
    return options.journal or (journal_path() if trimmed(os.environ.get("REFEREE_JOURNAL", "")) else None)


def open_journal(options: Namespace, *, write: bool = False) -> Journal:
    """Open the journal that is meant. Raises BadSetting or JournalError."""
    from referee.journal import Journal  # the first picture of a station does not wait for it

    path = options.journal or journal_path()
    try:
        there = path.exists()
    except OSError as fault:
        raise JournalError(f"{path} cannot be read: {fault.strerror}") from fault
    if not there and not write:
        raise JournalError(f"{path}: there is no journal; `referee play` starts one, --journal names another")
    if there and not os.access(path, os.R_OK):
        raise JournalError(f"{path} cannot be read: {os.strerror(errno.EACCES)}")
    return Journal(path, write=write)


def chosen(journal: Journal, game: int | None) -> Recorded:
    """Return the game of that number, the latest one for None. Raises JournalError."""
    if game is None:
        latest = journal.latest()
        if latest is None:
            raise JournalError(f"{journal.path} has no games yet")
        return latest
    for row in journal.games():
        if row.game == game:
            return row
    raise JournalError(f"{journal.path} has no game {game}; `referee log --list` lists them")
