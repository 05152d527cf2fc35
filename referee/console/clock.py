"""The seat clocks of a table: what they show, and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.clock import COMMON, NOBODY, Keeper
from referee.clock.round import RoundClock
from referee.clock.words import clock_text, short_text, tiny_text
from referee.config import ClockSettings
from referee.console.shelf import Shelf
from referee.errors import RefereeError
from referee.session import Session, keeper_of

PAUSE: Final = "pause"
"""Why clocks stand still while the game is paused."""


class Time(NamedTuple):
    """The clock of a seat as people read it.

    ``ms``  what it shows
    """

    seat: str
    name: str
    ms: int
    runs: bool
    fallen: bool


class SeatClocks:
    """The clocks of the game in progress.

    ``settings``  how this table keeps time in games that begin from here on
    ``keeper``    the clocks themselves; has none until they are set
    ``round``     the clock of the round, where this box is one of an event
    """

    def __init__(self, settings: ClockSettings) -> None:
        """``settings``: what the configuration says."""
        self.settings = settings
        self.round = RoundClock()
        self.keeper = Keeper()
        self._session: Session | None = None
        self._starts = self._named_later = False

    @property
    def offered(self) -> bool:
        """Whether the menu has a page for clocks: the configuration says so, or the game has some."""
        return self.settings.use != "off" or self.keeper.clocks is not None

    @property
    def possible(self) -> bool:
        """Whether this is a game that can have clocks: a whole one, and several seats are known."""
        return len(self._names) > 1

    def open(self, session: Session | None, shelf: Shelf, *, new: bool) -> RefereeError | None:
        """Take up the clocks of this game, which may be ``new``; return what is wrong with them, if anything is."""
        self.keeper, self._session = Keeper(), None
        self._starts = self.settings.use == "start"
        if session is None or session.ruling is not None:
            return None
        self._session, self._named_later = session, len(session.seats()) < 2
        try:
            self.keeper = keeper_of(session, shelf.notebook(session), new=new)
        except RefereeError as error:
            return error
        clocks = self.keeper.clocks
        if clocks is not None and clocks.paused == PAUSE and not session.paused:
            self.keeper.go_on()  # the power failed between the two records
        return None

    @property
    def _names(self) -> Mapping[str, str]:
        return self._session.seats() if self._session is not None else {}

    def start(self, turn: str, at: int, source: str) -> None:
        """Set the clocks with which every game begins. Raises Malformed or JournalError, once.

        Where seats are only named in the game, it is done once it is the ``turn`` of one, and again where they are
        named anew.
        """
        clocks, seats = self.keeper.clocks, tuple(self._names)
        due = not self.keeper.number if clocks is None else tuple(clocks.seats) != seats
        if self._starts and due and self.possible and (turn in seats or not self._named_later):
            self._starts = False
            control = clocks.control if clocks is not None else self.settings.control
            customs = self.keeper.customs if clocks is not None else self.settings.customs
            self.keeper.set(control, customs, seats, at, source)
            self._starts = True

    def set(self, at: int, source: str) -> None:
        """Set the clocks of this game. Raises Malformed or JournalError."""
        self.keeper.set(self.settings.control, self.settings.customs, tuple(self._names), at, source)

    def pause(self, at: int, source: str) -> None:
        """Stop them, if there are some that run. Raises JournalError."""
        if self.keeper.clocks is not None and not self.keeper.clocks.paused:
            self.keeper.pause(PAUSE, at, source)

    def resume(self, at: int, source: str) -> None:
        """Let them go on after a pause. Raises JournalError."""
        if self.keeper.clocks is not None and self.keeper.clocks.paused == PAUSE:
            self.keeper.resume(at, source)

    def times(self) -> tuple[Time, ...]:
        """Return every seat's clock, in their order round the table; none without clocks."""
        clocks = self.keeper.clocks
        if clocks is None:
            return ()
        runs = clocks.runs if not clocks.paused else NOBODY
        return tuple(
            Time(seat, self._names.get(seat, seat), time.left, runs in (seat, COMMON), time.fallen)
            for seat, time in clocks.seats.items()
        )

    def beside(self, asked: str, head: str) -> tuple[str, ...]:
        """Return the time to show on a question, the longest text first: of the seat whose time runs, or the round's.

        ``asked``: the seat that is asked; ``head``: what names it already.
        """
        return self._of_seat(asked, head) or self.round.texts()

    def _of_seat(self, asked: str, head: str) -> tuple[str, ...]:
        clocks = self.keeper.clocks
        if clocks is None or clocks.paused:
            return ()
        if clocks.runs == COMMON:
            return _texts("=", min(seat.left for seat in clocks.seats.values()))
        seat = asked if self.keeper.waiting else clocks.runs
        names = {time.seat: time.name for time in self.times()}
        if seat not in names:
            return ()
        name, texts = names[seat], _texts("", clocks.seats[seat].left)
        return texts if name in head else (f"{shortened([*names.values()])[name]} {texts[0]}", *texts)

    def deadline(self) -> float | None:
        """Return when they have to be looked at next though nothing happens, s: another second, a record, a flag."""
        clocks = self.keeper.clocks
        seats = (clocks.changes_at(), self.keeper.deadline()) if clocks is not None else ()
        times = [at for at in (*seats, self.round.deadline()) if at is not None]
        return min(times) / 1000 if times else None


def _texts(sign: str, ms: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sign + text(ms) for text in (clock_text, short_text, tiny_text)))


def shortened(names: Sequence[str]) -> dict[str, str]:
    """Return each name in as few letters as tell it from the others.

    >>> shortened(["Saruman", "Sauron", "Rohan"])
    {'Saruman': 'Sar', 'Sauron': 'Sau', 'Rohan': 'R'}
    """

    def tells(name: str, length: int) -> bool:
        return all(name[:length] != other[:length] for other in names if other != name)

    return {name: next((name[:n] for n in range(1, len(name)) if tells(name, n)), name) for name in names}
