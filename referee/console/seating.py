"""Where this box stands in an event: its table, the round, and who sits there. Names are for the glass alone."""

from __future__ import annotations

from typing import NamedTuple

from referee.clock.settings import Settings


class Player(NamedTuple):
    """Somebody at this table. ``side``: of the first game, "" where sides are of no matter."""

    number: int
    name: str
    side: str = ""


class Seating(NamedTuple):
    """What a hall says of this table.

    ``round``    0 before the first
    ``players``  by seat; nobody while the table has no match
    ``games``    1: one game a match, 2: each side once, 3: best of three
    ``wins``     kinds of win that are told apart; ``split``: tournament points of a game, 0 if it is not split
    ``drawn``    whether a match may be drawn; ``stops``: whether a call for a judge stops the clocks
    ``clock``    how the seats keep time in games that begin from here on, None: as this box is configured
    """

    round: int
    table: int
    players: tuple[Player, ...] = ()
    games: int = 1
    wins: tuple[str, ...] = ()
    split: int = 0
    drawn: bool = True
    stops: bool = False
    clock: Settings | None = None

    @property
    def match(self) -> Seating:
        """What a result belongs to: it without names, and without what says nothing of results."""
        players = tuple(each._replace(name="") for each in self.players)
        return self._replace(players=players, stops=False, clock=None)


class Order(NamedTuple):
    """What was decided at the desk about this table.

    ``number``  of it at the hall; ``what``: its kind; ``ms``: of an extension; ``by``: who, by role and number
    """

    number: int
    what: str
    ms: int
    by: str
    text: str
