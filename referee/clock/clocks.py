"""The clocks of a table: whose time runs, what a pause took, and which flag fell first.

A `Clocks` is a value; everything that happens returns another one. ``at`` is a time in whole ms of a monotonic clock;
an earlier one than the last counts as the last, so that no time is ever counted twice or taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from referee.clock.control import LONGEST, Control
from referee.clock.seat import Passed, SeatTime
from referee.clock.words import until_text_changes
from referee.errors import Malformed

NOBODY: Final = ""
"""Nobody's time runs."""
COMMON: Final = "table"
"""Common time runs: everybody is charged an equal share of it."""


class Fall(NamedTuple):
    """A seat used up a stage. ``at``: ms since the clocks were set; ``final``: its flag fell, nothing follows."""

    seat: str
    stage: int
    at: int
    final: bool


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of all seats.

    ``seats``   the time of each, in their order round the table
    ``at``      up to when time was counted
    ``runs``    whose time runs: a seat, `COMMON` or `NOBODY`
    ``mover``   whose move it is, `NOBODY` before the first
    ``paused``  why all stand still, "" while they do not
    ``held``    ms of the latest pause that nobody was charged for yet
    ``common``  ms of common time
    ``life``    ms since the clocks were set, whoever's
    ``falls``   what was used up, the first first; nothing is ever taken out of it
    """

    control: Control
    seats: Mapping[str, SeatTime]
    at: int
    runs: str = NOBODY
    mover: str = NOBODY
    paused: str = ""
    held: int = 0
    common: int = 0
    life: int = 0
    falls: tuple[Fall, ...] = ()

    @property
    def first_fall(self) -> Fall | None:
        """The flag that fell first, None while all are up."""
        return next((fall for fall in self.falls if fall.final), None)

    def until(self, at: int) -> Clocks:
        """Return the clocks as they stand at that time."""
        ms = max(0, at - self.at)
        after = replace(self, at=self.at + ms, life=self.life + ms)
        if self.paused:
            return replace(after, held=self.held + ms)
        return _charged(after, self.runs, ms, self.life)

    def run(self, runs: str, at: int) -> Clocks:
        """Let this seat's time run from here on, `COMMON` or `NOBODY`'s."""
        return replace(self.until(at), runs=self._known(runs))

    def move(self, seat: str, at: int, *, counts: bool = True) -> Clocks:
        """End the move that goes on, and begin one of this seat (`NOBODY`: none).

        ``counts``: false where it was made before and taken back, so that nothing is counted or added twice.
        """
        now = self.until(at)
        if counts and now.mover:
            now = _with(now, now.mover, now.seats[now.mover].end_move(self.control))
        if counts and seat:
            now = _with(now, seat, now.seats[self._seat(seat)].begin_move(self.control))
        return replace(now, mover=seat and self._seat(seat))

    def pause(self, why: str, at: int) -> Clocks:
        """Stop all clocks. What the pause takes is held until a judge says whose it was."""
        now = self.until(at)
        return replace(now, paused=why, held=now.held if now.paused else 0)

    def resume(self, at: int) -> Clocks:
        """Let the clocks go on."""
        return replace(self.until(at), paused="")

    def charge(self, whose: str, at: int) -> Clocks:
        """Say whose the time of the latest pause was: a seat's, `COMMON` or `NOBODY`'s. Flags may fall by it.

        It is no time of a move: it uses up no delay, and nothing of it is given back.
        """
        now = self.until(at)
        after = _charged(now, self._known(whose), now.held, now.life, own=False)
        new = tuple(fall._replace(at=now.life) for fall in after.falls[len(now.falls) :])
        return replace(after, held=0, falls=(*now.falls, *new))

    def correct(self, seat: str, shown: int, at: int) -> Clocks:
        """Set a clock to ``shown`` ms. What fell before stays on record. Raises Malformed below 0 or beyond 24 h."""
        if not 0 <= shown <= LONGEST:
            raise Malformed("expected a time from 0:00 to 24:00:00")
        now = self.until(at)
        before = now.seats[self._seat(seat)]
        after = before.corrected(self.control, shown)
        fell = after.fallen and not before.fallen
        falls = (*now.falls, Fall(seat, after.stage, now.life, final=True)) if fell else now.falls
        return replace(_with(now, seat, after), falls=falls)

    def as_before(self, earlier: Clocks) -> Clocks:
        """Give back the time used since: every seat has what it had then. What fell since stays on record."""
        return replace(self, seats=earlier.seats, mover=earlier.mover, common=earlier.common)

    def passes_at(self) -> int | None:
        """Return when the next stage is used up if nothing else happens; None: never."""
        if self.paused or not self.runs:
            return None
        if self.runs != COMMON:
            own = self.seats[self.runs].until_passed(self.control)
            return None if own is None else self.at + own
        number = len(self.seats)
        times = [
            number * (seat.left + (self.common + place) // number) - place
            for place, seat in enumerate(self.seats.values())
            if self.control.timed and not seat.fallen
        ]
        return self.at + min(times) - self.common if times else None

    def changes_at(self) -> int | None:
        """Return when a clock shows another second if nothing else happens; None while all stand still."""
        if self.paused or not self.runs:
            return None
        up, number = self.control.mode == "count-up", len(self.seats)
        if self.runs != COMMON:
            seat = self.seats[self.runs]
            return self.at + seat.free + until_text_changes(seat.shown(self.control), up=up)
        return self.at + number * min(
            until_text_changes(seat.shown(self.control), up=up) for seat in self.seats.values()
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object, without the control and ``at``; what is empty is left out."""
        members: dict[str, Any] = {
            "seats": [{"seat": name, **seat.as_json()} for name, seat in self.seats.items()],
            "runs": self.runs,
            "mover": self.mover,
            "paused": self.paused,
            "held": self.held,
            "common": self.common,
            "life": self.life,
            "falls": [list(fall) for fall in self.falls],
        }
        return {name: value for name, value in members.items() if value}

    @classmethod
    def from_json(cls, control: Control, value: object, at: int) -> Clocks:
        """Return the clocks an object describes, counted up to ``at``. Raises Malformed."""
        if not isinstance(value, dict) or not isinstance(value.get("seats"), list):
            raise Malformed("expected what clocks showed, with seats in their order")
        if not all(isinstance(seat, dict) and type(seat.get("seat")) is str for seat in value["seats"]):
            raise Malformed("seats: expected objects, each with its seat")
        seats = {seat["seat"]: SeatTime.from_json(seat, len(control.periods)) for seat in value["seats"]}
        words = {name: value.get(name, "") for name in ("runs", "mover", "paused")}
        numbers = {name: value.get(name, 0) for name in ("held", "common", "life")}
        if not all(type(word) is str for word in words.values()):
            raise Malformed("expected runs, mover and paused as text")
        if not all(type(number) is int and number >= 0 for number in numbers.values()):
            raise Malformed("expected held, common and life as whole milliseconds")
        falls = value.get("falls", [])
        if not isinstance(falls, list) or not all(_is_fall(fall, seats) for fall in falls):
            raise Malformed("falls: expected lists of a seat, a stage, a time, and whether the flag fell")
        if words["runs"] not in (NOBODY, COMMON, *seats) or words["mover"] not in (NOBODY, *seats):
            raise Malformed(f"expected runs and mover to name one of the seats {', '.join(seats)}")
        return cls(control, seats, at, **words, **numbers, falls=tuple(Fall(*fall) for fall in falls))

    def _known(self, whose: str) -> str:
        return whose if whose in (NOBODY, COMMON) else self._seat(whose)

    def _seat(self, name: str) -> str:
        if name not in self.seats:
            raise Malformed(f"expected one of the seats {', '.join(self.seats)}; got {name!r}")
        return name


