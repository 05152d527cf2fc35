"""The journal: every accepted entry of every game, durable before `Journal.append` returns.

SQLite in WAL mode with ``synchronous=FULL``: one commit, one fsync of the log, for each stroke. One station writes,
guarded by a lock beside the file that ends with its process; any number of readers may look on. Nothing in it is ever
updated or deleted, and triggers refuse both.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from referee.errors import WHOLE, JournalDamaged, JournalError
from referee.journal.database import Database, Waiting
from referee.session.chain import canonical, digest, json_members, walk
from referee.session.entries import Entry

_COLUMNS = ("game", *Entry._fields, "prev", "hash")
_NAMES = ", ".join(f'"{name}"' for name in _COLUMNS)
_LIST = "INSERT INTO games (game, book, edition, ruling, began) VALUES (?, ?, ?, ?, ?)"
_INSERT = f"INSERT INTO entries ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - our own names
_SELECT = f"SELECT {_NAMES} FROM entries WHERE game = ? AND seq BETWEEN ? AND ? ORDER BY seq"  # noqa: S608
_TAIL = "SELECT seq, hash FROM entries WHERE game = ? ORDER BY seq DESC LIMIT 1"
_STRAY = "SELECT game, seq FROM entries AS t WHERE NOT EXISTS (SELECT 1 FROM games WHERE game = t.game)"
_JSON = ("answer", "result", "extra")
"""Columns that hold JSON."""
_GAMES = """\
SELECT games.game, book, games.edition, ruling, began, last.kind, last.result, last.seq, last.hash FROM games
LEFT JOIN entries AS last ON last.game = games.game
AND last.seq = (SELECT seq FROM entries WHERE game = games.game ORDER BY seq DESC LIMIT 1)"""
NOTES = "(notes)"
"""What stands in the place of a rulebook's id in a chain of notes beside a game."""
_GAME = f"book != '{NOTES}'"
_BESIDE_GAME = f"""\
SELECT games.game FROM games CROSS JOIN entries WHERE games.game = entries.game
AND {_GAME.replace("!=", "=")} AND seq = 0 AND answer = ? ORDER BY games.game DESC LIMIT 1"""  # noqa: S608
_GOING = """(last.kind IS NULL OR substr(last.result, 1, 8) != '{"over":')"""
_OPEN = f"(last.kind IS NULL OR last.kind != 'leave' AND {_GOING})"


