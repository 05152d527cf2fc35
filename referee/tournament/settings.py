"""What an organiser decides before the first round: points, tie-breakers, and what a game looks like."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from referee.errors import Malformed

Format: TypeAlias = Literal["swiss", "round robin", "single elimination", "double elimination", "pods"]
"""How a stage pairs its players."""

Match: TypeAlias = Literal["one game", "each side once", "best of three"]
"""The games of a match. Best of three: each side once, then a tie-break game (War of the Ring world tournament 2023).

A Swiss stage of one game a match is single-sided, one with each side once double-sided (Netrunner's words).
"""

Sides: TypeAlias = Literal["none", "assigned", "bid"]
"""Who plays which side: nobody cares, the pairing says, or the players bid for it."""

AtTime: TypeAlias = Literal["finish the action", "finish the turn", "stop", "a judge decides"]
"""What a table does when time is called."""

GAMES: dict[Match, int] = {"one game": 1, "each side once": 2, "best of three": 3}
"""How many games a match has at most."""

WINS: dict[Match, int] = {"one game": 1, "each side once": 2, "best of three": 2}
"""How many games whoever wins a match without playing it is taken to have won."""

TieBreaker: TypeAlias = Literal[
    "match points",
    "game points",
    "strength of schedule",
    "buchholz",
    "median buchholz",
    "sonneborn-berger",
    "head to head",
    "kind of win",
    "lot",
]
"""What the standings can be ordered by; `referee.tournament.standings` says how each is computed."""


@dataclass(frozen=True, slots=True)
class Points:
    """Match points of each result; whole numbers, so that a draw worth half a win makes a win worth 2.

    Whoever does not come, gives up, is disqualified or loses with the opponent has 0; the opponent has a win.

    ``split``   tournament points that a game is split into, 0 if it is not. MECCG splits six: 6-0, 5-1, 4-2, 3-3. The
                points of a match are then those of its games, and a win without playing has them all; ``win``,
                ``draw`` and ``loss`` are not read
    ``places``  of first, second ... in a pod
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    split: int = 0
    places: tuple[int, ...] = (4, 2, 1, 0)

    def check(self) -> None:
        """Raise Malformed naming what cannot be."""
        for name, worth in asdict(self).items():
            if name != "places" and worth < 0:
                raise Malformed(f"points.{name}: type 0 or more, not {worth}")
        if not self.win >= self.draw >= self.loss:
            raise Malformed("points: expected a win to be worth as much as a draw at least, and a draw as a loss")
        if not self.places or list(self.places) != sorted(self.places, reverse=True) or self.places[-1] < 0:
            raise Malformed("points.places: expected one for the first place at least, none more than the one before")


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for the whole event.

    ``sides``        of the game, the first seat's first; none where they do not differ
    ``wins``         the kinds of win, the best first
    ``tiebreakers``  the most important first, by which pairing compares players, too
    ``minutes``      of a round; 0 where no clock runs
    ``challenge``    minutes in which a result can be challenged; 0: it cannot
    ``call_stops``   whether the clocks of a table stop when it calls for a judge
    """

    sides: tuple[str, ...] = ()
    wins: tuple[str, ...] = ()
    points: Points = Points()
    tiebreakers: tuple[TieBreaker, ...] = ("match points", "head to head", "strength of schedule", "buchholz", "lot")
    minutes: int = 0
    challenge: int = 5
    call_stops: bool = False
    at_time: AtTime = "finish the action"

    def check(self) -> None:
        """Raise Malformed naming what cannot be."""
        if len(self.sides) not in (0, 2) or len(set(self.sides)) != len(self.sides):
            raise Malformed("sides: type the names of two sides, or none")
        if self.tiebreakers[:1] not in (("match points",), ("game points",)):
            raise Malformed("tiebreakers: choose match points or game points first")
        for name in ("tiebreakers", "wins"):
            if len(set(getattr(self, name))) != len(getattr(self, name)):
                raise Malformed(f"{name}: choose each once")
        for name in ("minutes", "challenge"):
            if getattr(self, name) < 0:
                raise Malformed(f"{name}: type 0 or more minutes, not {getattr(self, name)}")
        self.points.check()


def swiss_rounds(players: int) -> int:
    """Return how many Swiss rounds find one winner among so many players, if nobody draws.

    MECCG tournament policy: 3-4 players 2 rounds, 5-8 3, 9-16 4, 17-32 5, 33-64 6, and on by doubling.
    """
    return max(1, (players - 1).bit_length())
