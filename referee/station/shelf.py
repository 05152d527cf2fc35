"""The shelf of a station: begins games in the journal and resumes them. Also the box's own dice."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from referee import games
from referee.console.shelf import Ended, Unfinished
from referee.errors import BadSetting, BrokenRulebook
from referee.files.players import beside
from referee.journal import Journal, Recorded
from referee.journal.notes import Notes
from referee.rulebook import Book, Label
from referee.session import Notebook, Session, resume
from referee.station.evenings import Evening
from referee.web.hub import Row

UNFINISHED = 5
"""How many unfinished games are offered."""
MOST_UNFINISHED = 50
"""Latest games that are looked at; those whose rulebook is not installed cannot be resumed."""


class StationShelf:
    """See `referee.console.shelf.Shelf`."""

    def __init__(
        self,
        journal: Journal,
        *,
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``wall`` returns the time of day, s since 1970, ``clock`` monotonic time; both are only recorded."""
        self._journal = journal
        self._wall = wall
        self._clock = clock
        self.players = beside(journal.path)

    def labels(self) -> Sequence[Label]:
        """Return the rulebooks on the shelf."""
        return games.labels()

    def book(self, game: str) -> Book:
        """Return the rulebook of a game. Raises UnknownGame."""
        return games.load(game)

    def begin(self, book: Book, settings: Mapping[str, Any], ruling: str | None, source: str) -> Session:
        """Begin a game, or single rulings one after another; ``source``: who began it, for the journal."""
        return Session(
            book,
            settings,
            ruling,
            journal=self._journal,
            repeat=ruling is not None,
            wall=self._wall,
            source=source,
            at=self._clock(),
        )

    def notebook(self, session: Session | None) -> Notebook | None:
        """Return where notes beside this game, or the latest one, are written; before the first, beside none."""
        if session is None:
            latest = self._journal.latest()
            return Notes(self._journal, latest.game if latest is not None else 0, wall=self._wall)
        return None if session.game_id is None else Notes(self._journal, session.game_id, wall=self._wall)

    def unfinished(self) -> Sequence[Unfinished]:
        """Return the unfinished games, newest first."""
        left = [row for row in self._journal.unfinished(MOST_UNFINISHED) if games.known(row.book)]
        return [Unfinished(str(r.game), games.load(r.book).title, self._where(r)) for r in left[:UNFINISHED]]

    def _where(self, row: Recorded) -> tuple[str, ...]:
        """Return the number of a game; then where it was left, by whom, and when it began."""
        last = [*self._journal.records(row.game, row.entries - 1, row.entries - 1)]
        place = last[0].get("extra", {}).get("place", ()) if last else ()
        day = time.strftime("%d %B, %H:%M", time.localtime(row.began)).lstrip("0")
        return (f"no. {row.game}", *place[:1], *self.players.names(row.game).values(), day)

    def ended(self) -> Ended | None:
        """Return the latest whole game that has ended, None if none has."""
        row = self._journal.latest(whole=True, over=True)
        if row is None or not games.known(row.book):
            return None
        book = games.load(row.book)
        return Ended(book, self._settings(book, row), self.players.names(row.game))

    def settings(self, book: Book) -> Mapping[str, Any]:
        """Return the switches of the latest whole game of this book that began; what it has no more is left out."""
        row = self._journal.latest(book.id, whole=True)
        return self._settings(book, row) if row is not None else book.settings({})

    def _settings(self, book: Book, row: Recorded) -> Mapping[str, Any]:
        start = [*self._journal.records(row.game, 0, 0)]
        try:
            return book.settings(start[0]["answer"]["settings"] if start else {})
        except BadSetting:  # another edition of the book
            return book.settings({})

    def resume(self, game: str) -> Session:
        """Resume an unfinished game. Raises JournalDamaged or Diverged naming the entry."""
        row = self._journal.game(int(game))
        return resume(games.load(row.book), self._journal, row.game, wall=self._wall)

    def latest(self) -> Session | None:
        """Resume the game that was open when the station stopped, if any."""
        row = self._journal.latest(only_open=True)
        return None if row is None else self.resume(str(row.game))


def throw(dice: int, sides: int) -> tuple[int, ...]:
    """Return faces from the system's random numbers; the journal names the box as their source."""
    return tuple(secrets.randbelow(sides) + 1 for _ in range(dice))


def evening_row(each: Evening) -> Row:
    """Return a whole game as the panel lists it: when, what, who played, and who won."""
    day = time.strftime("%d %B %Y, %H:%M", time.localtime(each.began)).lstrip("0")
    known = games.known(each.book)
    title = games.load(each.book).title if known else each.book
    cells = (day, title, ", ".join(each.players.values()), each.end)
    return Row("Games of this box", cells, each.game if each.over and known else 0)


def last_of(path: Path, game: int) -> tuple[int, int] | None:
    """Return a game that is over and the number of its last entry, None if it is not. Raises JournalError."""
    with Journal(path, write=False) as journal:
        row = next((each for each in journal.games() if each.game == game), None)
    return (game, row.entries - 1) if row is not None and row.over else None


@cache
def rule_rows() -> list[Row]:
    """Return every rule, and every printed table that can be worked out, of all games."""
    rows = [Row(book.title, (rule, line)) for book in games.books() for rule, line in book.rules.items()]
    for book in games.books():
        with contextlib.suppress(BrokenRulebook):
            for name, cells in book.printed().items():
                group = f"{book.title}: {name.replace('-', ' ')}"
                rows += [Row(group, (cell.row, cell.column, cell.shares, cell.note)) for cell in cells]
    return rows
