"""The clocks of a table: whose time runs, what a pause took, and which flag fell first.

A `Clocks` is a value; everything that happens returns another one. ``at`` is a time in whole ms of a monotonic clock;
an earlier one than the last counts as the last, so that no time is ever counted twice or taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from referee.clock.control import LONGEST, Control
from referee.clock.words import until_text_changes
from referee.errors import Malformed

NOBODY: Final = ""
"""Nobody's time runs."""
COMMON: Final = "table"
"""Common time runs: everybody is charged an equal share of it."""


class Fall(NamedTuple):
    """The flag of a seat fell. ``at``: ms since the clocks were set."""

    seat: str
    at: int


@dataclass(frozen=True, slots=True)
class SeatTime:
    """What one seat has and has used; all times in ms.

    ``left``    below 0: so long over, since the flag fell; ``fallen``: whether it is down
    ``used``    in all, its share of common time with it
    ``free``    of this move's delay, not used yet
    """

    left: int
    used: int = 0
    free: int = 0
    fallen: bool = False

    def spend(self, ms: int, *, own: bool) -> SeatTime:
        """Use up time. ``own``: the clock ran for this seat, so the delay of the move comes first."""
        free = min(self.free, ms) if own else 0
        left = self.left - (ms - free)
        return SeatTime(left, self.used + ms, self.free - free, self.fallen or left <= 0)

    def begin_move(self, control: Control) -> SeatTime:
        """Begin a move. A seat whose flag is down gets nothing any more."""
        extra = 0 if self.fallen else control.extra
        if control.mode == "fischer":
            return replace(self, left=self.left + extra)
        return replace(self, free=extra)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of all seats.

    ``seats``   the time of each, in their order round the table
    ``at``      up to when time was counted
    ``runs``    whose time runs: a seat, `COMMON` or `NOBODY`
    ``mover``   whose move it is, `NOBODY` before the first
    ``paused``  why all stand still, "" while they do not
    ``common``  ms of common time
    ``life``    ms since the clocks were set, whoever's
    ``falls``   the flags that fell, the first first; nothing is ever taken out of it
    """

    control: Control
    seats: Mapping[str, SeatTime]
    at: int
    runs: str = NOBODY
    mover: str = NOBODY
    paused: str = ""
    common: int = 0
    life: int = 0
    falls: tuple[Fall, ...] = ()

    @property
    def first_fall(self) -> Fall | None:
        """The flag that fell first, None while all are up."""
        return self.falls[0] if self.falls else None

    def until(self, at: int) -> Clocks:
        """Return the clocks as they stand at that time."""
        ms = max(0, at - self.at)
        after = replace(self, at=self.at + ms, life=self.life + ms)
        return after if self.paused else _charged(after, self.runs, ms, self.life)

    def run(self, runs: str, at: int) -> Clocks:
        """Let this seat's time run from here on, `COMMON` or `NOBODY`'s."""
        return replace(self.until(at), runs=runs if runs in (NOBODY, COMMON) else self._seat(runs))

    def move(self, seat: str, at: int, *, counts: bool = True) -> Clocks:
        """End the move that goes on, and begin one of this seat (`NOBODY`: none).

        ``counts``: false where it was made before and taken back, so that nothing is counted or added twice.
        """
        now = self.until(at)
        if counts and now.mover:
            now = _with(now, now.mover, replace(now.seats[now.mover], free=0))
        if counts and seat:
            now = _with(now, seat, now.seats[self._seat(seat)].begin_move(self.control))
        return replace(now, mover=seat and self._seat(seat))

    def pause(self, why: str, at: int) -> Clocks:
        """Stop all clocks."""
        return replace(self.until(at), paused=why)

    def resume(self, at: int) -> Clocks:
        """Let the clocks go on."""
        return replace(self.until(at), paused="")

    def correct(self, seat: str, shown: int, at: int) -> Clocks:
        """Set a clock to ``shown`` ms; a flag that is down goes up where time is left, and stays on record.

        Raises Malformed below 0 or beyond 24 h.
        """
        if not 0 <= shown <= LONGEST:
            raise Malformed("expected a time from 0:00 to 24:00:00")
        now = self.until(at)
        before = now.seats[self._seat(seat)]
        after = replace(before, left=shown, fallen=not shown)
        fell = after.fallen and not before.fallen
        falls = (*now.falls, Fall(seat, now.life)) if fell else now.falls
        return replace(_with(now, seat, after), falls=falls)

    def passes_at(self) -> int | None:
        """Return when the next flag falls if nothing else happens; None: never."""
        if self.paused or not self.runs:
            return None
        if self.runs != COMMON:
            seat = self.seats[self.runs]
            return None if seat.fallen else self.at + seat.free + seat.left
        number = len(self.seats)
        times = [
            number * (seat.left + (self.common + place) // number) - place
            for place, seat in enumerate(self.seats.values())
            if not seat.fallen
        ]
        return self.at + min(times) - self.common if times else None

    def changes_at(self) -> int | None:
        """Return when a clock shows another second if nothing else happens; None while all stand still."""
        if self.paused or not self.runs:
            return None
        if self.runs != COMMON:
            seat = self.seats[self.runs]
            return self.at + seat.free + until_text_changes(seat.left)
        return self.at + len(self.seats) * min(until_text_changes(seat.left) for seat in self.seats.values())

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object, without the control and ``at``; what is empty is left out, ``left`` is not."""
        members: dict[str, Any] = {
            "seats": [
                {"seat": name, **{key: value for key, value in asdict(seat).items() if value or key == "left"}}
                for name, seat in self.seats.items()
            ],
            **{name: getattr(self, name) for name in (*_WORDS, *_NUMBERS)},
            "falls": [list(fall) for fall in self.falls],
        }
        return {name: value for name, value in members.items() if value}

    @classmethod
    def from_json(cls, control: Control, value: object, at: int) -> Clocks:
        """Return the clocks an object describes, counted up to ``at``. Raises Malformed."""
        try:
            said: dict[str, Any] = dict(value)  # type: ignore[call-overload]
            seats = {each["seat"]: _seat_time(each) for each in said["seats"]}
            words = {name: said.get(name, "") for name in _WORDS}
            numbers = {name: said.get(name, 0) for name in _NUMBERS}
            falls = tuple(Fall(*fall) for fall in said.get("falls", ()))
        except (KeyError, TypeError, ValueError) as fault:
            raise Malformed(_EXPECTED) from fault
        sound = (
            all(type(each) is str for each in (*seats, *words.values()))
            and all(type(each) is int and each >= 0 for each in (*numbers.values(), *(fall.at for fall in falls)))
            and words["runs"] in (NOBODY, COMMON, *seats)
            and words["mover"] in (NOBODY, *seats)
            and all(fall.seat in seats for fall in falls)
        )
        if not sound:
            raise Malformed(_EXPECTED)
        return cls(control, seats, at, **words, **numbers, falls=falls)

    def _seat(self, name: str) -> str:
        if name not in self.seats:
            raise Malformed(f"expected one of the seats {', '.join(self.seats)}; got {name!r}")
        return name


