"""Commands that show what is on the shelf: games, odds."""

from __future__ import annotations

from argparse import Namespace

from referee.cli import text
from referee.cli.names import book_of
from referee.cli.output import show, warn
from referee.errors import BrokenRulebook, UnknownGame
from referee.games import books, left_out


def games(options: Namespace) -> None:
    """Show the shelf."""
    shelf = books()
    for each in left_out():
        warn(options, f"{each.game} from {each.package} was not loaded: {each.why}")
    show(options, [text.book_json(book) for book in shelf], text.shelf(shelf))


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
