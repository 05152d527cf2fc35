"""A journal read without any rulebook, as far as it can be read, and written out beside itself."""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from referee.errors import JournalError, RefereeError
from referee.files import durable
from referee.files.plain import plain
from referee.journal import Journal, Recorded
from referee.journal.export import export
from referee.session.chain import canonical

LAST: Final = 8
"""Entries that are shown of a game."""

_FOLDERS: Final = 1000


def last_state(journal: Journal | None, path: Path) -> tuple[str, ...]:
    """Return the name of the last game, its number and its last entries, newest first, as far as they can be read."""
    try:
        if journal is not None:
            return tuple(_state(journal))
        with closing(Journal(path, write=False)) as opened:
            return tuple(_state(opened))
    except RefereeError as error:
        return ("The journal cannot be read:", brief(error, path))


def brief(error: RefereeError, path: Path) -> str:
    """Return what went wrong without the folders, for which the glass is too narrow."""
    real = Path(os.path.realpath(path)).parent
    return str(error).replace(f"{real}{os.sep}", "").replace(f"{path.parent}{os.sep}", "")


def _state(journal: Journal) -> Iterator[str]:
    row = journal.latest(only_open=True) or journal.latest()
    if row is None:
        yield "The journal has no games yet."
        return
    yield f"{named(row)}: {row.entries} entries"
    last: deque[str] = deque(maxlen=LAST)
    try:
        for record in journal.records(row.game):
            last.append(_in_a_line(record))
    except JournalError as error:
        yield f"Only part of it can be read: {brief(error, journal.path)}"
    yield from reversed(last)


def named(row: Recorded) -> str:
    """Return the name and number of a game; its rulebook, which knows a better name, is not asked.

    >>> named(Recorded(3, "war-of-the-ring", "2nd.1", None, 0.0, 5, "", over=False, open=True))
    'War of the ring, game 3'
    """
    return f"{str(row.book).replace('-', ' ').capitalize()}, game {row.game}"  # a turned bit makes bytes of a text


def _in_a_line(record: dict[str, Any]) -> str:
    """Return an entry in a line: who was asked what, what was answered, and what was ruled."""
    result = record["result"] if isinstance(record["result"], dict) else {}
    values = result.get("rulings")
    listed = values if isinstance(values, list) else []
    rulings = [f"=> {each.get('headline')}" for each in listed if isinstance(each, dict)]
    answer = record["answer"]
    if record["kind"] == "correct" and isinstance(answer, dict):
        answered = f"{answer.get('path')} {answer.get('value')}"
    elif record["kind"] in ("start", "leave", "pause", "unpause"):
        answered = ""
    elif "sealed" in (record.get("extra") or ()):
        answered = "in secret"
    elif record["kind"] == "note":
        answered = canonical(record.get("extra"))
    else:
        answered = answer if isinstance(answer, str) else canonical(answer)
    asked = f"{record['ask'] or record['kind']}{answered and ':'}"
    return " ".join(filter(None, (str(record["seq"]), str(record["seat"]), asked, answered, *rulings)))


def rescue(journal: Journal | None, path: Path, why: str, *, copies_only: bool = False) -> Path:
    """Write the files of a journal, and every game that can be read, to a new folder beside it; return that folder.

    Nothing is written over. Beside the copies lies a log of each game, to read, and its export where its record is
    whole. ``copies_only``: the journal is not opened at all. Raises JournalError if it cannot be written.
    """
    path = Path(os.path.realpath(path))
    try:
        folder = _new_folder(path.parent)
        try:
            durable.replace(folder / "why.txt", why)
            for name in (path.name, f"{path.name}-wal"):
                if (path.parent / name).is_file():
                    with (path.parent / name).open("rb") as file, durable.replacing(folder / name) as copy:
                        shutil.copyfileobj(file, copy)
            if not copies_only:
                _games(journal, path, folder)
            durable.sync(folder.parent)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    except OSError as error:
        raise JournalError(f"the export failed: {error.strerror or error}") from error
    return folder


def _games(journal: Journal | None, path: Path, folder: Path) -> None:
    try:
        if journal is not None:
            _each(journal, folder)
        else:
            with closing(Journal(path, write=False)) as opened:
                _each(opened, folder)
    except RefereeError as error:
        _tell(folder / "unread.txt", str(error))


def _each(journal: Journal, folder: Path) -> None:
    for row in journal.games():
        name = f"game-{row.game}"
        lines = [named(row)]
        try:
            lines += map(_in_a_line, journal.records(row.game))
        except JournalError as error:
            lines.append(f"The rest cannot be read: {error}")
        _tell(folder / f"{name}.txt", *lines)
        try:
            exported = [*export(journal, row.game)]
        except RefereeError as error:
            _tell(folder / f"{name}-not-whole.txt", str(error))
        else:
            durable.replace(folder / f"{name}.jsonl", "".join(f"{line}\n" for line in exported))


def _tell(path: Path, *lines: str) -> None:
    """Write what people read, on a terminal too."""
    durable.replace(path, "".join(f"{plain(line)}\n" for line in lines))


def _new_folder(beside: Path) -> Path:
    for number in range(1, _FOLDERS):
        folder = beside / f"export-{number}"
        try:
            folder.mkdir(0o755)
        except FileExistsError:
            continue
        return folder
    raise OSError(0, f"there are {_FOLDERS - 1} exports already", str(beside))