def beside(game: int) -> dict[str, Any]:
    """Return what the first entry of a chain of notes has as its answer: the game that it stands beside."""
    return {"book": NOTES, "settings": {}, "ruling": None, "repeat": False, "beside": game}


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game in a journal. ``began``: wall clock, s since 1970; ``head``: hash of its last entry.

    ``over``: it has ended; ``open``: it has not, nor was it put away. Notes beside a game are neither.
    """

    game: int
    book: str
    edition: str
    ruling: str | None
    began: float
    entries: int
    head: str
    over: bool
    open: bool

    @property
    def notes(self) -> bool:
        """Whether it is no game, but a chain of notes beside one."""
        return self.book == NOTES


class _Last(NamedTuple):
    """The entry written last, of all games."""

    game: int
    seq: int
    hash: str


class Journal:
    """A journal file, open for writing (``Journal(path)``) or only for reading (``Journal(path, write=False)``).

    To be used by one thread at a time. It is a `referee.session.Recorder` and `Archive`. ``waiting`` is entered while
    a stroke is written: whoever shows something can show that the disk is slow.
    """

    def __init__(self, path: str | os.PathLike[str], *, write: bool = True, waiting: Waiting = nullcontext) -> None:
        """Open it, and make it where it is to be written and does not exist.

        Raises JournalBusy if another station writes it, JournalDamaged if the file is none, JournalError otherwise.
        """
        self._db = Database(Path(os.path.realpath(path)), write=write, waiting=waiting)
        self.path = self._db.path
        self._last: _Last | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it and let another station write it."""
        self._db.close()

    # -- writing -------------------------------------------------------------------------------------------------

    def begin(self, book: str, start: Entry) -> int:
        """Write the start of a game and return its number. Raises JournalError with nothing written."""
        return self._begin(book, [start])

    def adopt(self, entries: Sequence[Entry]) -> int:
        """Write a game that another box began, from its start on, as one commit; return its number here.

        Raises JournalError with nothing written.
        """
        return self._begin(entries[0].answer["book"], entries)

    def _begin(self, book: str, entries: Sequence[Entry]) -> int:
        start = entries[0]
        ruling = start.answer.get("ruling") if isinstance(start.answer, dict) else None

        def work() -> _Last:
            game = 1 + int(self._db.execute("SELECT coalesce(max(game), 0) FROM games").fetchall()[0][0])
            self._db.execute(_LIST, (game, book, start.edition, ruling, start.wall))
            return self._insert(game, entries, (-1, ""))

        self._last = None  # should this fail, the file knows best
        self._last = self._db.commit(work, many=True)
        return self._last.game

    def append(self, game: int, entries: Sequence[Entry]) -> None:
        """Write entries of one stroke as one commit. Raises JournalError."""
        last, self._last = self._last, None
        tail = last[1:] if last is not None and last.game == game else None
        self._last = self._db.commit(partial(self._insert, game, entries, tail), many=len(entries) > 1)

    def _insert(self, game: int, entries: Sequence[Entry], tail: tuple[int, str] | None) -> _Last:
        """Insert entries after the one at ``tail`` (None: that is the last one in the file); return the last one."""
        seq, prev = tail or self._read_tail(game)
        for entry in entries:
            if entry.seq != seq + 1:
                raise JournalError(f"{self.path}: game {game} stands at entry {seq}, so {entry.seq} cannot follow")
            seq = entry.seq
            answer, result, extra = members = json_members(entry)
            now = digest(game, entry, prev, members)
            self._db.execute(_INSERT, (game, *entry[:7], answer, *entry[8:13], result, extra, prev, now))
            prev = now
        return _Last(game, seq, prev)

    def _read_tail(self, game: int) -> tuple[int, str]:
        tail = self._db.execute(_TAIL, (game,)).fetchone()
        if tail is None:
            raise JournalError(f"{self.path}: there is no game {game}")
        return int(tail[0]), str(tail[1])

    # -- reading -------------------------------------------------------------------------------------------------

    def records(self, game: int, first: int = 0, last: int = WHOLE) -> Iterator[dict[str, Any]]:
        """Yield the rows of a game, from one entry to another, as JSON objects, unchecked.

        Raises JournalDamaged or JournalError.
        """
        with self._db.reading():
            for row in self._db.execute(_SELECT, (game, first, last)):
                record = dict(zip(_COLUMNS, row, strict=True))
                for name in _JSON:
                    record[name] = self._parsed(record, name)
                if record["extra"] == {}:
                    del record["extra"]
                yield record

    def entries(self, game: int) -> list[Entry]:
        """Return the entries of a game, its chain checked. Raises JournalDamaged or JournalError."""
        entries = [chained.entry for chained in walk(game, self.records(game))]
        if not entries:
            raise JournalError(f"{self.path}: there is no game {game}")
        return entries

    def head(self, game: int) -> tuple[int, str]:
        """Return number and hash of the last entry of a game. Raises JournalError if there is no such game."""
        with self._db.reading():
            return self._read_tail(game)

    def notes_beside(self, game: int) -> int | None:
        """Return the number of the chain of notes beside a game, None if there is none."""
        with self._db.reading():
            row = self._db.execute(_BESIDE_GAME, (canonical(beside(game)),)).fetchone()
            return None if row is None else int(row[0])

    def examine(self) -> None:
        """Check the file below the records: its pages and tables. Raises JournalDamaged or JournalError."""
        with self._db.reading():
            stray = self._db.execute(_STRAY).fetchone()
            if stray is not None:
                raise JournalDamaged(f"{self.path}: game {stray[0]}, entry {stray[1]}: belongs to no listed game")
            self._db.examine()

    def games(self) -> list[Recorded]:
        """Return every game, oldest first."""
        return self._recorded("ORDER BY games.game")

    def latest(
        self, book: str | None = None, *, only_open: bool = False, whole: bool = False, over: bool = False
    ) -> Recorded | None:
        """Return the game that began last (of that book; that is still open; no single rulings; ended), or None."""
        parts = (_OPEN if only_open else "", "ruling IS NULL" if whole else "", f"NOT {_GOING}" if over else "")
        which = " AND ".join(filter(None, parts)) or "1"
        wanted = f"WHERE ? IN ('', book) AND {_GAME} AND {which}"
        rows = self._recorded(f"{wanted} ORDER BY games.game DESC LIMIT 1", book or "")
        return rows[0] if rows else None

    def unfinished(self, most: int) -> list[Recorded]:
        """Return the whole games that were left before their end, newest first, at most so many."""
        return self._recorded(f"WHERE ruling IS NULL AND {_GAME} AND {_GOING} ORDER BY games.game DESC LIMIT ?", most)

    def game(self, game: int) -> Recorded:
        """Return one game. Raises JournalError if there is none of that number."""
        rows = self._recorded("WHERE games.game = ?", game)
        if not rows:
            raise JournalError(f"{self.path}: there is no game {game}")
        return rows[0]

    def _recorded(self, which: str, *values: object) -> list[Recorded]:
        with self._db.reading():
            # All at once: a question that is left half answered would keep SQLite from beginning its log anew.
            return [self._listed(row) for row in self._db.execute(f"{_GAMES} {which}", values).fetchall()]

    def _listed(self, row: tuple[Any, ...]) -> Recorded:
        game, book, edition, ruling, began, kind, result, seq, head = row
        if kind is None:
            raise JournalDamaged(f"{self.path}: game {game}, entry 0: is missing")
        over = result.startswith('{"over":')
        left = kind == "leave" or over or book == NOTES
        return Recorded(game, book, edition, ruling, began, seq + 1, head, over, not left)

    def _parsed(self, record: dict[str, Any], name: str) -> Any:
        text = record[name]
        try:
            value = json.loads(text)
            if canonical(value) == text:
                return value
        except (ValueError, RecursionError):
            pass
        raise JournalDamaged(
            f"game {record['game']}, entry {record['seq']}: its {name} is not JSON as it was written"
        )
