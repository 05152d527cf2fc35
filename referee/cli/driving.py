"""The command that serves the drive protocol."""

from __future__ import annotations

import contextlib
import sys
import time
from argparse import Namespace
from typing import Any

from referee.cli.output import did_you_mean
from referee.cli.shelf import book_of
from referee.drive import drive as serve
from referee.errors import BadSetting, JournalError, Malformed
from referee.files import outside
from referee.files.players import beside
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
    if options.players and not options.journal:
        raise BadSetting("--player needs --journal: names are kept beside it")
    if options.resume and options.journal and not options.journal.is_file():
        raise JournalError(f"{options.journal}: there is no journal, so no game to resume")
    # A slip leaves no empty journal.
    players = {} if options.resume else _players(options.players, Session(book, settings, ruling))
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(Journal(options.journal)) if options.journal else None
        if options.resume:
            session = _resumed(book, journal)
            players = _players(options.players, session)
        else:
            mark: dict[str, Any] = {"source": "drive", "at": time.monotonic(), "wall": time.time}
            session = Session(book, settings, ruling, journal=journal, **mark)
        if journal is not None and session.game_id is not None:
            for seat, name in players.items():
                beside(journal.path).name(session.game_id, seat, name)
        notebook = Notes(journal, session.game_id) if journal is not None and session.game_id is not None else None
        serve(session, sys.stdin.buffer, sys.stdout.buffer, notebook)


def _players(named: list[tuple[str, str]], session: Session) -> dict[str, str]:
    """Return who plays, by seat. Raises BadSetting."""
    seats = session.game.possible_seats()
    players: dict[str, str] = {}
    for typed, name in named:
        seat = _seat(typed, list(seats))
        if seat in players:
            raise BadSetting(f"--player {seat} is given twice: expected one name for a seat")
        try:
            players[seat] = outside.name(name)
        except Malformed as error:
            raise BadSetting(f"--player {seat}: {error.text}") from error
    return players


def _seat(typed: str, seats: list[str]) -> str:
    """Return the seat that is meant, also in capitals. Raises BadSetting."""
    if not seats:
        raise BadSetting(f"--player {typed}: this game has no seats, so it names nobody")
    seat = next((each for each in (typed, typed.lower()) if each in seats), "")
    if not seat:
        near = did_you_mean(typed.lower(), seats)
        raise BadSetting(f"--player {typed}: expected a seat of the game: {', '.join(seats)}{near}")
    return seat


def _resumed(book: Book, journal: Journal | None) -> Session:
    row = journal.latest(book.id, only_open=True) if journal is not None else None
    if journal is None or row is None:
        raise JournalError(f"there is no unfinished game of {book.id} to resume; name a journal that has one")
    return resume(book, journal, row.game, wall=time.time)
