"""The safe mode: what the table gets if a normal start fails.

That is after a fault of the program, where the journal cannot be opened, and where the last game cannot be resumed.
The journal is closed; it is copied out or set aside as a whole, and no rulebook is asked about its games.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Never

from referee.console.cards.lists import ConfirmPage, ListCard, item
from referee.console.context import Context
from referee.console.drawing.screens import legible
from referee.console.texts import Text
from referee.console.views import Band, Grid, View
from referee.errors import (
    Diverged,
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalGone,
    JournalNewer,
    OtherEdition,
    RefereeError,
    UnknownGame,
)
from referee.files import bounded, durable, players
from referee.journal import Journal
from referee.journal.export import export
from referee.journal.lock import acquire
from referee.rulebook import Book
from referee.station.starts import StartAgain

STICKS: Final = ("/media/", "/run/media/", "/mnt/")
"""Where sticks are mounted."""

ASIDE: Final = "The old games stay in a folder. The box starts empty."

_FOLDERS: Final = 1000


class Trouble(NamedTuple):
    """What is wrong: in a word, in a sentence, what to do, what exactly was found, and what is sure nevertheless."""

    name: str
    what: str
    todo: str
    detail: str = ""
    sure: str = "Nothing was changed."


_OLDER: Final = "Install the release that began it."
_BACKUP: Final = "Export what can be read, put a backup in its place, then choose Try again."
_TROUBLES: Final[tuple[tuple[type[Exception], Trouble], ...]] = (
    (JournalBusy, Trouble("in use", "Another program uses the journal.", "Stop it, then choose Try again.")),
    (JournalGone, Trouble("missing", "The journal is missing.", "Put it back, then choose Try again.")),
    (JournalNewer, Trouble("newer", "The journal is from another release.", "Install that release or a newer one.")),
    (JournalDamaged, Trouble("damaged", "The journal is damaged.", _BACKUP)),
    (JournalError, Trouble("journal", "The journal cannot be opened.", "Fix the cause, then choose Try again.")),
    (OtherEdition, Trouble("rules", "The last game uses another edition of the rules.", _OLDER)),
    (Diverged, Trouble("rules", "The installed rules judge the last game differently.", _OLDER)),
    (UnknownGame, Trouble("rules", "The rulebook of the last game is not installed.", "Install it, then restart.")),
    (RefereeError, Trouble("game", "The last game cannot be resumed.", "Export it, and report the error.")),
    (
        Exception,
        Trouble("fault", "The program failed.", "Choose Try again.", sure="The game is saved."),
    ),
)


def trouble_with(error: Exception, path: Path) -> Trouble:
    """Return what an error at the start means for the table; the glass is too narrow for folders."""
    known = _of_disk(error) or next(trouble for kind, trouble in _TROUBLES if isinstance(error, kind))
    real = Path(os.path.realpath(path)).parent
    kind = "" if isinstance(error, RefereeError) else f"{type(error).__name__}: "
    return known._replace(
        detail=kind + str(error).replace(f"{real}{os.sep}", "").replace(f"{path.parent}{os.sep}", "")
    )


_FULL = Trouble("card full", "The SD card is full.", "Free some space, then choose Try again.")
_READ_ONLY = Trouble("read-only", "The journal is read-only.", "Make its disk writable, then choose Try again.")
_BY_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
}
_BY_ERRNO = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: _READ_ONLY,
    errno.EACCES: _READ_ONLY,
    errno.EPERM: _READ_ONLY,
}


def _of_disk(error: BaseException | None) -> Trouble | None:
    """Return what an error means that goes back to a disk without room, or that takes nothing."""
    while error is not None:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        trouble = _BY_ERRNO.get(error.errno or 0) if isinstance(error, OSError) else _BY_CODE.get(code)
        if trouble is not None:
            return trouble
        error = error.__cause__
    return None


class SafeMode:
    """What can be done in the safe mode, and a shelf without games (`referee.console.shelf.Shelf`)."""

    players = None

    def __init__(self, path: Path, trouble: Trouble) -> None:
        self.path = path
        self.trouble = trouble

    def home(self, context: Context) -> SafeCard:
        """Return what lies on the glass."""
        return SafeCard(context, self)

    def why(self) -> tuple[str, ...]:
        """Return what failed and what to do."""
        trouble = self.trouble
        return tuple(filter(None, (trouble.what, trouble.todo, trouble.detail, trouble.sure)))

    def export(self) -> tuple[str, ...]:
        """Write the journal out, to a stick if there is one, and say where. Raises JournalError."""
        folder = rescue(self.path, "".join(f"{line}\n" for line in self.why()), stick())
        return (f"{folder}", "It has copies of the files, and every undamaged game.")

    def again(self) -> Never:
        """Raise StartAgain."""
        raise StartAgain

    def set_aside(self) -> Never:
        """Put the journal into a folder beside it, and raise StartAgain. Raises JournalError."""
        set_aside(self.path)
        raise StartAgain

    # -- a shelf without games -------------------------------------------------------------------------------------

    def _refuse(self, *_: object, **__: object) -> Never:
        raise JournalError(f"{self.trouble.what} No game can be saved.")

    def _none(self) -> tuple[()]:
        return ()

    def ended(self) -> None:
        """No game has ended."""

    def settings(self, book: Book) -> Mapping[str, Any]:
        """Return the switches a rulebook begins with."""
        return book.settings({})

    labels = unfinished = _none
    book = begin = notebook = resume = _refuse


class SafeCard(ListCard):
    """What lies on the glass where the normal start failed; no game can be reached from here."""

    for_judges = True

    def __init__(self, context: Context, safe: SafeMode) -> None:
        self.question = legible(safe.trouble.what)
        attempt = context.stage.attempt
        aside = ConfirmPage(context, "Set aside", ASIDE, lambda: attempt(safe.set_aside))
        items = (
            item("why", "Why", lambda: self._read("What failed", safe.why())),
            item("again", "Try again", safe.again, short="Retry"),
            item("export", "Export", lambda: self._read("Exported", safe.export())),
            item("aside", "Set aside", lambda: aside, short="Aside"),
        )
        super().__init__(context, Band("Safe mode", safe.trouble.name), items)

    def view(self, bar: float | None) -> View:
        """Return what can be done."""
        del bar
        grid = self.deal.grid(self.band, self.question)
        assert isinstance(grid, Grid)
        return grid

    def menu(self) -> None:
        """There is no menu without a game."""

    def _read(self, title: str, lines: tuple[str, ...]) -> Text:
        return Text(self.stage, title, lines)


def stick(mounts: Path = Path("/proc/self/mounts")) -> Path | None:
    """Return where a stick is mounted that can be written, None where none is. ``mounts``: see proc_pid_mounts(5)."""
    try:
        lines = bounded.text(mounts).splitlines()
    except (OSError, ValueError):
        return None
    places = [line.split(" ")[1].replace("\\040", " ") for line in lines if line.count(" ") > 1]
    return next((Path(each) for each in places if each.startswith(STICKS) and os.access(each, os.W_OK)), None)


def set_aside(path: Path) -> Path:
    """Put a journal with what belongs to it into a new folder beside it; return that. Raises JournalError.

    Its lock comes last: until then a journal that is gone is missed.
    """
    path = Path(os.path.realpath(path))
    try:
        lock = acquire(path)
    except JournalBusy:
        raise
    except JournalError:
        lock = None
    try:
        folder = _new_folder(path.parent, "aside")
        names = [path.name, f"{path.name}-wal", f"{path.name}-shm", players.file_of(path).name, f"{path.name}.lock"]
        for name in names:
            if (path.parent / name).is_file():
                (path.parent / name).rename(folder / name)
        durable.sync(folder)
        durable.sync(path.parent)
    except OSError as error:
        raise JournalError(f"it cannot be set aside: {error.strerror or error}") from error
    finally:
        if lock is not None:
            lock.close()
    return folder


def rescue(path: Path, why: str, to: Path | None = None) -> Path:
    """Copy the files of a journal, and export every game that is whole, to a new folder; return that folder.

    ``to``: where the folder is made, None: beside the journal. Raises JournalError if it cannot be written.
    """
    path = Path(os.path.realpath(path))
    try:
        folder = _new_folder(to or path.parent, "export")
        try:
            durable.replace(folder / "why.txt", why)
            for name in (path.name, f"{path.name}-wal"):
                if (path.parent / name).is_file():
                    with (path.parent / name).open("rb") as file, durable.replacing(folder / name) as copy:
                        shutil.copyfileobj(file, copy)
            with suppress(RefereeError):  # it cannot be read at all
                _games(path, folder)
            durable.sync(folder.parent)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    except OSError as error:
        raise JournalError(f"the export failed: {error.strerror or error}") from error
    return folder


def _games(path: Path, folder: Path) -> None:
    with closing(Journal(path, write=False)) as journal:
        for row in journal.games():
            with suppress(RefereeError):
                exported = [*export(journal, row.game)]
                durable.replace(folder / f"game-{row.game}.jsonl", "".join(f"{line}\n" for line in exported))


def _new_folder(beside: Path, kind: str) -> Path:
    for number in range(1, _FOLDERS):
        folder = beside / f"{kind}-{number}"
        try:
            folder.mkdir(0o755)
        except FileExistsError:
            continue
        return folder
    raise OSError(0, f"there are {_FOLDERS - 1} of them already", str(beside))
