"""Acts on the floor of the hall: penalties, calls for a judge, boxes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from referee.errors import Malformed, NotNow
from referee.tournament.acts.base import Act, act, with_player
from referee.tournament.event import Call, Event, Penalty, PenaltyKind

SHOWN_KEY: Final = 8
"""Digits of a box's key that name it."""


@act("penalty", needs_why=True)
@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven(Act):
    """A judge punishes a player. A lost game or match is entered in the result; points come off in the standings."""

    player: int
    penalty: PenaltyKind
    points: int = 0

    def on(self, event: Event) -> Event:
        """Return the event with the penalty; who is disqualified is paired no more."""
        player = event.player(self.player)
        if (self.points > 0) != (self.penalty == "points") or self.points < 0:
            raise Malformed("points: expected 1 or more for a penalty of points, and 0 for others")
        penalty = Penalty(self.player, event.stage.number, self.penalty, self.points)
        event = replace(event, penalties=(*event.penalties, penalty))
        if self.penalty == "disqualification":
            return with_player(event, replace(player, state="disqualified"))
        return event


@act("penalty lifted", needs_why=True)
@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyLifted(Act):
    """A penalty was wrong. ``penalty``: its place among those that count, from 1."""

    penalty: int

    def on(self, event: Event) -> Event:
        """Return the event without it; who is no longer disqualified has dropped, and can return."""
        if not 1 <= self.penalty <= len(event.penalties):
            raise NotNow(
                "no-such-penalty", f"expected a penalty from 1 to {len(event.penalties)}, got {self.penalty}"
            )
        wrong = event.penalties[self.penalty - 1]
        rest = event.penalties[: self.penalty - 1] + event.penalties[self.penalty :]
        if wrong.kind == "disqualification":
            event = with_player(event, replace(event.player(wrong.player), state="dropped"))
        return replace(event, penalties=rest)


@act("call opened")
@dataclass(frozen=True, slots=True, kw_only=True)
class CallOpened(Act):
    """A table calls for a judge. ``note``: hash of the call in the journal of its box, "" where somebody came."""

    table: int
    note: str = ""

    def on(self, event: Event) -> Event:
        """Return the event with a new call. Refused while the table's last is open."""
        if self.table < 1:
            raise Malformed("table: expected 1 or more")
        if any(call.table == self.table and not call.resolved for call in event.calls):
            raise NotNow("calling", f"table {self.table} is calling already")
        return replace(event, calls=(*event.calls, Call(len(event.calls) + 1, self.table, self.at)))


@act("call claimed")
@dataclass(frozen=True, slots=True, kw_only=True)
class CallClaimed(Act):
    """A judge goes there. Another judge may claim it from him: so a call is escalated."""

    call: int

    def on(self, event: Event) -> Event:
        """Return the event with the call claimed by whoever does this."""
        return _with_call(event, replace(_open_call(event, self.call), judge=self.who))


@act("call resolved", needs_why=True)
@dataclass(frozen=True, slots=True, kw_only=True)
class CallResolved(Act):
    """The judge has ruled. ``why``: the ruling."""

    call: int

    def on(self, event: Event) -> Event:
        """Return the event with the call resolved."""
        return _with_call(event, replace(_open_call(event, self.call), judge=self.who, resolved=self.at))


@act("box placed")
@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPlaced(Act):
    """A box stands at a table, by its key; "" takes the table's box away, and it plays on paper.

    A spare in the place of another box takes over from it: the old box is refused until it is placed again.
    ``own_game``: it goes on with the game that it has, and takes none over.
    """

    table: int
    box: str
    own_game: bool = False

    def on(self, event: Event) -> Event:
        """Return the event with the box there, and nowhere else. A spare needs a reason."""
        if self.table < 1:
            raise Malformed("table: expected 1 or more")
        old = event.boxes.get(self.table, "")
        if old and not self.why.strip():
            raise Malformed("why: expected why the table's box is replaced")
        boxes = {table: box for table, box in event.boxes.items() if table != self.table and box != self.box}
        if not self.box:
            return replace(event, boxes=boxes)
        spent = (event.spent | {old} if old else event.spent) - {self.box}
        return replace(event, boxes={**boxes, self.table: self.box}, spent=spent)

    def words(self, event: Event, club: Callable[[int], str]) -> str:
        """Return which box, by the beginning of its key."""
        return f"table {self.table}, " + (f"box {self.box[:SHOWN_KEY]}" if self.box else "no box")


def _open_call(event: Event, number: int) -> Call:
    """Return a call that is open. Raises NotNow for another."""
    for call in event.calls:
        if call.number == number and not call.resolved:
            return call
    raise NotNow("no-such-call", f"expected the number of an open call, got {number}")


def _with_call(event: Event, changed: Call) -> Event:
    calls = tuple(changed if call.number == changed.number else call for call in event.calls)
    return replace(event, calls=calls)
