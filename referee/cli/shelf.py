"""Commands about the games on the shelf: games, rules, odds, drive."""

from __future__ import annotations

import contextlib
import sys
import time
from argparse import Namespace
from typing import Any

from referee.cli import text
from referee.cli.output import show, warn
from referee.drive import drive as serve
from referee.errors import BadSetting, BrokenRulebook, UnknownGame, UnknownRuling
from referee.games import books, left_out, load
from referee.journal import Journal
from referee.rulebook import Book
from referee.session import Session


def book_of(name: str) -> Book:
    """Return a game by its id, or by a word that no other id has. Raises UnknownGame."""
    named = [book for book in books() if name.lower() in book.id.split("-")]
    return named[0] if len(named) == 1 else load(name)


def games(options: Namespace) -> None:
    """Show the shelf, or one game of it."""
    shelf = books() if options.book is None else (book_of(options.book),)
    for each in left_out():
        warn(options, f"{each.game} from {each.package} was not loaded: {each.why}")
    show(options, [text.book_json(book) for book in shelf], text.shelf(shelf))


def rules(options: Namespace) -> None:
    """Show the rules with this id, and those with all of these words. Raises UnknownRuling."""
    words = " ".join(options.words).lower().split()
    found = {
        book.id: {rule: line for rule, line in book.rules.items() if _meant(rule, line, words)} for book in books()
    }
    if words and not any(found.values()):
        raise UnknownRuling(
            f"no rule has the id or the words {' '.join(options.words)!r}; expected BR-45, for example"
        )
    lines: list[str] = []
    for book in books():
        if found[book.id]:
            lines += [book.title, *(f"  {rule:7} {line}" for rule, line in found[book.id].items())]
    show(options, {book: lines for book, lines in found.items() if lines}, lines)


def _meant(rule: str, line: str, words: list[str]) -> bool:
    return words == [rule.lower()] or all(word in line.lower() for word in words)


def odds(options: Namespace) -> None:
    """Show the printed tables with their exact odds; among those of all games, a broken one is left out."""
    chosen = (book_of(options.book),) if options.book is not None else tuple(book for book in books() if book.tables)
    if not any(book.tables for book in chosen):
        raise UnknownGame(f"{chosen[0].id} has no printed table" if chosen else "no game has a printed table")
    values: dict[str, object] = {}
    lines: list[str] = []
    for book in chosen:
        try:
            if options.json:
                values[book.id] = text.tables_json(book)
            else:
                lines += text.tables(book)
        except BrokenRulebook as fault:
            if options.book:
                raise
            warn(options, f"left out: {fault}")
    show(options, values, lines)


def drive(options: Namespace) -> None:
    """Serve the drive protocol on stdin and stdout."""
    book = book_of(options.book)
    settings: dict[str, str] = {}
    for name, value in options.settings:
        if name in settings:
            raise BadSetting(f"--set {name} is given twice: expected one value for a switch")
        settings[name] = value
    Session(book, settings, options.ruling)  # a slip leaves no empty journal
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(Journal(options.journal)) if options.journal else None
        mark: dict[str, Any] = {"source": "drive", "at": time.monotonic(), "wall": time.time}
        serve(Session(book, settings, options.ruling, journal=journal, **mark), sys.stdin.buffer, sys.stdout.buffer)
