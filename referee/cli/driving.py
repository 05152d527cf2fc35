"""The command that serves the drive protocol."""

from __future__ import annotations

import contextlib
import sys
import time
from argparse import Namespace
from typing import Any

from referee.cli.shelf import book_of
from referee.drive import drive as serve
from referee.errors import BadSetting, JournalError
from referee.journal import Journal
from referee.journal.notes import Notes
from referee.rulebook import Book
from referee.session import Session, resume


def drive(options: Namespace) -> None:
    """Serve the drive protocol on stdin and stdout."""
    book = book_of(options.book)
    settings: dict[str, str] = {}
    for name, value in options.settings:
        if name in settings:
            raise BadSetting(f"--set {name} is given twice: expected one value for a switch")
        settings[name] = value
    ruling = options.ruling
    if options.resume and (settings or ruling):
        raise BadSetting("--resume keeps the settings of the game; leave out --set and --ruling")
    if options.resume and options.journal and not options.journal.is_file():
        raise JournalError(f"{options.journal}: there is no journal, so no game to resume")
    if not options.resume:
        Session(book, settings, ruling)  # a slip leaves no empty journal
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(Journal(options.journal)) if options.journal else None
        if options.resume:
            session = _resumed(book, journal)
        else:
            mark: dict[str, Any] = {"source": "drive", "at": time.monotonic(), "wall": time.time}
            session = Session(book, settings, ruling, journal=journal, **mark)
        notebook = Notes(journal, session.game_id) if journal is not None and session.game_id is not None else None
        serve(session, sys.stdin.buffer, sys.stdout.buffer, notebook)


def _resumed(book: Book, journal: Journal | None) -> Session:
    row = journal.latest(book.id, only_open=True) if journal is not None else None
    if journal is None or row is None:
        raise JournalError(f"there is no unfinished game of {book.id} to resume; name a journal that has one")
    return resume(book, journal, row.game, wall=time.time)