_WORDS: Final = ("runs", "mover", "paused")
_NUMBERS: Final = ("common", "life")
_EXPECTED: Final = "expected what clocks showed: seats with their times in whole ms, runs, mover, paused, falls"


def _seat_time(value: Mapping[str, Any]) -> SeatTime:
    """Return the time an object describes. Raises KeyError, TypeError or ValueError."""
    seat = SeatTime(**{name: each for name, each in value.items() if name != "seat"})
    kinds = [type(each) for each in (seat.left, seat.used, seat.free, seat.fallen)]
    if kinds != [int, int, int, bool] or min(seat.used, seat.free) < 0:
        raise ValueError
    return seat


def _with(clocks: Clocks, name: str, seat: SeatTime) -> Clocks:
    return replace(clocks, seats={**clocks.seats, name: seat})


def _charged(clocks: Clocks, whose: str, ms: int, since: int) -> Clocks:
    """Charge ``ms`` of time that began ``since`` in the life of the clocks."""
    if whose == NOBODY:
        return clocks
    if whose == COMMON:
        return _shared(clocks, ms, since)
    before = clocks.seats[whose]
    after = before.spend(ms, own=True)
    falls = (Fall(whose, since + ms + after.left),) if after.fallen and not before.fallen else ()
    return replace(_with(clocks, whose, after), falls=(*clocks.falls, *falls))


def _shared(clocks: Clocks, ms: int, since: int) -> Clocks:
    """Charge everybody an equal share; over all common time nobody pays more than 1 ms above another."""
    number, earlier = len(clocks.seats), clocks.common
    seats, falls = dict(clocks.seats), list[Fall]()
    for place, (name, before) in enumerate(clocks.seats.items()):
        paid = (earlier + place) // number
        share = (earlier + ms + place) // number - paid
        seats[name] = after = before.spend(share, own=False)
        if after.fallen and not before.fallen:
            # The last ms of a share was used up when so many ms of common time had passed.
            used = number * (paid + share + after.left) - place - earlier
            falls.append(Fall(name, since + used))
    falls.sort(key=lambda fall: fall.at)
    return replace(clocks, seats=seats, common=earlier + ms, falls=(*clocks.falls, *falls))


def begin(control: Control, seats: tuple[str, ...], at: int) -> Clocks:
    """Set the clocks of these seats; nobody's runs yet. Raises Malformed for fewer than two."""
    if len(seats) < 2:
        raise Malformed("Clocks need a game of two seats or more")
    return Clocks(control, dict.fromkeys(seats, SeatTime(control.time)), at)
