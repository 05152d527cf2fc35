"""Acts about players: entering, checking in, changing, dropping, returning, and where they sit."""

from __future__ import annotations

from dataclasses import replace

from referee.errors import Malformed
from referee.tournament.acts.base import PlayerAct, act, with_player
from referee.tournament.event import Event, Player, not_now


@act("player added")
class PlayerAdded(PlayerAct):
    """Somebody enters. Until check-in they are only expected."""

    club: int = 0
    rating: int = 0

    def _on(self, event: Event) -> Event:
        if self.player < 1:
            raise Malformed("player: expected a number of 1 or more")
        if self.player in event.players:
            raise not_now(f"expected a new number; player {self.player} is there")
        return with_player(event, Player(self.player, self.club, self.rating))


@act("player changed")
class PlayerChanged(PlayerAct):
    """A club or rating was entered wrong."""

    club: int
    rating: int

    def _on(self, event: Event) -> Event:
        return with_player(event, replace(event.player(self.player), club=self.club, rating=self.rating))


@act("checked in")
class CheckedIn(PlayerAct):
    """A player is in the hall. Whoever comes after a stage was opened is a late entry, where it takes them."""

    def _on(self, event: Event) -> Event:
        player = event.player(self.player)
        if player.state != "expected":
            raise not_now(f"expected a player who is not here yet; player {player.number} is {player.state}")
        return _arrives(event, player)


@act("check-in taken back")
class CheckInTakenBack(PlayerAct):
    """A player who is not in the hall was checked in by mistake. Refused for one in a stage, who is dropped."""

    def _on(self, event: Event) -> Event:
        player = event.player(self.player)
        if player.state != "here":
            raise not_now(f"expected a player who is checked in; player {player.number} is {player.state}")
        for stage in event.stages:
            if player.number in stage.players:
                raise not_now(f"player {player.number} is in stage {stage.number}; drop the player instead")
        return with_player(event, replace(player, state="expected"))


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
            raise not_now(f"expected a player who dropped; player {player.number} is {player.state}")
        if event.stages and "elimination" in event.stage.format:
            raise not_now(f"the bracket has gone on without player {player.number}")
        return _arrives(event, player)


@act("table fixed")
class TableFixed(PlayerAct):
    """A player always sits at one table (a wheelchair, a lamp); table 0: anywhere again."""

    table: int

    def _on(self, event: Event) -> Event:
        player = event.player(self.player)
        if self.table < 0:
            raise Malformed("table: expected the number of a table, or 0 for any")
        for other in event.players.values():
            taken = other.table == self.table != 0 and other.state in ("expected", "here")
            if taken and other.number != player.number:
                raise not_now(f"table {self.table} is fixed for player {other.number}")
        return with_player(event, replace(player, table=self.table))
