"""The command that serves the drive protocol."""

from __future__ import annotations

import contextlib
import sys
import time
from argparse import Namespace
from typing import Any

from referee.cli.names import book_of
from referee.drive import drive as serve
from referee.errors import BadSetting, JournalError
from referee.files.players import beside
from referee.journal import Journal
from referee.journal.notes import Notes
from referee.rulebook import Book
from referee.session import Session, resume


def drive(options: Namespace) -> None:
    """Serve the drive protocol on stdin and stdout."""
    book = book_of(options.book)
    settings = dict(options.settings)
    for name in settings:
        if sum(name == each for each, _ in options.settings) > 1:
            raise BadSetting(f"--set {name} is given twice: expected one value for a switch")
    if options.resume and (settings or options.ruling):
        raise BadSetting("--resume keeps the settings of the game; leave out --set and --ruling")
    if options.resume and options.journal and not options.journal.is_file():
        raise JournalError(f"{options.journal}: there is no journal, so no game to resume")
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(Journal(options.journal)) if options.journal else None
        if options.resume:
            session = _resumed(book, journal)
        else:
            mark: dict[str, Any] = {"source": "drive", "at": time.monotonic(), "wall": time.time}
            session = Session(book, settings, options.ruling, journal=journal, **mark)
        _name_players(options.players, session, journal)
        notebook = Notes(journal, session.game_id) if journal is not None and session.game_id is not None else None
        serve(session, sys.stdin.buffer, sys.stdout.buffer, notebook)


def _name_players(named: list[tuple[str, str]], session: Session, journal: Journal | None) -> None:
    """Keep who plays which seat. Raises BadSetting, Malformed or StationError."""
    for seat, name in named:
        if journal is None or session.game_id is None:
            raise BadSetting("--player needs --journal: names are kept beside it")
        if seat not in session.seats():
            raise BadSetting(f"--player {seat}: expected a seat of the game: {', '.join(session.seats())}")
        beside(journal.path).name(session.game_id, seat, name)


def _resumed(book: Book, journal: Journal | None) -> Session:

    row = journal.latest(book.id, only_open=True) if journal is not None else None
    if journal is None or row is None:
        raise JournalError(f"there is no unfinished game of {book.id} to resume; name a journal that has one")
    return resume(book, journal, row.game, wall=time.time)
