"""Acts about players and their tables: who is here and where they sit, penalties, calls for a judge, boxes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.errors import Malformed
from referee.tournament.acts.base import Act, PlayerAct, act, with_player
from referee.tournament.event import Call, Event, Penalty, PenaltyKind, Player, not_now

SHOWN_KEY: Final = 8  # digits of a box's key that name it


@act("player added")
class PlayerAdded(PlayerAct):
    """Somebody enters. Until check-in they are only expected."""

    rating: int = 0

    def _on(self, event: Event) -> Event:
        if self.player < 1:
            raise Malformed("player: expected a number of 1 or more")
        if self.player in event.players:
            raise not_now(f"expected a new number; player {self.player} is there")
        return with_player(event, Player(self.player, self.rating))


@act("player changed")
class PlayerChanged(PlayerAct):
    """A rating was entered wrong."""

    rating: int

    def _on(self, event: Event) -> Event:
        return with_player(event, replace(event.player(self.player), rating=self.rating))


@act("checked in")
class CheckedIn(PlayerAct):
    """A player is in the hall. Whoever comes after a stage was opened is a late entry, where it takes them."""

    def _on(self, event: Event) -> Event:
        player = event.player(self.player)
        if player.state != "expected":
            raise not_now(f"not expected any more: player {player.number} is {player.state}")
        return _arrives(event, player)


def _arrives(event: Event, player: Player) -> Event:
    """Return the event with a player here, and in the stage if it takes late entries: Swiss or pods, no cut."""
    event = with_player(event, replace(player, state="here"))
    if not event.stages or event.stage.cut or event.stage.format not in ("swiss", "pods"):
        return event
    late = () if player.number in event.stage.players else (player.number,)
    stage = replace(event.stage, players=(*event.stage.players, *late))
    return replace(event, stages=(*event.stages[:-1], stage))


@act("player dropped")
class PlayerDropped(PlayerAct):
    """A player leaves, and is not paired any more. What was played counts; a match underway needs a judge."""

    def _on(self, event: Event) -> Event:
        player = event.player(self.player)
        if player.state not in ("expected", "here"):
            raise not_now(f"player {player.number} has left: {player.state}")
        return with_player(event, replace(player, state="dropped"))


@act("player returned", needs_why=True)
class PlayerReturned(PlayerAct):
    """A player who dropped is back, and is paired again. Refused in an elimination, which went on without them."""

    def _on(self, event: Event) -> Event:
        player = event.player(self.player)
        if player.state != "dropped":
            raise not_now(f"has not dropped: player {player.number} is {player.state}")
        if event.stages and "elimination" in event.stage.format:
            raise not_now(f"the bracket has gone on without player {player.number}")
        return _arrives(event, player)


@act("penalty", needs_why=True)
class PenaltyGiven(PlayerAct):
    """A judge punishes a player: points come off in the standings; whoever is disqualified is paired no more."""

    penalty: PenaltyKind
    points: int = 0

    def _on(self, event: Event) -> Event:
        player = event.player(self.player)
        if (self.points > 0) != (self.penalty == "points") or self.points < 0:
            raise Malformed("points: type 1 or more for a penalty of points, nothing for others")
        penalty = Penalty(self.player, event.stage.number, self.penalty, self.points)
        event = replace(event, penalties=(*event.penalties, penalty))
        if self.penalty == "disqualification":
            return with_player(event, replace(player, state="disqualified"))
        return event


@act("penalty lifted", needs_why=True)
class PenaltyLifted(Act):
    """A penalty was wrong, by its place from 1. Whoever is no longer disqualified has dropped, and can return."""

    penalty: int

    def _on(self, event: Event) -> Event:
        if not 1 <= self.penalty <= len(event.penalties):
            raise not_now(f"expected a penalty from 1 to {len(event.penalties)}, got {self.penalty}")
        wrong = event.penalties[self.penalty - 1]
        rest = event.penalties[: self.penalty - 1] + event.penalties[self.penalty :]
        if wrong.kind == "disqualification":
            event = with_player(event, replace(event.player(wrong.player), state="dropped"))
        return replace(event, penalties=rest)


@act("call opened")
class CallOpened(Act):
    """A table calls for a judge. ``note``: hash of the call in the journal of its box, "" where somebody came."""

    table: int
    note: str = ""

    def _on(self, event: Event) -> Event:
        if self.table < 1:
            raise Malformed("table: expected 1 or more")
        if any(call.table == self.table and not call.resolved for call in event.calls):
            raise not_now(f"table {self.table} is calling already")
        return replace(event, calls=(*event.calls, Call(len(event.calls) + 1, self.table, self.at)))


@act("call claimed")
class CallClaimed(Act):
    """A judge goes there. Another judge may claim it too: so a call is escalated."""

    call: int

    def _on(self, event: Event) -> Event:
        return _with_call(event, replace(_open_call(event, self.call), judge=self.who))


@act("call resolved", needs_why=True)
class CallResolved(Act):
    """The judge has ruled. ``why``: the ruling."""

    call: int

    def _on(self, event: Event) -> Event:
        return _with_call(event, replace(_open_call(event, self.call), judge=self.who, resolved=self.at))


@act("box placed")
class BoxPlaced(Act):
    """A box stands at a table, by its key, and nowhere else; "": the table plays on paper.

    A spare in the place of another box needs a reason; the old box is refused until it is placed again.
    """

    table: int
    box: str

    def _on(self, event: Event) -> Event:
        if self.table < 1:
            raise Malformed("table: expected 1 or more")
        old = event.boxes.get(self.table, "")
        if old and not self.why.strip():
            raise Malformed("why: tell why the table's box is replaced")
        boxes = {table: box for table, box in event.boxes.items() if table != self.table and box != self.box}
        if not self.box:
            return replace(event, boxes=boxes)
        spent = (event.spent | {old} if old else event.spent) - {self.box}
        return replace(event, boxes={**boxes, self.table: self.box}, spent=spent)

    def _sentence(self, event: Event) -> str:
        return f"table {self.table}, " + (f"box {self.box[:SHOWN_KEY]}" if self.box else "no box")


def _open_call(event: Event, number: int) -> Call:
    for call in event.calls:
        if call.number == number and not call.resolved:
            return call
    raise not_now(f"no open call has the number {number}")


def _with_call(event: Event, changed: Call) -> Event:
    calls = tuple(changed if call.number == changed.number else call for call in event.calls)
    return replace(event, calls=calls)
