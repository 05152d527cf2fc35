"""What the table waits for, and whose time runs then."""

from __future__ import annotations

from typing import NamedTuple

from referee.clock.clocks import COMMON, NOBODY
from referee.clock.customs import Customs


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

    def whose(self, customs: Customs, mover: str) -> str:
        """Return whose time runs: a seat's, `COMMON` or `NOBODY`'s. ``mover``: whose move it is."""
        if self.reads:
            return customs.while_read
        if self.asks != COMMON:
            return self.asks
        if customs.table == "buttons":
            return mover
        return COMMON if customs.table == "common" else NOBODY
