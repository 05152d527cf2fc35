"""What stands in a session: everything about the game that can be read, and nothing that changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from referee.errors import BrokenRulebook, RefereeError
from referee.rulebook import Book, Game, Odds, Over, Pool, Section
from referee.session.entries import Entry
from referee.session.ledger import Ledger
from referee.session.log import LogLine
from referee.session.prompt import Prompt, read_prompt
from referee.session.run import Run


class Standing:
    """One game, or one desk of single rulings, as it stands.

    ``book``, ``settings``, ``ruling``, ``repeat``  what is being refereed
    ``game_id``  its number in the journal, None without one
    ``prompt``   the standing question, None once the game is over
    ``opening``  rulings and reminders given before the first question
    ``paused``   whether answers are refused for the moment
    """

    def __init__(
        self, book: Book, settings: Mapping[str, object] | None, ruling: str | None, *, repeat: bool
    ) -> None:
        """Raises BadSetting or UnknownRuling."""
        self.book = book
        self.settings = book.settings(settings or {})
        self.ruling = ruling
        self.repeat = repeat
        self.paused = False
        self.game_id: int | None = None
        self._run = Run(book, self.settings, ruling, repeat=repeat)
        self._ledger = Ledger()
        self.opening = self._run.opening
        self.prompt = self._read(1)

    @property
    def n(self) -> int:
        """Number of the standing question: the number of entries so far."""
        return len(self._ledger)

    @property
    def over(self) -> Over | None:
        """Why the game ended, None while it goes on."""
        return self._run.play.over

    @property
    def game(self) -> Game:
        """The state as it stands. Only to be read, and not to be kept: going back replaces it."""
        return self._run.play.game

    @property
    def place(self) -> tuple[str, ...]:
        """Where the sequence of play stands, outermost first."""
        return tuple(self.game.place())

    @property
    def crumbs(self) -> tuple[Section, ...]:
        """The sections of the rules the standing question belongs to, outermost first."""
        return self._run.play.crumbs

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The counters shown beside the glass."""
        return self.game.pools()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything written so far, in order."""
        return self._ledger.entries

    @property
    def undoable(self) -> int:
        """How many steps can be taken back."""
        return len(self._ledger.strokes)

    def seats(self) -> Mapping[str, str]:
        """Return the seats with the names people use, in their order round the table."""
        return self.game.seats()

    def odds(self) -> Odds | None:
        """Return the exact chances of what is asked; None where the book states none."""
        with self._guard():
            return self._run.play.odds()

    def outlook(self) -> Odds | None:
        """Return the exact chances of how it will all come out; None where the book cannot tell."""
        with self._guard():
            return self._run.play.outlook()

    def state(self) -> dict[str, Any]:
        """Return the whole state as plain JSON values."""
        with self._guard():
            return self.game.as_json()

    def last_answer(self, ask: str, seat: str | None = None) -> Any:
        """Return the latest answer to that question by that seat (None: by anybody), None if there is none."""
        return self._ledger.last_answer(ask, seat)

    def dice(self) -> dict[str, tuple[int, ...]]:
        """Return how often each face 1 to 6 fell in the throws that count, by where the dice came from."""
        return self._ledger.dice()

    def log(self, newest: int | None = None) -> list[LogLine]:
        """Return everything that happened, in order, things taken back included and marked.

        ``newest``: only so many lines from the end, so that a long game costs no more than a short one.
        """
        return self._ledger.log(newest)

    def again(self) -> tuple[Any, ...]:
        """Return the answers that led to the dice of the ruling before: what "same again" means at a ruling desk.

        Empty unless a new ruling is about to begin.
        """
        return self._run.again()

    def _read(self, n: int) -> Prompt | None:
        with self._guard():
            return read_prompt(self._run.play, n, self._ledger.stands(self._run.throw))

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn a fault in the code of a rulebook into BrokenRulebook."""
        try:
            yield
        except RefereeError:
            raise
        except Exception as fault:
            raise BrokenRulebook(f"{self.book.id}: {type(fault).__name__}: {fault}") from fault
