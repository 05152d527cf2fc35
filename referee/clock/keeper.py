"""The timekeeper of a table: from what is asked to whose time runs, and what of it is written down.

It is told what the table waits for (`Seen`), and lets the clocks follow: nobody presses a clock. Times are whole ms
of a monotonic clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, Self

from referee.clock.clocks import COMMON, NOBODY, Clocks, Fall, begin
from referee.clock.control import Control, Customs
from referee.errors import Malformed, NotNow

EVERY: Final = 30_000
"""Ms between two records of clocks that run: what a power cut gives back to the players at most."""

Note = Callable[[Mapping[str, Any], str, str, int], None]
"""Writes a note: what it says, the seat it is about, who says it, and when. Returns once it is durable."""


class Seen(NamedTuple):
    """What the table waits for.

    ``asks``   the seat that is asked, `COMMON`: the whole table, `NOBODY`: a ruling is read, or the game is over
    ``turn``   whose turn it is; `NOBODY` in a game without turns, where a move lasts until another seat is asked
    ``stroke`` how many strokes count, ``entries`` how many were written
    ``reads``  whether a ruling or a reminder is read
    """

    asks: str
    turn: str
    stroke: int
    entries: int
    reads: bool = False

    def whose(self, customs: Customs) -> str:
        """Return whose time runs: a seat's, `COMMON` or `NOBODY`'s."""
        if self.reads:
            return COMMON if customs.ruling == "common" else NOBODY
        if self.asks != COMMON:
            return self.asks
        return COMMON if customs.table == "common" else NOBODY


class _Began(NamedTuple):
    """A move that began at a stroke, and whose was the one before."""

    stroke: int
    before: str


class Keeper:
    """The clocks of one game; while none are set (`clocks` None) it does nothing.

    ``customs``  how this table keeps time
    ``waiting``  whether the clocks wait for the first press since they were set or taken up again
    ``number``   of the latest record; 0 in a game that has never had clocks
    """

    def __init__(self, note: Note | None = None) -> None:
        """``note``: writes a note of this game; None: nothing is written."""
        self.clocks: Clocks | None = None
        self.customs = Customs()
        self.waiting = False
        self.number = 0
        self._dark = False
        self._note = note
        self._recorded_at = 0
        self._due = ""
        self._told = 0
        self._forget_moves()

    def _forget_moves(self, owed: int = 0) -> None:
        """Take no stroke for the begin of a move any more. ``owed``: moves taken back and not made again."""
        self._owed = owed
        self._began: list[_Began] = []
        self._stroke = self._entries = 0

    @classmethod
    def resumed(cls, note: Note, notes: Sequence[Mapping[str, Any]], latest: Mapping[str, Any]) -> Self:
        """Take up the clocks of a game that goes on, at the time that is first told.

        ``notes``: what the notes of this game say of clocks, the oldest first; ``latest``: what its last entry with
        clocks says of them, {} if none does. Raises Malformed where that is not what a keeper wrote.
        """
        keeper = cls(note)
        records = [*notes, *([latest] if latest else [])]
        if not all(type(record.get("no")) is int and record["no"] > 0 for record in records):
            raise Malformed("clock: expected no, the number of a record, 1 or more")
        keeper.number = max((record["no"] for record in records), default=0)
        put = next((record for record in reversed(notes) if record.get("what") in ("set", "off")), {"what": "off"})
        if put["what"] == "set":
            keeper._take_up(put, max(records, key=lambda record: int(record["no"])))
        return keeper

    def _take_up(self, put: Mapping[str, Any], newest: Mapping[str, Any]) -> None:
        control, self.customs = Control.from_json(put.get("control")), Customs.from_json(put.get("customs"))
        self.clocks = Clocks.from_json(control, newest, 0).run(NOBODY, 0)
        owed = newest.get("owed", 0)
        if type(owed) is not int or owed < 0:
            raise Malformed("owed: expected a number of moves")
        self._forget_moves(owed)
        self.waiting = self._dark = True
        self._told = len(self.clocks.falls)

    # -- what can be read ---------------------------------------------------------------------------------------

    @property
    def current(self) -> Clocks:
        """The clocks. Raises NotNow without any."""
        if self.clocks is None:
            raise NotNow("no-clock", "No clock is set for this game")
        return self.clocks

    def _until(self, at: int) -> Clocks:
        """Return the clocks at that time; while the box was off no time has passed."""
        clocks = self.current
        if self._dark:
            self._dark, self._recorded_at = False, at
            clocks = replace(clocks, at=at)
        return clocks.until(at)

    def deadline(self) -> int | None:
        """Return when `see` must be called next though nothing happens, or None."""
        clocks = self.clocks
        if clocks is None or clocks.paused or not clocks.runs:
            return None
        passes = clocks.passes_at()
        record = self._recorded_at + EVERY
        return record if passes is None else min(record, passes)

    def go_on(self) -> None:
        """Let clocks go on that stand still, without a record of their own; the next record says so."""
        if self.clocks is not None:
            self.clocks = self.clocks.resume(self.clocks.at)

    # -- what people do -----------------------------------------------------------------------------------------

    def set(self, control: Control, customs: Customs, seats: tuple[str, ...], at: int, source: str) -> None:
        """Set the clocks of these seats. Raises Malformed where they cannot be, JournalError; both change nothing."""
        clocks = begin(control, seats, at)
        self._write("set", clocks, at, source, control=control.as_json(), customs=customs.as_json())
        self.customs, self.waiting, self._told = customs, True, 0
        self._forget_moves()

    def stop(self, at: int, source: str) -> None:
        """Remove the clocks. Raises NotNow or JournalError."""
        self._write("off", self._until(at), at, source)
        self.clocks = None

    def pause(self, why: str, at: int, source: str) -> None:
        """Stop all clocks. Raises NotNow or JournalError."""
        self._write("pause", self._until(at).pause(why, at), at, source, reason=why)

    def resume(self, at: int, source: str) -> None:
        """Let them go on. Raises NotNow or JournalError."""
        self._write("resume", self._until(at).resume(at), at, source)

    def correct(self, seat: str, shown: int, at: int, source: str, reason: str) -> None:
        """Set one clock to ``shown`` ms. Raises Malformed, NotNow or JournalError."""
        before = self._until(at)
        after = before.correct(seat, shown, at)
        was = before.seats[seat].left
        self._write("correct", after, at, source, seat=seat, was=was, shown=shown, reason=reason)

    def touch(self) -> None:
        """Somebody has pressed a key: clocks that wait for it begin."""
        self.waiting = False

    # -- what follows -------------------------------------------------------------------------------------------

    def member(self, at: int) -> Mapping[str, Any]:
        """Return what an entry accepted now has of the clocks; {} without any. Until `see`, nobody's time runs."""
        if self.clocks is None:
            return {}
        now = self._until(at)
        self.clocks = now.run(NOBODY, at)
        self.number += 1
        self._recorded_at = now.at
        return {"clock": self._said(now)}

    def see(self, seen: Seen, at: int) -> list[Fall]:
        """Let the clocks follow what the table waits for; return the flags that fell since the last time.

        Call `record` then, before that is shown.
        """
        if self.clocks is None:
            return []
        self.clocks = self._until(at)
        falls = list(self.clocks.falls[self._told :])
        self._told = len(self.clocks.falls)
        if falls:
            self._due = "flag"
        if not self.waiting:
            self.clocks = self._follow(seen, self.clocks, at)
            self._stroke, self._entries = seen.stroke, seen.entries
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

    def _follow(self, seen: Seen, now: Clocks, at: int) -> Clocks:
        behind = self._take_back(seen, now)
        if behind is not now:
            self._due = self._due or "undo"  # the entry that took it back was written before
        runs = seen.whose(self.customs)
        if runs not in (COMMON, *behind.seats):
            runs = NOBODY  # a seat that was named after the clocks were set has none
        mover = seen.turn or runs
        if mover != behind.mover and mover in behind.seats:
            self._began.append(_Began(seen.stroke, behind.mover))
            # What was begun before and taken back brings no time twice.
            behind = behind.move(mover, at, counts=not self._owed)
            self._owed = max(0, self._owed - 1)
        return behind.run(runs, at)

    def _take_back(self, seen: Seen, clocks: Clocks) -> Clocks:
        """Return the clocks behind moves whose strokes were taken back."""
        if seen.entries == self._entries or seen.stroke > self._stroke:
            return clocks
        redone = seen.stroke == self._stroke  # one stroke has taken the place of another
        while self._began and self._began[-1].stroke > seen.stroke - redone:
            clocks = clocks.move(self._began.pop().before, clocks.at, counts=False)
            self._owed += 1
        return clocks

    # -- what is written ----------------------------------------------------------------------------------------

    def _write(self, what: str, clocks: Clocks, at: int, source: str, seat: str = "", **more: Any) -> None:
        """Note what somebody did, then let it be so. Raises JournalError with nothing changed."""
        self.number += 1
        if self._note is not None:
            self._note({"what": what, **more, **self._said(clocks)}, seat, source, at)
        self.clocks, self._recorded_at = clocks, clocks.at

    def _said(self, clocks: Clocks) -> dict[str, Any]:
        return {"no": self.number, **clocks.as_json(), **({"owed": self._owed} if self._owed else {})}
