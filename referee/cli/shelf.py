"""Commands that show what is on the shelf: games, odds."""

from __future__ import annotations

import json
from argparse import Namespace

from referee.cli import text
from referee.cli.names import book_of
from referee.cli.output import say, warn
from referee.errors import UnknownGame
from referee.games import books, left_out


def games(options: Namespace) -> None:
    """Show the shelf."""
    shelf = books()
    for each in left_out():
        warn(f"{each.game} from {each.package} was not loaded: {each.why}")
    say(
        [json.dumps([text.book_json(book) for book in shelf], ensure_ascii=False)]
        if options.json
        else text.shelf(shelf)
    )


def odds(options: Namespace) -> None:
    """Show the printed tables with their exact odds."""
    chosen = (book_of(options.book),) if options.book else tuple(book for book in books() if book.tables)
    if options.json:
        say([json.dumps({book.id: text.tables_json(book) for book in chosen}, ensure_ascii=False)])
        return
    if not any(book.tables for book in chosen):
        raise UnknownGame(f"{chosen[0].id} has no printed table" if chosen else "no game has a printed table")
    say(line for book in chosen for line in text.tables(book))