def _with(clocks: Clocks, name: str, seat: SeatTime) -> Clocks:
    return replace(clocks, seats={**clocks.seats, name: seat})


def _charged(clocks: Clocks, whose: str, ms: int, since: int, *, own: bool = True) -> Clocks:
    """Charge ``ms`` of time that began ``since`` in the life of the clocks."""
    if whose == COMMON:
        return _shared(clocks, ms, since)
    if whose == NOBODY:
        return clocks
    after, passed = clocks.seats[whose].spend(clocks.control, ms, own=own)
    return _fallen(_with(clocks, whose, after), {whose: passed}, since)


def _shared(clocks: Clocks, ms: int, since: int) -> Clocks:
    """Charge everybody an equal share; over all common time nobody pays more than 1 ms above another."""
    number, earlier = len(clocks.seats), clocks.common
    now, passed = replace(clocks, common=earlier + ms), dict[str, list[Passed]]()
    for place, (name, before) in enumerate(clocks.seats.items()):
        paid = (earlier + place) // number
        after, stages = before.spend(clocks.control, (earlier + ms + place) // number - paid, own=False)
        # The last ms of a share was used up when so many ms of common time had passed.
        passed[name] = [each._replace(after=number * (paid + each.after) - place - earlier) for each in stages]
        now = _with(now, name, after)
    return _fallen(now, passed, since)


def _fallen(clocks: Clocks, passed: Mapping[str, list[Passed]], since: int) -> Clocks:
    falls = [
        Fall(name, each.stage, since + each.after, each.final) for name, stages in passed.items() for each in stages
    ]
    return replace(clocks, falls=(*clocks.falls, *sorted(falls, key=lambda fall: fall.at)))


def begin(control: Control, seats: tuple[str, ...], at: int) -> Clocks:
    """Set the clocks of these seats; nobody's runs yet. Raises Malformed for fewer than two."""
    if len(seats) < 2:
        raise Malformed("Clocks need a game of two seats or more")
    return Clocks(control, dict.fromkeys(seats, SeatTime(control.periods[0].time)), at)


def _is_fall(value: object, seats: Mapping[str, SeatTime]) -> bool:
    if not isinstance(value, list) or [type(each) for each in value] != [str, int, int, bool]:
        return False
    return value[0] in seats
