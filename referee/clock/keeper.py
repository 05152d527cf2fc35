"""The timekeeper of a table: from what is asked to whose time runs, and what of it is written down.

It is told what the table waits for (`Seen`), and lets the clocks follow. Nobody presses a clock, except where the
customs leave it to the seats' buttons. Times are whole ms of a monotonic clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from referee.clock.clocks import COMMON, NOBODY, Clocks, Fall, begin
from referee.clock.control import Control
from referee.clock.customs import Customs
from referee.clock.seen import Seen
from referee.errors import Malformed, NotNow

EVERY: Final = 30_000
"""Ms between two records of clocks that run: what a power cut gives back to the players at most."""

FLAG: Final = "flag"
"""Why clocks stand still that a fallen flag has stopped: until a judge has ruled."""


class _Boundary(NamedTuple):
    """A move that began at a stroke, and whose was the one before."""

    stroke: int
    before: str


class _Asked(NamedTuple):
    """How the clocks stood when what follows a stroke was first asked."""

    stroke: int
    clocks: Clocks


Note = Callable[[Mapping[str, Any], str, str, int], None]
"""Writes a note: what it says, the seat it is about, who says it, and when. Returns once it is durable."""


class Keeper:
    """The clocks of one game; while none are set (`clocks` None) it does nothing.

    ``customs``  how this table keeps time
    ``waiting``  whether the clocks wait for the first press since they were set or taken up again
    """

    def __init__(self, note: Note | None = None) -> None:
        """``note``: writes a note of this game; None: nothing is written."""
        self.clocks: Clocks | None = None
        self.customs = Customs()
        self.waiting = False
        self._note = note
        self._number = 0
        self._recorded_at = 0
        self._due = ""
        self._told = 0
        self._boundaries: list[_Boundary] = []
        self._asked: list[_Asked] = []
        self._owed = 0
        self._stroke = self._entries = 0

    @classmethod
    def resumed(cls, note: Note, notes: Sequence[Mapping[str, Any]], latest: Mapping[str, Any], at: int) -> Self:
        """Take up the clocks of a game that goes on.

        ``notes``: what the notes of this game say of clocks, the oldest first; ``latest``: what its last entry with
        clocks says of them, {} if none does. Raises Malformed where that is not what a keeper wrote.
        """
        keeper = cls(note)
        numbers = [said.get("no") for said in (*notes, latest) if said]
        if not all(type(number) is int and number > 0 for number in numbers):
            raise Malformed("clock: expected no, the number of a record, 1 or more")
        keeper._number = max((number for number in numbers if number), default=0)
        put = next((said for said in reversed(notes) if said.get("what") in ("set", "off")), {"what": "off"})
        if put["what"] == "set":
            newest = max((*notes, latest or put), key=lambda said: int(said["no"]))
            keeper._take_up(put, newest, at)
        return keeper

    def _take_up(self, put: Mapping[str, Any], newest: Mapping[str, Any], at: int) -> None:
        control, self.customs = Control.from_json(put.get("control")), Customs.from_json(put.get("customs"))
        self.clocks = Clocks.from_json(control, newest, at).run(NOBODY, at)
        owed = newest.get("owed", 0)
        if type(owed) is not int or owed < 0:
            raise Malformed("owed: expected a number of moves")
        self._owed, self.waiting, self._recorded_at = owed, True, at
        self._told = len(self.clocks.falls)

    # -- what can be read ---------------------------------------------------------------------------------------

    @property
    def current(self) -> Clocks:
        """The clocks. Raises NotNow without any."""
        if self.clocks is None:
            raise NotNow("no-clock", "No clock is set for this game")
        return self.clocks

    @property
    def frozen(self) -> bool:
        """Whether a fallen flag has stopped everything until a judge has ruled."""
        return self.clocks is not None and self.clocks.paused == FLAG

    @property
    def late(self) -> tuple[str, ...]:
        """The seats whose flag is down, in their order round the table."""
        return () if self.clocks is None else tuple(name for name, seat in self.clocks.seats.items() if seat.fallen)

    def deadline(self) -> int | None:
        """Return when `see` must be called next though nothing happens, or None."""
        clocks = self.clocks
        if clocks is None or clocks.paused or not clocks.runs:
            return None
        passes = clocks.passes_at()
        record = self._recorded_at + EVERY
        return record if passes is None else min(record, passes)

    # -- what people do -----------------------------------------------------------------------------------------

    def set(self, control: Control, customs: Customs, seats: tuple[str, ...], at: int, source: str) -> None:
        """Set the clocks of these seats. Raises Malformed where they cannot be, JournalError; both change nothing."""
        clocks = begin(control, seats, at)
        self._write("set", clocks, at, source, control=control.as_json(), customs=customs.as_json())
        self.customs, self.waiting = customs, True
        self._told, self._boundaries, self._asked, self._owed = 0, [], [], 0

    def stop(self, at: int, source: str) -> None:
        """Take the clocks away. Raises NotNow or JournalError."""
        self._write("off", self.current.until(at), at, source)
        self.clocks = None

    def pause(self, why: str, at: int, source: str) -> None:
        """Stop all clocks. Raises NotNow or JournalError."""
        self._write("pause", self.current.pause(why, at), at, source, reason=why)

    def resume(self, at: int, source: str) -> None:
        """Let them go on. Raises NotNow or JournalError."""
        self._write("resume", self.current.resume(at), at, source)

    def charge(self, whose: str, at: int, source: str) -> None:
        """Say whose the time of the latest pause was. Raises Malformed, NotNow or JournalError."""
        held = self.current.until(at).held
        self._write("charge", self.current.charge(whose, at), at, source, seat=whose, ms=held)

    def correct(self, seat: str, shown: int, at: int, source: str, reason: str) -> None:
        """Set one clock to ``shown`` ms. Raises Malformed, NotNow or JournalError."""
        before = self.current.until(at)
        after = before.correct(seat, shown, at)
        was = before.seats[seat].shown(before.control)
        self._write("correct", after, at, source, seat=seat, was=was, shown=shown, reason=reason)

    def pass_on(self, seat: str, at: int) -> None:
        """A seat's button passes the clock to the next round the table; of a clock that waits, it begins its own."""
        names = list(self.current.seats)
        passing = self.current.runs == seat
        after = names[(names.index(seat) + passing) % len(names)]
        self.clocks = self.current.move(after, at).run(after, at)

    def touch(self) -> None:
        """Somebody has pressed a key: clocks that wait for it begin."""
        self.waiting = False

    # -- what follows -------------------------------------------------------------------------------------------

    def member(self, at: int) -> Mapping[str, Any]:
        """Return what an entry accepted now has of the clocks; {} without any. Until `see`, nobody's time runs."""
        if self.clocks is None:
            return {}
        now = self.clocks.until(at)
        self.clocks = now.run(NOBODY, at)
        self._number += 1
        self._recorded_at = now.at
        return {"clock": self._said(now)}

    def see(self, seen: Seen, at: int) -> list[Fall]:
        """Let the clocks follow what the table waits for; return what was used up since the last time.

        Call `record` then, before that is shown.
        """
        if self.clocks is None:
            return []
        self.clocks = self.clocks.until(at)
        falls = list(self.clocks.falls[self._told :])
        self._told = len(self.clocks.falls)
        if any(fall.final for fall in falls) and self.customs.flag == "freeze":
            self.clocks = self.clocks.pause(FLAG, at)
        if falls:
            self._due = "flag"
        if not self.waiting:
            self._follow(seen, at)
        return falls

    def record(self, at: int) -> None:
        """Note how the clocks stand, if that is due.

        Raises JournalError if it could not be written; the clocks go on, and the next record says it too.
        """
        clocks = self.clocks
        if clocks is None:
            return
        runs = bool(clocks.runs) and not clocks.paused
        what = self._due or ("state" if runs and clocks.at >= self._recorded_at + EVERY else "")
        if what:
            self._recorded_at, self._due = clocks.at, ""
            self._write(what, clocks, at, "clock")

    def _follow(self, seen: Seen, at: int) -> None:
        runs = seen.whose(self.customs, self.current.mover)
        self._take_back(seen)
        mover, before = seen.turn or runs, self.current.mover
        if mover not in (before, NOBODY, COMMON):
            counts = not self._owed
            self._owed -= not counts
            self._boundaries.append(_Boundary(seen.stroke, before))
            self.clocks = self.current.move(mover, at, counts=counts)
        self.clocks = self.current.run(runs, at)
        self._stroke, self._entries = seen.stroke, seen.entries
        if not self._asked or self._asked[-1].stroke < seen.stroke:
            self._asked.append(_Asked(seen.stroke, self.clocks))

    def _take_back(self, seen: Seen) -> None:
        """Go back behind moves whose strokes were taken back: made again, they bring no time again."""
        if seen.entries == self._entries or seen.stroke > self._stroke:
            return
        redone = seen.stroke == self._stroke  # one stroke has taken the place of another
        while self._boundaries and self._boundaries[-1].stroke > seen.stroke - redone:
            before = self._boundaries.pop().before
            self._owed += 1
            self._due = self._due or "undo"  # the entry that took them back was written before
            self.clocks = self.current.move(before, self.current.at, counts=False)
        while self._asked and self._asked[-1].stroke > seen.stroke:
            self._asked.pop()
        if self.customs.undo == "time" and not redone and self._asked and self._asked[-1].stroke == seen.stroke:
            self.clocks, self._due = self.current.as_before(self._asked[-1].clocks), self._due or "undo"
            self._owed = 0

    # -- what is written ----------------------------------------------------------------------------------------

    def _write(self, what: str, clocks: Clocks, at: int, source: str, seat: str = "", **more: Any) -> None:
        """Note what somebody did, then let it be so. Raises JournalError with nothing changed."""
        self._number += 1
        if self._note is not None:
            self._note({"what": what, **more, **self._said(clocks)}, seat, source, at)
        self.clocks, self._recorded_at = clocks, clocks.at

    def _said(self, clocks: Clocks) -> dict[str, Any]:
        return {"no": self._number, **clocks.as_json(), **({"owed": self._owed} if self._owed else {})}
