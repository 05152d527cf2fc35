"""The safe mode: what the table gets if a normal start fails.

That is after several failed starts in a row, where the journal cannot be opened, and where the last
game cannot be resumed. Nothing of that game is resumed or judged, and no rulebook is asked about it.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import games
from referee.console.cards.shelf import SafeCard, ShelfCard
from referee.console.context import Context
from referee.console.shelf import Ended, Unfinished
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
from referee.files.players import Players
from referee.journal import Journal
from referee.rulebook import Book, Label
from referee.session import Notebook, Session
from referee.station.shelf import StationShelf
from referee.station.starting.rescue import brief, last_state, rescue
from referee.station.starting.starts import Past, Starts


@dataclass(frozen=True)
class Trouble:
    """What is wrong: in a word, in a sentence, what to do, what exactly was found, and what is sure nevertheless."""

    name: str
    what: str
    todo: str
    detail: str = ""
    sure: str = "Nothing was changed."


_TROUBLES: tuple[tuple[type[RefereeError], Trouble], ...] = (
    (JournalBusy, Trouble("in use", "Another program uses the journal.", "Stop it, then choose Retry.")),
    (JournalGone, Trouble("missing", "The journal is missing.", "Put it back, then choose Retry.")),
    (JournalNewer, Trouble("newer", "The journal is from another release.", "Install that release or a newer one.")),
    (
        JournalDamaged,
        Trouble(
            "damaged",
            "The journal is damaged.",
            "Export what can be read, put a backup in its place, then choose Retry.",
        ),
    ),
    (JournalError, Trouble("journal", "The journal cannot be opened.", "Fix the cause, then choose Retry.")),
    (
        OtherEdition,
        Trouble("rules", "The last game uses another edition of the rules.", "Install the release it began with."),
    ),
    (
        Diverged,
        Trouble(
            "rules", "The installed rules judge the last game differently.", "Install the release it began with."
        ),
    ),
    (
        UnknownGame,
        Trouble("rules", "The rulebook of the last game is not installed.", "Install it, then restart the box."),
    ),
)
_OTHER = Trouble("game", "The last game cannot be resumed.", "Export it, and report the error.")


def trouble_with(error: RefereeError, path: Path) -> Trouble:
    """Return what an error at the start means for the table."""
    known = next((trouble for kind, trouble in _TROUBLES if isinstance(error, kind)), _OTHER)
    if _full(error):
        known = Trouble("card full", "The card is full.", "Free some space, then choose Retry.")
    return Trouble(known.name, known.what, known.todo, brief(error, path))


def _full(error: BaseException | None) -> bool:
    """Return whether an error goes back to a disk without room."""
    while error is not None:
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            return True
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__
    return False


def crash_loop(past: Past, *, bare: bool) -> Trouble:
    """Return what it means that the starts before this one failed."""
    also = " Safe mode failed too, so the journal was not opened." if bare else ""
    cause = past.why or "It was killed, hung, or lost power."
    what = f"The box failed to start {past.failed} times."
    return Trouble("no start", what, f"Choose Retry.{also}", cause, "The game is saved.")


class SafeShelf:
    """The shelf of the safe mode: other games can be begun, where there is a journal; the suspect is left alone."""

    def __init__(self, journal: Journal | None, suspect: str, why_not: str) -> None:
        self._shelf = StationShelf(journal) if journal is not None else None
        self._suspect = suspect
        self._why_not = why_not

    @property
    def players(self) -> Players | None:
        """The names of players, where there is a journal."""
        return self._shelf.players if self._shelf is not None else None

    def labels(self) -> Sequence[Label]:
        """Return the rulebooks on the shelf."""
        return games.labels()

    def book(self, game: str) -> Book:
        """Return the rulebook of a game. Raises UnknownGame."""
        return games.load(game)

    def begin(self, book: Book, settings: Mapping[str, Any], ruling: str | None, source: str) -> Session:
        """Begin another game. Raises JournalError where there is no journal."""
        return self._open().begin(book, settings, ruling, source)

    def notebook(self, session: Session | None) -> Notebook | None:
        """Return where notes beside a game are written. Raises JournalError where there is no journal."""
        return self._open().notebook(session)

    def unfinished(self) -> Sequence[Unfinished]:
        """Return the other games that were left before their end."""
        left = self._shelf.unfinished() if self._shelf is not None else ()
        return [each for each in left if each.id != self._suspect]

    def ended(self) -> Ended | None:
        """Return the latest whole game that has ended."""
        return self._shelf.ended() if self._shelf is not None else None

    def settings(self, book: Book) -> Mapping[str, Any]:
        """Return the switches that the latest whole game of this book was played by."""
        return self._shelf.settings(book) if self._shelf is not None else book.settings({})

    def resume(self, game: str) -> Session:
        """Resume another game. Raises JournalError for the suspect."""
        if game == self._suspect:
            raise JournalError("this game cannot be resumed in safe mode")
        return self._open().resume(game)

    def _open(self) -> StationShelf:
        if self._shelf is None:
            raise JournalError(self._why_not)
        return self._shelf


class SafeMode:
    """See `referee.console.cards.shelf.Recovery`.

    ``journal`` None where it is not open
    ``opened``  opens it, and has it closed in the end if it is not closed before
    ``left``    whether a normal start was tried from here and came off; ``on_leave`` is called then
    """

    def __init__(
        self,
        path: Path,
        trouble: Trouble,
        starts: Starts,
        *,
        journal: Journal | None,
        opened: Callable[[], Journal],
        on_leave: Callable[[], None],
        bare: bool = False,
    ) -> None:
        self.path = path
        self.trouble = trouble
        self.journal = journal
        self.left = False
        self._on_leave = on_leave
        self._starts = starts
        self._opened = opened
        self._bare = bare

    @property
    def name(self) -> str:
        """What is wrong, in a word or two."""
        return self.trouble.name

    @property
    def forbids(self) -> str:
        """Why no other game can be begun, "" if one can."""
        return "" if self.journal is not None else f"{self.trouble.what} No game can be saved."

    def shelf(self) -> SafeShelf:
        """Return the shelf for as long as the safe mode lasts."""
        return SafeShelf(self.journal, self._suspect(), self.forbids)

    def home(self, context: Context) -> SafeCard:
        """Return what lies on the glass."""
        return SafeCard(context, self)

    def why(self) -> tuple[str, ...]:
        """Return what failed and what to do."""
        trouble = self.trouble
        return tuple(filter(None, (trouble.what, trouble.todo, trouble.detail, trouble.sure)))

    def state(self) -> tuple[str, ...]:
        """Return the last state as far as it can be read."""
        asked = self._starts.past.asked
        stood = (f"Last question: {asked}",) if asked else ()
        if self._bare:
            return (*stood, "The journal was not opened. Export copies it.")
        lines = last_state(self.journal, self.path)
        return (*lines[:1], *stood, *lines[1:])

    def export(self) -> tuple[str, ...]:
        """Write the journal out and say where. Raises JournalError."""
        text = "".join(f"{line}\n" for line in (*self.why(), *self.state()))
        folder = rescue(self.journal, self.path, text, copies_only=self._bare)
        return (f"{folder}", "It has copies of the files, and every game that can be read.")

    def again(self, context: Context) -> None:
        """Try a normal start, and count it as one. Raises RefereeError with the safe mode as it was."""
        self._starts.again()
        try:
            if self.journal is not None:  # another file may lie there by now
                self.journal.close()
                self.journal = None
            self.journal = self._opened()
            shelf = StationShelf(self.journal)
            session = shelf.latest()
        except RefereeError as error:
            self.trouble = trouble_with(error, self.path)
            self._bare = False
            context.open(self.shelf(), self.home, None)
            raise
        self.left = True
        context.open(shelf, ShelfCard, session)
        self._on_leave()

    def _suspect(self) -> str:
        try:
            row = self.journal.latest(only_open=True) if self.journal is not None else None
        except RefereeError:
            return ""
        return str(row.game) if row is not None else ""
