"""The time of one seat: using it up, and what a move that begins or ends adds to it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from referee.clock.control import Control
from referee.errors import Malformed


class Passed(NamedTuple):
    """The end of a stage was passed so many ms into what was used. ``final``: nothing follows, the flag fell."""

    after: int
    stage: int
    final: bool


@dataclass(frozen=True, slots=True)
class SeatTime:
    """What one seat has and has used; all times in ms.

    ``left``    to the next control; below 0: so long over, since the flag fell
    ``used``    in all, its share of common time with it
    ``stage``   the period, counted from 0
    ``moves``   made in this stage
    ``free``    of this move's delay, not used yet
    ``spent``   of its own, in this move
    ``fallen``  whether its flag is down
    """

    left: int
    used: int = 0
    stage: int = 0
    moves: int = 0
    free: int = 0
    spent: int = 0
    fallen: bool = False

    def spend(self, control: Control, ms: int, *, own: bool) -> tuple[SeatTime, list[Passed]]:
        """Use up time. ``own``: the clock ran for this seat, so the delay of the move comes first."""
        free = min(self.free, ms) if own else 0
        seat = replace(
            self,
            left=self.left - (ms - free),
            used=self.used + ms,
            free=self.free - free,
            spent=self.spent + (ms if own else 0),
        )
        passed: list[Passed] = []
        while control.timed and seat.left <= 0 and not seat.fallen:
            after, stage = ms + seat.left, seat.stage
            final = bool(control.periods[stage].moves) or stage + 1 == len(control.periods)
            passed.append(Passed(after, stage, final))
            if final:
                seat = replace(seat, fallen=True)
            else:
                seat = replace(seat, left=seat.left + control.periods[stage + 1].time, stage=stage + 1, moves=0)
        return seat, passed

    def begin_move(self, control: Control) -> SeatTime:
        """Begin a move. A seat whose flag is down gets nothing any more."""
        extra = 0 if self.fallen else control.extra
        gain = extra if control.mode == "fischer" else 0
        return replace(self, left=self.left + gain, free=extra if control.mode == "us-delay" else 0, spent=0)

    def end_move(self, control: Control) -> SeatTime:
        """End the move: count it, and add what it brings. A seat whose flag is down gets nothing any more."""
        seat = replace(self, moves=self.moves + 1, free=0, spent=0)
        if self.fallen:
            return seat
        if control.mode == "bronstein":
            seat = replace(seat, left=seat.left + min(self.spent, control.extra))
        if seat.moves == control.periods[self.stage].moves:
            seat = replace(seat, left=seat.left + control.periods[self.stage + 1].time, stage=self.stage + 1, moves=0)
        return seat

    def until_passed(self, control: Control) -> int | None:
        """Return after how many ms of its own the stage is passed; None: never."""
        return self.free + self.left if control.timed and not self.fallen else None

    def shown(self, control: Control) -> int:
        """Return the time that its clock shows, ms: what is left, or of a clock that counts up what was used."""
        return self.used if control.mode == "count-up" else self.left

    def corrected(self, control: Control, shown: int) -> SeatTime:
        """Return it with the clock set to ``shown`` ms, from 0 on; a flag that is down goes up where time is left."""
        if control.mode == "count-up":
            seat = replace(self, used=shown, left=control.periods[0].time - shown)
        else:
            seat = replace(self, left=shown)
        return replace(seat, fallen=control.timed and seat.left <= 0)

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object; what is 0 or false is left out, ``left`` is not."""
        members = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in members.items() if value or name == "left"}

    @classmethod
    def from_json(cls, value: object, stages: int) -> SeatTime:
        """Return the time an object describes. Raises Malformed."""
        if not isinstance(value, dict) or "left" not in value:
            raise Malformed("expected the time of a seat, with left")
        known = {field.name: value[field.name] for field in fields(cls) if field.name in value}
        numbers = {name: number for name, number in known.items() if name != "fallen"}
        if not all(type(number) is int for number in numbers.values()):
            raise Malformed("expected the times of a seat as whole milliseconds")
        if not all(number >= 0 for name, number in numbers.items() if name != "left"):
            raise Malformed("expected the times of a seat from 0 on, but for left")
        if type(known.get("fallen", False)) is not bool or known.get("stage", 0) >= stages:
            raise Malformed(f"expected fallen true or false, and a stage from 0 to {stages - 1}")
        return cls(**known)
